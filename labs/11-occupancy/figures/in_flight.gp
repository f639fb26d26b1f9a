# Bandwidth of reading, by warps on a multiprocessor and loads that each has on its way (H200)
#   labs/figures/draw labs/11-occupancy/figures/in_flight.gp
set terminal svg size 760,400 font "sans-serif,14" background "white"
set output "in_flight.svg"
set datafile separator ","
set title "Reading 2^{28} floats (H200)"
set xlabel "warps on each multiprocessor"
set ylabel "bandwidth, GB/s"
set xrange [0:66]
set yrange [0:4800]
set xtics 8
set border 3
set tics nomirror
set key outside right center title "loads in flight\n a thread"
with_loads(n) = column("loads") == n ? column("gb_per_s") : 1/0
plot for [n in "8 4 2 1"] "in_flight.csv" using "warps":(with_loads(int(n))) \
    with linespoints linewidth 2 title n
