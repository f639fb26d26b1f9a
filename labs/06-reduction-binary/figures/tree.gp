# The tree of a block of 11 threads, rounded up to 16, round by round, with the numbers.
#   labs/figures/draw labs/06-reduction-binary/figures/tree.gp
set terminal svg size 820,470 font "sans-serif,15" background "white"
set output "tree.svg"
set datafile separator ","
unset border
unset tics
unset key
set xrange [-2.9:15.7]
set yrange [-4.55:1.25]
set style fill solid border linecolor "white"
in(s, i) = stringcolumn("state") eq s ? column(i) : 1/0
y(r) = -r
set label "place" at -2.8, 0.62 left textcolor "#555555"
do for [i = 0:15] { set label sprintf("%d", i) at i, 0.62 center textcolor "#555555" }
set label "numbers" at -2.8, 0 left
set label "half = 8" at -2.8, -1 left
set label "half = 4" at -2.8, -2 left
set label "half = 2" at -2.8, -3 left
set label "half = 1" at -2.8, -4 left
set label "no such threads" at 13, -0.55 center textcolor "#555555"
set label "no partner: these five keep their number" at 7.7, -1 left textcolor "#555555"
set label "the sum" at 0.7, -4 left textcolor "#9a4f00"
box = 0.42
tall = 0.26
plot "tree.csv" using (in("adds", "partner")):(y(column("round") - 1) - 0.28): \
        (column("place") - column("partner") + 0.28):(-0.42) \
        with vectors size 0.24,18 filled linewidth 1.4 linecolor "#5b5b5b", \
    "" using (in("adds", "place")):(y(column("round") - 1) - 0.28):(0):(-0.44) \
        with vectors size 0.24,18 filled linewidth 2 linecolor "#1f6fb2", \
    "" using (in("keeps", "place")):(y(column("round") - 1) - 0.28):(0):(-0.44) \
        with vectors size 0.24,18 filled linewidth 2 dashtype 2 linecolor "#1f6fb2", \
    "" using (in("value", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#f0a830", \
    "" using (in("absent", "place")):(y(column("round"))):(box):(tall) \
        with boxxyerror linecolor "#888888" linewidth 1.2 fillstyle empty border, \
    "" using (in("adds", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#1f6fb2", \
    "" using (in("keeps", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#b9cfe2", \
    "" using (in("value", "place")):(y(column("round"))):(sprintf("%d", column("number"))) with labels, \
    "" using (in("adds", "place")):(y(column("round"))):(sprintf("%d", column("number"))) with labels textcolor "white", \
    "" using (in("keeps", "place")):(y(column("round"))):(sprintf("%d", column("number"))) with labels
