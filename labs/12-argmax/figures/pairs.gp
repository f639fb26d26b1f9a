# Two equal maxima: stores of the index race, comparisons of pairs do not.
#   labs/figures/draw labs/12-argmax/figures/pairs.gp
set terminal svg size 780,330 font "sans-serif,13" background "white"
set output "pairs.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set xrange [-0.75:4.9]
set yrange [5.6:-0.9]
set style fill solid border linecolor "white"
top(c) = c eq "stores" ? 0 : 3.1
tint(thread) = thread == 0 ? 0x1f6fb2 : 0xd95f02
set label "if (mine.value == largest) index = mine.index;" at -0.7, -0.68
set label "if (wins(other, mine)) mine = other;" at -0.7, 2.4
do for [thread = 0:1] {
    set label thread == 0 ? "thread 40" : "thread 3" at -0.7, thread + 0.05
    set label thread == 0 ? "thread 40" : "thread 3" at -0.7, 3.15 + thread
}
set label "index 515?" at 3.75, 1.05
set label "index 296" at 3.75, 4.15
set arrow from 0, 5.1 to 4.8, 5.1 linecolor "#888888"
set label "time" at 4.8, 5.4 right textcolor "#666666"
plot "pairs.csv" using ((column("begin") + column("end")) / 2.0):(top(strcol("case")) + column("thread")): \
        ((column("end") - column("begin")) / 2.0 - 0.015):(0.4): \
        (tint(column("thread"))) with boxxyerror linecolor rgb variable, \
    "" using ((column("begin") + column("end")) / 2.0):(top(strcol("case")) + column("thread")): \
        (strcol("what")) with labels textcolor "white"
