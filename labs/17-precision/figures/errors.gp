# Rounding errors of sums of numbers in [0, 1), by the type and order of the additions.
#   labs/figures/draw labs/17-precision/figures/errors.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "errors.svg"
set datafile separator ","
set datafile commentschars "#"
set logscale x 2
set logscale y 10
set format y "10^{%T}"
set title "Rounding error of a sum, by type and order of its additions"
set xlabel "numbers in the sum"
set ylabel "relative error"
set xrange [2**4:2**20]
set yrange [1e-9:300]
set xtics ("16" 16, "256" 256, "4,096" 4096, "65,536" 65536, "1,048,576" 1048576)
set grid linecolor "#dddddd"
set border 3
set tics nomirror
set key left top reverse Left
plot "errors.csv" using "n":"half" with linespoints pointtype 7 pointsize 0.5 linewidth 2 \
        linecolor "#b02020" title "half, one after the other", \
    "" using "n":"running" with linespoints pointtype 5 pointsize 0.5 linewidth 2 \
        linecolor "#f0a830" title "float, one after the other", \
    "" using "n":"pairs" with linespoints pointtype 9 pointsize 0.6 linewidth 2 \
        linecolor "#5a9bd4" title "float, in pairs", \
    "" using "n":"compensated" with linespoints pointtype 13 pointsize 0.6 linewidth 2 \
        linecolor "#1f3f6f" title "float, compensated"
