# Task 3: differences of a sine, with the output beginning a third behind the input. Drawn by ./lab
# picture 10.
# size 760x360
# text points x=i y=expected,student
set title "differences: out == in + 200, n = 600"
set xlabel "i"
set ylabel "out[i]"
set yrange [-0.7:0.7]
set key top right
plot csv using "i":"expected" with lines linetype look("reference") title "expected", \
    csv using "i":"student" with lines linetype look("student") title "yours"
