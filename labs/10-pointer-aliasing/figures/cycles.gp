# Time of anneal against the number of cycles. Drawn by ./lab bench 10.
# size 760x420
set title "anneal: time against cycles (".device.")"
set xlabel "cycles of four baths"
set ylabel "ms"
set logscale xy 2
set format y "%.3g"
set key top left
plot for [v in "baseline reference student"] csv using "cycles":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
