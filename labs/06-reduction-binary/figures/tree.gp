# The tree of a block of 11 threads, rounded up to 16, round by round.
#   cd labs/06-reduction-binary/figures && gnuplot tree.gp
set terminal svg size 820,420 font "sans-serif,13" background "white"
set output "tree.svg"
set datafile separator ","
unset border
unset tics
unset key
set xrange [-3.5:16.2]
set yrange [-4.55:0.9]
set style fill solid border linecolor "white"
in(s, i) = stringcolumn("state") eq s ? column(i) : 1/0
place = "place"
y(r) = -r
set label "half = 8" at -3.4, -1 left
set label "half = 4" at -3.4, -2 left
set label "half = 2" at -3.4, -3 left
set label "half = 1" at -3.4, -4 left
set label "the numbers" at -3.4, 0 left
set label "threads that do not exist" at 13, 0.65 center textcolor "#777777"
set label "the sum" at 0.7, -4 left textcolor "#9a4f00"
box = 0.4
tall = 0.24
plot "tree.csv" using (in("adds", "partner")):(y(column("round") - 1) - 0.26): \
        (column("place") - column("partner") + 0.28):(-0.44) \
        with vectors size 0.22,18 filled linecolor "#c9c9c9", \
    "" using (in("adds", "place")):(y(column("round") - 1) - 0.26):(0):(-0.46) \
        with vectors size 0.22,18 filled linecolor "#1f6fb2", \
    "" using (in("value", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#f0a830", \
    "" using (in("absent", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#e8e8e8", \
    "" using (in("adds", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#1f6fb2", \
    "" using (in("keeps", "place")):(y(column("round"))):(box):(tall) with boxxyerror linecolor "#b9cfe2", \
    "" using (in("value", "place")):(y(column("round"))):(sprintf("%d", column("place"))) with labels, \
    "" using (in("absent", "place")):(y(column("round"))):(sprintf("%d", column("place"))) with labels textcolor "#999999", \
    "" using (in("adds", "place")):(y(column("round"))):(sprintf("%d", column("place"))) with labels textcolor "white", \
    "" using (in("keeps", "place")):(y(column("round"))):(sprintf("%d", column("place"))) with labels
