# Threads and pixels: a 2D launch over an image, and the same image in pitched memory.
#   labs/figures/draw labs/03-addressing-2d/figures/grid.gp
set terminal svg size 760,520 font "sans-serif,13" background "white"
set output "grid.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
unset colorbox
set palette defined (-1 "#e4e4e4", 0 "#1f6fb2", 1 "#5fa3d9", 2 "#d95f02", 3 "#efa46b", 4 "#2a9d63", 5 "#7cc4a0")
set cbrange [-1:5]
set xrange [-1.9:16.2]
set yrange [14.7:-2.2]
set style fill solid border linecolor "white"
top(part) = part eq "memory" ? 8.6 : 0
text(exists, y, x, element) = element >= 0 ? sprintf("%d", element) : \
    exists == 1 ? sprintf("%d,%d", y, x) : "-"
# The odd blocks are light: black is read better there.
ink(exists, block) = exists != 1 ? 0x777777 : int(block) % 2 ? 0x000000 : 0xffffff
shade(exists, block) = exists == 1 ? block : -1
set label "Threads: blocks(2, 3), threads(8, 2) for 5 rows of 13 pixels; each cell: y,x" at -0.5, -1.7
set label "x = 0" at 0, -0.85 center textcolor "#777777"
set label "x = 12" at 12, -0.85 center textcolor "#777777"
set label "y = 0" at -0.7, 0 right textcolor "#777777"
set label "y = 4" at -0.7, 4 right textcolor "#777777"
set label "grey: threads with no pixel, beyond the right edge and beneath the bottom" \
    at 15.5, 6.1 right textcolor "#777777"
set label "Memory: pixel (y, x) is element y * pitch + x, here with a pitch of 16" at -0.5, 7.6
set label "grey: padding" at 15.5, 14.1 right textcolor "#777777"
set arrow from -0.45, 13.6 to 12.45, 13.6 heads size 0.2, 20 linecolor "#777777"
set label "width" at 6, 14.1 center textcolor "#777777"
plot "grid.csv" using (column("column")):(top(strcol("part")) + column("row")):(0.48):(0.46): \
        (shade(column("exists"), column("block"))) with boxxyerror linecolor palette, \
    "" using (column("column")):(top(strcol("part")) + column("row")):(text(column("exists"), column("row"), column("column"), column("element"))): \
        (ink(column("exists"), column("block"))) with labels textcolor rgb variable font ",11"
