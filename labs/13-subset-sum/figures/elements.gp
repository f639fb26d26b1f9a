# Every element as it was written and as it should be. Drawn by ./lab picture 13.
# size 760x400
# text points x=i y=expected,student
set title "b[i] = 2 a[i], n = 300"
set xlabel "i"
set ylabel "b[i]"
set key outside top right horizontal
plot csv using "i":"expected" with points linetype look("reference") title "expected", \
    csv using "i":"student" with points linetype look("student") title "yours"
