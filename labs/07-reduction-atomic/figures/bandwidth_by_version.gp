# Bandwidth of sums with atomic operations and with trees, as bars on a logarithmic scale.
#   cd labs/07-reduction-atomic/figures && gnuplot bandwidth_by_version.gp
set terminal svg size 780,290 font "sans-serif,14" background "white"
set output "bandwidth_by_version.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Sums of 2^24 numbers on one H200" noenhanced
set xlabel "bandwidth, GB/s (logarithmic)"
set logscale x 10
set xrange [1:10000]
set yrange [*:*] reverse
set offsets 0, 0, 0.5, 0.5
set style fill solid
set arrow from 4550, graph 0 to 4550, graph 1 nohead dashtype 2 linecolor "#888888" front
set label "reading: 4550" at 4300, graph 0.93 right textcolor "#666666"
half = 0.36
v = "bandwidth_gb_per_s"
plot "bandwidth_by_version.csv" using (column(v)):0:(1):(column(v)):(column(0) - half):(column(0) + half):ytic(1) \
        with boxxyerror linecolor "#1f6fb2", \
    "" using (column(v) * 1.1):0:(sprintf("%.3g", column(v))) with labels left
