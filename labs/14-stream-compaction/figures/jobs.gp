# Jobs a microsecond against their number. Drawn by ./lab bench 14.
# size 760x420
# text lines x=jobs y=jobs_per_us by=version log=x
set title "append: jobs a microsecond (".device.")"
set xlabel "jobs"
set ylabel "jobs a microsecond"
set logscale x
set yrange [0:*]
set key top left
plot for [v in "baseline reference student expert"] csv using "jobs":(only(v, column("jobs_per_us"))) \
    with linespoints linetype look(v) title v
