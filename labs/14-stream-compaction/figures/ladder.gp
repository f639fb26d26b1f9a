# Bandwidth of both compactions, by version, as bars.
#   labs/figures/draw labs/14-stream-compaction/figures/ladder.gp
set terminal svg size 760,400 font "sans-serif,14" background "white"
set output "ladder.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Half of 2^28 floats are kept. Orange: in order" noenhanced
set xlabel "bandwidth, GB/s"
set xrange [0:4000]
set yrange [*:*] reverse
set style fill solid
half = 0.36
tint(order) = order eq "any" ? 0x1f6fb2 : 0xd95f02
inside(value) = value > 2500
shown(value) = sprintf("%.4g", value)
plot "ladder.csv" \
    using (0.5 * column("bandwidth_gb_per_s")):0:(0.5 * column("bandwidth_gb_per_s")):(half): \
        (tint(stringcolumn("order"))):ytic(2) with boxxyerror linecolor rgb variable, \
    "" using (inside(column("bandwidth_gb_per_s")) ? 1 / 0 : column("bandwidth_gb_per_s") + 50):0: \
        (shown(column("bandwidth_gb_per_s"))) with labels left, \
    "" using (inside(column("bandwidth_gb_per_s")) ? column("bandwidth_gb_per_s") - 50 : 1 / 0):0: \
        (shown(column("bandwidth_gb_per_s"))) with labels right textcolor "white"
