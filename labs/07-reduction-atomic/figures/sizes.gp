# Time of the student's float sums against n, next to a tree. Drawn by ./lab bench 07.
# size 760x420
# text lines x=n y=time_us by=version log=xy
set title "sums of few numbers: time against n (".device.")"
set xlabel "elements (n)"
set ylabel "time, us"
set logscale x 2
set logscale y 10
set format x "2^%L"
set key top left
plot csv using "n":(only("one atomic each", column("time_us"))) with linespoints linetype 1 \
        title "your sum_of_floats", \
    csv using "n":(only("shared first", column("time_us"))) with linespoints linetype 4 \
        title "your block_first_sum", \
    csv using "n":(only("tree-then-atomic", column("time_us"))) with linespoints linetype 3 \
        title "tree, one atomic a block"
