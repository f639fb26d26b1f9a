# Time of run for each combination of flags. Drawn by ./lab bench 15.
# size 760x420
# text lines x=flags y=time_ms by=version log=y
set title "run: time by flags (".device.")"
set xlabel "flags: kClamp 1, kSpread 2, kInvert 4" noenhanced
set ylabel "time, ms"
set logscale y
set xtics 1
set key top left
plot for [v in "baseline reference student expert"] csv using "flags":(only(v, column("time_ms"))) \
    with points linetype look(v) pointsize 1.4 title v
