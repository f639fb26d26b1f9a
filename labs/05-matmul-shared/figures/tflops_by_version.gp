# Speed of versions of the matrix product at n = 2048, as bars.
#   labs/figures/draw labs/05-matmul-shared/figures/tflops_by_version.gp
set terminal svg size 760,330 font "sans-serif,14" background "white"
set output "tflops_by_version.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Product of two 2048 x 2048 matrices of floats on one H200"
set xlabel "speed, TFLOP/s"
set xrange [0:58]
set yrange [*:*] reverse
set offsets 0, 0, 0.3, 0.3
set style fill solid
half = 0.36
plot "tflops_by_version.csv" \
    using (0.5 * column("n_2048_tflops")):0:(0.5 * column("n_2048_tflops")):(half):ytic(1) \
    with boxxyerror linecolor "#1f6fb2", \
    "" using (column("n_2048_tflops") + 0.5):0:(sprintf("%.3g", column("n_2048_tflops"))) \
    with labels left
