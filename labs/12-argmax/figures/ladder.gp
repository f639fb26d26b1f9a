# Bandwidth of searches for the maximum and its index, as bars, and of a search without the index.
#   labs/figures/draw labs/12-argmax/figures/ladder.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "ladder.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "argmax of 2^28 floats on one H200" noenhanced
set xlabel "bandwidth, GB/s"
set xrange [0:5000]
set yrange [*:*] reverse
set style fill solid
half = 0.36
inside(value) = value > 3500
shown(value) = sprintf("%.4g", value)
plot "ladder.csv" \
    using (0.5 * column("bandwidth_gb_per_s")):0:(0.5 * column("bandwidth_gb_per_s")):(half):ytic(1) \
    with boxxyerror linecolor "#1f6fb2", \
    "" using (inside(column("bandwidth_gb_per_s")) ? 1 / 0 : column("bandwidth_gb_per_s") + 60):0: \
        (shown(column("bandwidth_gb_per_s"))) with labels left, \
    "" using (inside(column("bandwidth_gb_per_s")) ? column("bandwidth_gb_per_s") - 60 : 1 / 0):0: \
        (shown(column("bandwidth_gb_per_s"))) with labels right textcolor "white"
