# Right digits of sines against the largest angle. Drawn by ./lab picture 17.
# size 760x420
# text lines x=angle y=digits by=version log=x
set title "sines: right digits after the point, at worst"
set xlabel "angles up to, radians"
set ylabel "right decimal digits"
set logscale x 2
set format x "2^%L"
set yrange [0:12]
set ytics 0, 3, 9
set key top left
plot csv using "angle":(strcol("version") eq "sines" ? column("digits") : 1 / 0) \
        with linespoints pointtype 7 linewidth 2 linecolor rgb "#1f6fb2" title "sines", \
    csv using "angle":(strcol("version") eq "asked for" ? column("digits") : 1 / 0) \
        with lines linewidth 1 dashtype 2 linecolor rgb "#777777" title "asked for"
