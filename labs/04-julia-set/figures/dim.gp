# The time of an image against its size. Drawn by ./lab bench 04.
# size 760x420
# text lines x=dim y=time_ms by=version log=xy
set title "launch_julia_set: time against dim (".device.")"
set xlabel "pixels a side (dim)"
set ylabel "time, ms"
set logscale x 2
set logscale y
set format y "%g"
set key top left
plot for [v in "baseline reference expert student"] csv using "dim":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
