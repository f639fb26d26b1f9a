# Three mistakes: where they are made, and where they show.
#   labs/figures/draw labs/16-debugging/figures/reports.gp
set terminal svg size 780,270 font "sans-serif,13" background "white"
set output "reports.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set margins 0, 0, 0, 0
set xrange [-1.55:4.6]
set yrange [3.3:-0.85]
set style fill solid border linecolor "white"
tint(role) = role eq "cause" ? 0xd95f02 : role eq "report" ? 0x1f6fb2 : role eq "seen" ? 0x1f6fb2 : 0xe4e4e4
ink(role) = role eq "none" ? 0x444444 : 0xffffff
mark(role) = role eq "cause" ? "to blame" : role eq "report" ? "reported" : role eq "seen" ? "seen, not reported" : ""
set label "a host pointer" at -1.5, 0
set label "freed too early" at -1.5, 1.1
set label "swapped axes" at -1.5, 2.2
set arrow from -0.48, 2.75 to 4.48, 2.75 linecolor "#888888"
set label "the program runs" at 4.48, 3.0 right textcolor "#666666"
plot "reports.csv" using (column("step")):(1.1 * column("program")):(0.48):(0.3): \
        (tint(strcol("role"))) with boxxyerror linecolor rgb variable, \
    "" using (column("step")):(1.1 * column("program")):(strcol("text")):(ink(strcol("role"))) \
        with labels font ",11" textcolor rgb variable, \
    "" using (column("step")):(1.1 * column("program") - 0.48):(mark(strcol("role"))) \
        with labels font ",11" textcolor "#222222"
