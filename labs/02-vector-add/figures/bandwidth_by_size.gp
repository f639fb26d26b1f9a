# Bandwidth of the plain vector add against the number of elements.
#   labs/figures/draw labs/02-vector-add/figures/bandwidth_by_size.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "bandwidth_by_size.svg"
set datafile separator ","
set datafile commentschars "#"
set key bottom right
set grid ytics linecolor "#dddddd"
set border 3
set tics nomirror
set logscale x 2
set format x "2^{%L}"
set title "Vector add on one H200: short vectors use little of it"
set xlabel "elements (n)"
set ylabel "bandwidth, GB/s"
set yrange [0:4600]
set arrow from graph 0, first 4202 to graph 1, first 4202 nohead dashtype 2 linecolor "#888888"
set label "a device-to-device copy reaches 4202" at graph 0.02, first 4340 textcolor "#666666"
plot "bandwidth_by_size.csv" using "n":"bandwidth_gb_per_s" with linespoints \
    linewidth 2 pointtype 7 pointsize 0.5 linecolor "#1f6fb2" title "one element per thread, blocks of 256"
