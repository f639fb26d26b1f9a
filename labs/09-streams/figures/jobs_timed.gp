# Time of run_jobs against the number of jobs. Drawn by ./lab bench 09.
# size 760x420
# text lines x=jobs y=time_ms by=version
set title "run_jobs: time against the number of jobs (".device.")"
set xlabel "jobs"
set ylabel "time, ms"
set xtics (1, 2, 4, 8, 16)
set yrange [0:*]
set key top left
plot for [v in "baseline reference student expert"] csv using "jobs":(only(v, column("time_ms"))) \
    with linespoints linetype look(v) title v
