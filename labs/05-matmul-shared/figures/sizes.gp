# Speed of the square matrix product against n. Drawn by ./lab bench 05.
# size 760x420
# text lines x=n y=tflops by=version log=x
set title "matmul_coarsened, m = k = n: speed against n (".device.")"
set xlabel "n"
set ylabel "speed, TFLOP/s"
set logscale x 2
set yrange [0:*]
set key top left
plot for [v in "baseline reference student expert"] csv using "n":(only(v, column("tflops"))) \
    with linespoints linetype look(v) title v
