# How far the student's sum is off, next to one growing float. Drawn by ./lab picture 06.
# size 760x420
# text lines x=n y=growing,allowed,student log=xy least=1e-10
set title "sum: relative error against n, numbers between 0.1 and 0.1001"
set xlabel "numbers"
set ylabel "relative error"
set logscale x 2
set logscale y 10
set format x "2^%L"
set format y "1e%T"
set xrange [2**4:2**20]
set yrange [1e-10:1]
set key left top
# A sum that is right to the last bit has no place on a logarithmic scale: it is drawn at the bottom.
shown(e) = e < 1e-10 ? 1e-10 : e
plot csv using "n":(shown(column("growing"))) with linespoints linetype 3 title "one growing float", \
    csv using "n":"allowed" with lines linetype 3 dashtype 2 title "allowed", \
    csv using "n":(shown(column("student"))) with linespoints linetype 1 title "yours"
