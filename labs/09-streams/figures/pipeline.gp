# Time of the pipeline by the number of pieces and streams, as bars, and the least time that the copies need, as lines.
#   labs/figures/draw labs/09-streams/figures/pipeline.gp
set terminal svg size 760,370 font "sans-serif,14" background "white"
set output "pipeline.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "256 MB to an H200 and back, with a kernel between"
set xlabel "time, ms"
set xrange [0:16]
set yrange [4.7:-1.2]
set style fill solid
set arrow from 4.86, graph 0 to 4.86, graph 1 nohead dashtype 3 linecolor "#888888" front
set arrow from 5.31, graph 0 to 5.31, graph 1 nohead dashtype 2 linecolor "#888888" front
set label "one copy alone: 4.86" at 4.75, -0.8 right textcolor "#666666"
set label "both directions at once: 5.31" at 5.42, -0.8 textcolor "#666666"
half = 0.36
plot "pipeline.csv" \
    using (0.5 * column("time_ms")):0:(0.5 * column("time_ms")):(half):ytic(1) \
    with boxxyerror linecolor "#1f6fb2", \
    "" using (column("time_ms") + 0.12):0:(sprintf("%.1f", column("time_ms"))) with labels left
