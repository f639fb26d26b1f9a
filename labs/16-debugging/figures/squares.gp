# Task 6: sum_of_squares of one number. Drawn by ./lab picture 16.
# size 760x330
# text lines x=x y=expected,student
set title "sum_of_squares of a vector of one element"
set xlabel "the element"
set ylabel "its square, in 10^9"
set key top left
set xrange [0:160000]
set format x "%.0f"
plot csv using "x":"expected" with lines linetype 2 title "expected", \
    csv using "x":"student" with linespoints linetype 1 title "yours"
