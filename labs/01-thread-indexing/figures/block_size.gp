# Bandwidth of global_ids against the block size, 4 bytes written an element. Drawn by ./lab bench 01.
# size 760x420
# text lines x=threads_per_block y=gb_per_s by=version log=x
set title "global_ids: bandwidth against the block size (".device.")"
set xlabel "threads in a block"
set ylabel "bandwidth, GB/s"
set logscale x 2
set xrange [24:1400]
set yrange [0:*]
set xtics (32, 64, 128, 256, 512, 1024)
set key top left
plot for [v in "baseline reference student"] csv using "threads_per_block":(only(v, column("gb_per_s"))) \
    with linespoints linetype look(v) title v
