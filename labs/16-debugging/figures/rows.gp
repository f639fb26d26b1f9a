# Task 4: how much of the result is right, for rows of different widths. Drawn by ./lab picture 16.
# size 760x300
# text lines x=width y=right
set title "from_first: elements that are right"
set xlabel "width of a row"
set ylabel "% right"
set yrange [-4:104]
set xrange [0:2100]
set xtics 256
unset key
plot csv using "width":"right" with linespoints linetype 1
