# Bandwidth of fused by the size of its blocks, for 2^26 elements on an H200
#   labs/figures/draw labs/11-occupancy/figures/block_size.gp
set terminal svg size 760,330 font "sans-serif,14" background "white"
set output "block_size.svg"
set datafile separator ","
set title "c = a + 2 b, 2^{26} elements, one a thread (H200)"
set xlabel "threads in a block"
set ylabel "bandwidth, GB/s"
set yrange [0:4800]
set border 3
set tics nomirror
set key top left
set style fill solid
set boxwidth 0.6
copy = 4202
plot "block_size.csv" using 0:"gb_per_s":xtic(1) with boxes linecolor "#1f6fb2" notitle, \
    "" using 0:(column("gb_per_s") + 130):(sprintf("%d", column("gb_per_s"))) with labels notitle, \
    copy with lines dashtype 2 linecolor "#555555" title "a copy on the device: 4202"
