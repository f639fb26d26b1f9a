# Largest errors of sines against the angle, by the way they are computed.
#   labs/figures/draw labs/17-precision/figures/sine.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "sine.svg"
set datafile separator ","
set datafile commentschars "#"
set logscale x 10
set logscale y 10
set format x "10^{%T}"
set format y "10^{%T}"
set title "Largest error of sin(x), by angle"
set xlabel "x, radians"
set ylabel "largest error"
set xrange [0.125:1e6]
set yrange [3e-9:300]
set grid linecolor "#dddddd"
set border 3
set tics nomirror
set key left top reverse Left
set arrow from pi, 3e-9 to pi, 3e-3 nohead dashtype 2 linecolor "#777777"
set label "pi" at pi * 1.15, 6e-9 textcolor "#777777"
plot "sine.csv" using "x":"intrinsic" with linespoints pointtype 7 pointsize 0.5 linewidth 2 \
        linecolor "#b02020" title "__sinf" noenhanced, \
    "" using "x":"one_float" with linespoints pointtype 5 pointsize 0.5 linewidth 2 \
        linecolor "#f0a830" title "turns taken off, 2 pi as one float", \
    "" using "x":"two_floats" with linespoints pointtype 9 pointsize 0.6 linewidth 2 \
        linecolor "#1f6fb2" title "turns taken off, 2 pi in two parts", \
    "" using "x":"sinf" with linespoints pointtype 13 pointsize 0.6 linewidth 2 \
        linecolor "#777777" title "sinf"
