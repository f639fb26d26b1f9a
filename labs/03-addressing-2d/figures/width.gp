# Bandwidth of calibrate_image against the width of the image. Drawn by ./lab bench 03.
# size 760x420
# text lines x=width y=gb_per_s by=version
set title "calibrate_image: bandwidth against the width (".device.")"
set xlabel "width, pixels (multiples of 8: every row begins with a whole sector)"
set ylabel "bandwidth, GB/s"
set xtics 8
set yrange [0:*]
set key bottom left
plot for [v in "baseline reference student expert"] csv using "width":(only(v, column("gb_per_s"))) \
    with linespoints linetype look(v) title v
