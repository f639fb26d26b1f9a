# One request of one warp: which sectors it moves, and how much of each it uses.
#   labs/figures/draw labs/03-addressing-2d/figures/sectors.gp
set terminal svg size 760,460 font "sans-serif,13" background "white"
set output "sectors.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
unset colorbox
set palette defined (0 "#ececec", 1 "#f0a830", 8 "#1f6fb2")
set cbrange [0:8]
set xrange [-1.2:10.6]
set yrange [35.2:-4.4]
set style fill solid border linecolor "white"
left(pattern) = pattern eq "along a row" ? 0 : 6
set label "threadIdx.x along x" at 1.5, -3.7 center
set label "4 sectors, 32 of 32 floats used" at 1.5, -1.8 center textcolor "#777777"
set label "threadIdx.x along y" at 7.5, -3.7 center
set label "32 sectors, 32 of 256 floats used" at 7.5, -1.8 center textcolor "#777777"
set label "y = 0" at -0.6, 0 right textcolor "#777777"
set label "y = 31" at -0.6, 31 right textcolor "#777777"
set label "a cell: one sector, 8 floats of a row; blue: all 8 are used; orange: 1 of 8" \
    at 4.5, 33.8 center textcolor "#777777"
plot "sectors.csv" using (left(strcol("pattern")) + column("sector")):(column("row")):(0.49):(0.46): \
        (column("used")) with boxxyerror linecolor palette
