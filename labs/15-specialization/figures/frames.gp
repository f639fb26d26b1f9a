# Time of blend against the number of frames. Drawn by ./lab bench 15.
# size 760x420
# text lines x=count y=time_ms by=version
set title "blend: time by frames (".device.")"
set xlabel "frames"
set ylabel "time, ms"
set yrange [0:*]
set xtics 1
set key bottom right
plot for [v in "baseline reference student expert"] csv using "count":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
