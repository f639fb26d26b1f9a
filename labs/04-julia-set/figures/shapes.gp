# Which share of the lanes is at work, by the shape of the warps.
#   labs/figures/draw labs/04-julia-set/figures/shapes.gp
set terminal svg size 760,310 font "sans-serif,14" background "white"
set output "shapes.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Share of its time in which a lane works, by shape of the warp"
set xlabel "steps in which a lane works, % of the steps of its warp"
set ylabel "pixels of a warp"
set xrange [0:100]
set yrange [5.6:-0.6]
set style fill solid
plot "shapes.csv" using (0.5 * column("lanes_at_work_pct")):0:(0.5 * column("lanes_at_work_pct")): \
        (0.36):ytic(1) with boxxyerror linecolor "#1f6fb2", \
    "" using (column("lanes_at_work_pct") + 1):0:(sprintf("%.1f", column("lanes_at_work_pct"))) \
        with labels left
