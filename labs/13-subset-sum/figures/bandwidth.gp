# Bandwidth against the number of elements. Drawn by ./lab bench 13.
# size 760x420
# text lines x=n y=gb_per_s by=version log=x
set title "launch_subset_sum: bandwidth against n (".device.")"
set xlabel "elements (n)"
set ylabel "GB/s"
set logscale x 2
set format x "2^%L"
set yrange [0:*]
set key top left
plot for [v in "baseline reference student"] csv using "n":(only(v, column("gb_per_s"))) \
    with linespoints linetype look(v) title v
