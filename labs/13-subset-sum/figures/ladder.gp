# Time of ten columns of 25 million flags, version by version, as dots: the axis is logarithmic, and has no 0 to begin bars at.
#   labs/figures/draw labs/13-subset-sum/figures/ladder.gp
set terminal svg size 780,400 noenhanced font "sans-serif,14" background "white"
set output "ladder.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics ytics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "10 items, target 25 million, on one H200"
set xlabel "time, us: each line is ten times the one before"
set logscale x 10
set xrange [5:3000]
set mxtics 1
set yrange [*:*] reverse
set offsets 0, 0, 1, 0.6
set arrow from 119, graph 0 to 119, graph 1 nohead dashtype 2 linewidth 2 linecolor "#666666" back
set label "ten columns of bytes: 119" at 110, graph 0.96 right textcolor "#444444"
plot "ladder.csv" using (1000 * column("time_ms")):0:ytic(1) with points pointtype 7 pointsize 1.3 \
        linecolor "#1f6fb2", \
    "" using (1150 * column("time_ms")):0:(sprintf("%.3g", 1000 * column("time_ms"))) \
        with labels left
