# Task 6: sum_of_squares of one number. Drawn by ./lab picture 16.
# size 760x330
# text lines x=x y=expected,student
set title "sum_of_squares of a vector of one element"
set xlabel "the element, in thousands"
set ylabel "its square, in 10^9"
set key top left
set xrange [0:160]
plot csv using (column("x") / 1000):(column("expected")) with lines linetype 2 title "expected", \
    csv using (column("x") / 1000):(column("student")) with linespoints linetype 1 title "yours"
