# Speed of power_sums against the number of elements. Drawn by ./lab bench 11.
# size 760x420
# text lines x=n y=tflops by=version log=x
set title "power_sums: speed against n (".device.")"
set xlabel "elements (n)"
set ylabel "TFLOP/s"
set logscale x 2
set format x "2^%L"
set yrange [0:*]
set key top left
plot for [v in "baseline reference student expert blocks-of-256 a-grid-stride-loop launch-bounds"] csv \
    using "n":(only(v, column("tflops"))) with linespoints linetype look(v) title v
