# Roofline: speed against operations per byte of memory traffic. k grows from
# left to right. Drawn by ./lab bench 05.
# size 760x460
# text lines x=operations_per_byte y=tflops by=version log=xy
set title "matmul_coarsened, square c, k grows from point to point (".device.")"
set xlabel "operations a byte, at best"
set ylabel "speed, TFLOP/s"
set logscale xy
set key bottom right
# One H200: device-to-device copy; cuBLAS in float arithmetic at n = 4096.
copy_gb_per_s = 4202.0
cublas_tflops = 51.0
roof(x) = x * copy_gb_per_s / 1000 < cublas_tflops ? x * copy_gb_per_s / 1000 : cublas_tflops
set xrange [1:300]
set yrange [0.3:100]
set label 1 "limit of an H200's memory" at 1.4, 9 rotate by 32 textcolor "#666666"
set label 2 "cuBLAS on an H200" at 25, 66 textcolor "#666666"
plot roof(x) with lines linetype 1 linecolor "#888888" dashtype 2 title "", \
    for [v in "baseline reference student expert"] \
        csv using "operations_per_byte":(only(v, column("tflops"))) \
        with linespoints linetype look(v) title v
