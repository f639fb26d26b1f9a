# Bandwidth of sums with atomic operations and with trees, as dots: the axis is logarithmic, and has no 0 to begin bars at.
#   labs/figures/draw labs/07-reduction-atomic/figures/bandwidth_by_version.gp
set terminal svg size 780,290 font "sans-serif,14" background "white"
set output "bandwidth_by_version.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics ytics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Sums of 2^24 numbers on one H200" noenhanced
set xlabel "bandwidth, GB/s: each line is ten times the one before"
set logscale x 10
set xrange [1:10000]
set mxtics 1
set yrange [*:*] reverse
set offsets 0, 0, 0.6, 0.6
set arrow from 4550, graph 0 to 4550, graph 1 nohead dashtype 2 linewidth 2 linecolor "#666666" front
set label "reading only: 4550" at 4100, graph 0.93 right textcolor "#444444"
v = "bandwidth_gb_per_s"
plot "bandwidth_by_version.csv" using (column(v)):0:ytic(1) with points pointtype 7 pointsize 1.3 linecolor "#1f6fb2", \
    "" using (column(v) * 1.25):0:(sprintf("%.3g", column(v))) with labels left
