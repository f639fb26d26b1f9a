# Time of ten columns of 25 million flags against the elements of a thread, round-robin and consecutive, on one H200.
#   labs/figures/draw labs/13-subset-sum/figures/time_by_chunk.gp
set terminal svg size 780,360 font "sans-serif,14" background "white"
set output "time_by_chunk.svg"
set datafile separator ","
set datafile commentschars "#"
set border 3
set tics nomirror
set grid ytics linecolor "#dddddd"
set title "Ten columns of 25 million flags on one H200" noenhanced
set xlabel "chunk: elements a thread"
set ylabel "time, ms"
set logscale x 2
set xrange [0.9:72]
set yrange [0:3.4]
set key top left
plot "time_by_chunk.csv" using "chunk":"consecutive_ms" with linespoints linewidth 2 pointtype 4 \
        pointsize 1.2 linecolor "#d95f02" title "consecutive elements", \
    "" using "chunk":"round_robin_ms" with linespoints linewidth 3 pointtype 7 pointsize 1.2 \
        linecolor "#1f6fb2" title "round-robin (task 3)", \
    "" using "chunk":(column("round_robin_ms") - 0.2):(sprintf("%.2f", column("round_robin_ms"))) \
        with labels textcolor "#1f6fb2" font ",12" notitle
