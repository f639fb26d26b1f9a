# Bandwidth of versions of the vector add, as bars.
#   labs/figures/draw labs/02-vector-add/figures/bandwidth_by_version.gp
set terminal svg size 760,460 font "sans-serif,14" background "white"
set output "bandwidth_by_version.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Vector add on one H200: 33.5 million elements, by version"
set xlabel "bandwidth, GB/s"
set xrange [0:4900]
set yrange [*:*] reverse
set style fill solid
set arrow from 4202, graph 0 to 4202, graph 1 nohead dashtype 2 linecolor "#888888" front
set label "copy: 4202" at 4230, graph 0.97 textcolor "#666666"
half = 0.36
inside(value) = value > 3700  # next to the bar the number would lie on the line
shown(value) = sprintf("%.4g", value)
plot "bandwidth_by_version.csv" \
    using (0.5 * column("bandwidth_gb_per_s")):0:(0.5 * column("bandwidth_gb_per_s")):(half):ytic(1) \
    with boxxyerror linecolor "#1f6fb2", \
    "" using (inside(column("bandwidth_gb_per_s")) ? 1 / 0 : column("bandwidth_gb_per_s") + 40):0: \
        (shown(column("bandwidth_gb_per_s"))) with labels left, \
    "" using (inside(column("bandwidth_gb_per_s")) ? column("bandwidth_gb_per_s") - 40 : 1 / 0):0: \
        (shown(column("bandwidth_gb_per_s"))) with labels right textcolor "white"
