# Time of the pipeline against the number of pieces. Drawn by ./lab bench 09.
# size 760x420
# text lines x=pieces y=gb_per_s_each_way by=version log=x
set title "pipeline over 3 streams: time against the number of pieces (".device.")"
set xlabel "pieces"
set ylabel "time, ms"
set logscale x 2
set yrange [0:*]
set key bottom right
plot for [v in "baseline reference student expert"] csv using "pieces":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
