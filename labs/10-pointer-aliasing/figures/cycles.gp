# Time of anneal against the number of cycles. Drawn by ./lab bench 10.
# size 760x420
# text lines x=cycles y=time_ms by=version log=xy
set title "anneal: time against cycles (".device.")"
set xlabel "cycles of four baths"
set ylabel "time, ms"
set logscale x 2
set logscale y
set format y "%g"
set key top left
plot for [v in "baseline reference student expert"] csv using "cycles":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
