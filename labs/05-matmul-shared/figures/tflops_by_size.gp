# Speed of the square matrix product against n.
#   labs/figures/draw labs/05-matmul-shared/figures/tflops_by_size.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "tflops_by_size.svg"
set datafile separator ","
set datafile commentschars "#"
set key top left
set grid ytics linecolor "#dddddd"
set border 3
set tics nomirror
set logscale x 2
set title "Square products of n x n floats on one H200"
set xlabel "n"
set ylabel "TFLOP/s"
set yrange [0:58]
# Shapes as well as colours tell the versions apart.
array shape[5] = [4, 8, 7, 5, 11]
array colour[5] = ["#9a8a6a", "#1f6fb2", "#2a9d63", "#d95f02", "#7a5bb0"]
plot for [i = 2:6] "tflops_by_size.csv" using 1:i with linespoints linewidth 2 pointtype shape[i - 1] \
    pointsize 0.7 linecolor rgb colour[i - 1] title columnheader(i)
