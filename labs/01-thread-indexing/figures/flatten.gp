# A (2, 3, 4) array as two planes, and the same elements in memory.
#   labs/figures/draw labs/01-thread-indexing/figures/flatten.gp
set terminal svg size 760,330 font "sans-serif,13" background "white"
set output "flatten.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
unset colorbox
set palette defined (0 "#5fa3d9", 1 "#92c0e6", 2 "#c3ddf2", 3 "#e08a3c", 4 "#efb27a", 5 "#f8d6b6")
set cbrange [0:5]
set xrange [-0.8:23.6]
set yrange [6.6:-1.1]
set style fill solid border linecolor "white"
x(i, k) = 2.1 + 13 * i + 2.2 * k
y(j) = 1.05 * j
set label "i = 0" at x(0, 1.5), -0.8 center
set label "i = 1" at x(1, 1.5), -0.8 center
set label "j = 0" at -0.6, y(0) left
set label "j = 1" at -0.6, y(1) left
set label "j = 2" at -0.6, y(2) left
set label "k runs along the rows" at x(0, 1.5), 2.95 center textcolor "#777777"
set label "in memory: place i*(J*K) + j*K + k" at -0.5, 3.75
set arrow from 11.5, 5.75 to -0.45, 5.75 linecolor "#777777" nohead
set arrow from -0.45, 5.75 to 11.45, 5.75 linecolor "#777777" heads
set label "one step of i: J*K = 12 places" at 5.5, 6.15 center textcolor "#777777"
set arrow from 11.55, 5.75 to 15.45, 5.75 linecolor "#777777" heads
set label "one step of j: K = 4" at 13.5, 6.15 center textcolor "#777777"
plot "flatten.csv" using (x(column("i"), column("k"))):(y(column("j"))):(1.06):(0.48): \
        (3 * column("i") + column("j")) with boxxyerror linecolor palette, \
    "" using (x(column("i"), column("k"))):(y(column("j"))): \
        (sprintf("%d,%d,%d", column("i"), column("j"), column("k"))) with labels, \
    "" using "place":(4.75):(0.48):(0.55):(3 * column("i") + column("j")) \
        with boxxyerror linecolor palette, \
    "" using "place":(4.75):(sprintf("%d", column("place"))) with labels
