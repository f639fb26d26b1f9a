# 128 neighbouring pixels as four warps, cut in two ways: the steps of each lane, and its waiting.
#   cd labs/04-julia-set/figures && gnuplot lanes.gp
set terminal svg size 760,470 font "sans-serif,14" background "white"
set output "lanes.svg"
set datafile separator ","
set datafile commentschars "#"
set multiplot layout 2,1 margins 0.09,0.98,0.12,0.9 spacing 0.16
unset key
set border 3
set tics nomirror
set xrange [-1:134]
set yrange [0:215]
set ytics 50
set ylabel "steps"
set style fill solid noborder
place(warp, lane) = 33.5 * warp + lane
wanted(shape) = strcol("shape") eq shape
works = 0x1f6fb2
waits = 0xd9d9d9
do for [panel = 0:1] {
    shape = panel == 0 ? "32 x 1" : "8 x 4"
    set title (panel == 0 ? "Warps of 32 x 1 pixels: each has a lane that goes to step 200" : \
        "The same pixels in warps of 8 x 4: only one warp does") offset 0,-0.6
    set xtics ("warp 0" 15.5, "warp 1" 49, "warp 2" 82.5, "warp 3" 116) scale 0
    if (panel == 0) {
        set label 1 "blue: the lane's own steps" at graph 0.01,1.22 textcolor rgb works
        set label 2 "grey: it waits for the slowest lane of its warp" at graph 0.32,1.22 textcolor rgb 0x777777
    } else { unset label 1; unset label 2 }
    plot "lanes.csv" using (wanted(shape) ? place(column("warp"), column("lane")) : NaN): \
            (0.5 * column("slowest")):(0.5):(0.5 * column("slowest")) with boxxyerror linecolor rgb waits, \
        "" using (wanted(shape) ? place(column("warp"), column("lane")) : NaN): \
            (0.5 * column("steps")):(0.5):(0.5 * column("steps")) with boxxyerror linecolor rgb works
}
unset multiplot
