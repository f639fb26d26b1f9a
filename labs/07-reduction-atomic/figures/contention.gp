# Time of the histogram against the number of bins, all equally often. Drawn by ./lab bench 07.
# size 760x420
# text lines x=bins y=time_ms by=version log=xy
set title "histogram: time against the number of bins (".device.")"
set xlabel "bins"
set ylabel "time, ms"
set logscale x 2
set logscale y 10
set key top right
plot for [v in "baseline reference student expert"] csv using "bins":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
