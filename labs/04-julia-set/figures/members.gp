# The members that julia_set found, as points: gnuplot's picture of julia.dat. Drawn by ./lab
# picture 04.
# size 620x520
# text points x=re y=im
set title "julia_set: the members, dim = 600, scale = 1.5"
unset key
unset grid
set size ratio -1
set xrange [-1.5:1.5]
set yrange [-1.1:1.1]
set xlabel "re"
set ylabel "im"
plot csv using "re":"im" with points pointtype 0 pointsize 0.1 linecolor "#1f6fb2"
