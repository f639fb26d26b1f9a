# The student's histogram next to the right one. Drawn by ./lab picture 07.
# size 760x380
# text bars label=bin value=student expected=expected
set title "histogram: n = 2000, 24 bins; well over half of the keys are 0"
set xlabel "bin"
set ylabel "keys"
set xrange [-0.7:23.7]
set yrange [0:*]
set xtics 0, 2, 23
set key top right
set style fill solid
plot csv using (column("bin") - 0.2):"expected":(0.38) with boxes linecolor "#1f6fb2" title "expected", \
    csv using (column("bin") + 0.2):"student":(0.38) with boxes linecolor "#d95f02" title "yours"
