# Rounding errors of the student's float sums, next to one growing float. Drawn by ./lab picture 07.
# size 760x420
# text lines x=n y=growing,one_each,block_first log=xy least=1e-10
set title "your sums: relative error against n, numbers between 0.1 and 0.1001"
set xlabel "numbers"
set ylabel "relative error"
set logscale x 2
set logscale y 10
set format x "2^%L"
set format y "1e%T"
set xrange [2**8:2**18]
set yrange [1e-10:0.1]
set key left top
# A sum that is right to the last bit has no place on a logarithmic scale: it is drawn at the bottom.
shown(e) = e < 1e-10 ? 1e-10 : e
plot csv using "n":(shown(column("growing"))) with linespoints linetype 2 title "one growing float", \
    csv using "n":(shown(column("one_each"))) with linespoints linetype 1 title "your sum_of_floats", \
    csv using "n":(shown(column("block_first"))) with linespoints linetype 4 title "your block_first_sum"
