# Rounding error of a sum of floats, by the order of its additions.
#   labs/figures/draw labs/06-reduction-binary/figures/rounding.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "rounding.svg"
set datafile separator ","
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set format y "10^{%T}"
set title "Rounding error of a sum of floats, by order of its additions"
set xlabel "numbers"
set ylabel "relative error"
set xrange [2**10:2**26]
set yrange [1e-9:3]
set xtics 4
set grid linecolor "#dddddd"
set border 3
set tics nomirror
set key left top reverse Left
plot "rounding.csv" using "n":"running" with linespoints pointtype 7 pointsize 0.5 linewidth 2 \
        linecolor "#b02020" title "one after the other", \
    "" using "n":"one_block" with linespoints pointtype 7 pointsize 0.5 linewidth 2 \
        linecolor "#f0a830" title "by one block of 1024 threads", \
    "" using "n":"pairs" with linespoints pointtype 7 pointsize 0.5 linewidth 2 \
        linecolor "#1f6fb2" title "in pairs", \
    "" using "n":"allowed" with lines dashtype 2 linecolor "#777777" title "allowed by the grader"
