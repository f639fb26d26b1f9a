# Time of one column against the elements of a thread. Drawn by ./lab bench 13.
# size 760x420
# text lines x=chunk y=time_us by=version log=x
set title "next_column: time against elements a thread (".device.")"
set xlabel "chunk"
set ylabel "time, us"
set logscale x 2
set yrange [0:*]
set key top right
plot for [v in "baseline reference student"] csv using "chunk":(only(v, column("time_us"))) \
    with linespoints linetype look(v) title v
