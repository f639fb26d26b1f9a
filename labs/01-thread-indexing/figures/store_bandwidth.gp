# Bandwidth of versions of global_ids, as bars; 4 bytes written for each element.
#   labs/figures/draw labs/01-thread-indexing/figures/store_bandwidth.gp
set terminal svg size 760,480 font "sans-serif,14" background "white"
set output "store_bandwidth.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "global_ids on one H200: 100 million ids, by version" noenhanced
set xlabel "bandwidth, GB/s"
set xrange [0:5200]
set yrange [*:*] reverse
set style fill solid
half = 0.36
plot "store_bandwidth.csv" \
    using (0.5 * column("bandwidth_gb_per_s")):0:(0.5 * column("bandwidth_gb_per_s")):(half):ytic(1) \
    with boxxyerror linecolor "#1f6fb2", \
    "" using (column("bandwidth_gb_per_s") + 40):0:(sprintf("%.4g", column("bandwidth_gb_per_s"))) \
    with labels left
