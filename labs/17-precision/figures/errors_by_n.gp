# Errors of sums against n: the student's, and others. Needs: heading, mine, others.
set title heading
set xlabel "elements (n)"
set ylabel "relative error"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set format y "10^{%T}"
set yrange [5e-10:3]
set key top left
plot csv using "n":(strcol("version") eq mine ? column("error") : 1 / 0) \
        with linespoints pointtype 7 linewidth 3 linecolor rgb "#1f6fb2" title mine, \
    csv using "n":(strcol("version") eq word(others, 1) ? column("error") : 1 / 0) \
        with linespoints pointtype 5 linecolor rgb "#d95f02" title word(others, 1), \
    csv using "n":(strcol("version") eq word(others, 2) ? column("error") : 1 / 0) \
        with linespoints pointtype 9 linecolor rgb "#777777" title word(others, 2)
