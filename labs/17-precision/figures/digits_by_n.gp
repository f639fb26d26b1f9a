# Right digits of sums against n: the student's, and others. Needs: heading, mine, first, second.
set title heading
set xlabel "elements (n)"
set ylabel "right decimal digits"
set logscale x 2
set format x "2^%L"
set yrange [0:12]
set ytics 0, 3, 9
set key top left
plot csv using "n":(strcol("version") eq mine ? column("digits") : 1 / 0) \
        with linespoints pointtype 7 linewidth 2 linecolor rgb "#1f6fb2" title mine, \
    csv using "n":(strcol("version") eq first ? column("digits") : 1 / 0) \
        with linespoints pointtype 5 linewidth 1 linecolor rgb "#d95f02" title first, \
    csv using "n":(strcol("version") eq second ? column("digits") : 1 / 0) \
        with linespoints pointtype 9 linewidth 1 linecolor rgb "#777777" title second
