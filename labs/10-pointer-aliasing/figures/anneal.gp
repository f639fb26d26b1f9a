# Task 1: three parts on their way through the baths. Drawn by ./lab picture 10.
# size 760x380
# text points x=cycles y=expected,student
set title "anneal: temperature of three parts against cycles"
set xlabel "cycles of four baths"
set ylabel "temperature"
set yrange [0:1]
set xtics 8
set key top right
part(p, value) = column("part") == p ? value : NaN
plot for [p = 0:2] csv using "cycles":(part(p, column("expected"))) with lines \
        linetype look("reference") title (p == 0 ? "expected" : ""), \
    for [p = 0:2] csv using "cycles":(part(p, column("student"))) with linespoints \
        linetype look("student") title (p == 0 ? "yours" : "")
