# 128 neighbouring pixels as four warps, cut in two ways: the steps of each lane, and its waiting.
#   labs/figures/draw labs/04-julia-set/figures/lanes.gp
set terminal svg size 760,500 font "sans-serif,14" background "white"
set output "lanes.svg"
set datafile separator ","
set datafile commentschars "#"
set multiplot layout 2,1 margins 0.11,0.98,0.07,0.82 spacing 0.17
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
    set title (panel == 0 ? "Warps of 32 x 1 pixels: each has a lane that makes all 200 steps" : \
        "The same pixels in warps of 8 x 4: only warp 3 has such lanes") offset 0,-0.6
    set xtics ("warp 0" 15.5, "warp 1" 49, "warp 2" 82.5, "warp 3" 116) scale 0
    # The legend stands once, above both panels.
    if (panel == 0) {
        set object 1 rectangle from screen 0.11,0.945 to screen 0.13,0.970 fillcolor rgb works
        set label 1 "the lane's own steps" at screen 0.14,0.958
        set object 2 rectangle from screen 0.43,0.945 to screen 0.45,0.970 fillcolor rgb waits
        set label 2 "it waits for the slowest lane of its warp" at screen 0.46,0.958
    } else { unset label; unset object }
    plot "lanes.csv" using (wanted(shape) ? place(column("warp"), column("lane")) : NaN): \
            (0.5 * column("slowest")):(0.5):(0.5 * column("slowest")) with boxxyerror linecolor rgb waits, \
        "" using (wanted(shape) ? place(column("warp"), column("lane")) : NaN): \
            (0.5 * column("steps")):(0.5):(0.5 * column("steps")) with boxxyerror linecolor rgb works
}
unset multiplot
