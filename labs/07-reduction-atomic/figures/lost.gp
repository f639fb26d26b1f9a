# How an addition gets lost, and how an atomic operation keeps it.
#   labs/figures/draw labs/07-reduction-atomic/figures/lost.gp
set terminal svg size 780,330 font "sans-serif,13" background "white"
set output "lost.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set xrange [-1.15:7.2]
set yrange [5.6:-0.9]
set style fill solid border linecolor "white"
top(c) = c eq "plain" ? 0 : 3.1
tint(what, thread) = what eq "waits" ? 0xe0e0e0 : thread == 0 ? 0x1f6fb2 : 0xd95f02
ink(what) = what eq "waits" ? 0x777777 : 0xffffff
set label "*total += a[i]" at -1.1, -0.68
set label "atomicAdd(total, a[i])" at -1.1, 2.4
do for [thread = 0:1] {
    set label sprintf("thread %d", thread) at -1.1, thread + 0.05
    set label sprintf("thread %d", thread) at -1.1, 3.15 + thread
}
set label "10 + 3 + 4 = 14?" at 4.2, 0.95
set label "17" at 6.15, 4.15
set arrow from 0, 5.1 to 7, 5.1 linecolor "#888888"
set label "time" at 7, 5.4 right textcolor "#666666"
plot "lost.csv" using ((column("begin") + column("end")) / 2.0):(top(strcol("case")) + column("thread")): \
        ((column("end") - column("begin")) / 2.0 - 0.02):(0.4): \
        (tint(strcol("what"), column("thread"))) with boxxyerror linecolor rgb variable, \
    "" using ((column("begin") + column("end")) / 2.0):(top(strcol("case")) + column("thread")): \
        (strcol("what")):(ink(strcol("what"))) with labels textcolor rgb variable
