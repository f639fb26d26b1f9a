# 1000 elements, and the four blocks of 256 threads that cover them.
#   labs/figures/draw labs/02-vector-add/figures/grid.gp
set terminal svg size 760,250 font "sans-serif,15" background "white"
set output "grid.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set xrange [-20:1045]
set yrange [-0.6:2.65]
works = 0x1f6fb2
only(s, v) = stringcolumn("state") eq s ? v : 1/0
# Each block as a whole, its idle threads inside it.
do for [b = 0:3] {
    set object b + 10 rectangle from 256 * b, 0.97 to 256 * (b + 1), 1.83 fillstyle empty \
        border linecolor "#333333" linewidth 2 front
    set label sprintf("block %d", b) at 256 * b + 128, 2.08 center
}
set label "threads" at 5, 2.45 left textcolor "#555555"
set label "block 3: its last 24 threads have no element" at 1024, 2.45 right textcolor "#555555"
set label "elements" at 500, -0.25 center textcolor "#555555"
set label "0" at 2, -0.25 left
set label "n - 1 = 999" at 1000, -0.25 right
set object 1 rectangle from 0, 0 to 1000, 0.55 fillcolor rgb "#f0a830" fillstyle solid noborder
do for [b = 0:3] { set arrow from 256 * b + 116, 0.95 to 256 * b + 116, 0.6 linewidth 1.5 linecolor "#333333" }
plot "grid.csv" using (only("works", (column("first") + column("last") + 1) / 2.0)):(1.4): \
        (column("first")):(column("last") + 1):(0.97):(1.83) \
        with boxxyerror fillstyle solid noborder linecolor rgb works, \
    "" using (only("idle", (column("first") + column("last") + 1) / 2.0)):(1.4): \
        (column("first")):(column("last") + 1):(0.97):(1.83) \
        with boxxyerror fillstyle pattern 4 noborder linecolor "#555555", \
    "" using (only("works", (column("first") + column("last") + 1) / 2.0)):(1.4): \
        (sprintf("%d to %d", column("first"), column("last"))) with labels textcolor "white"
