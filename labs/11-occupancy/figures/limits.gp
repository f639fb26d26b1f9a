# Warps that fit on a multiprocessor, by threads in a block, from the student's block_limits. Drawn by ./lab picture 11.
# size 760x460
# text lines x=threads y=warps by=what
set datafile separator ","
set title "Warps on a multiprocessor (8 bytes of shared memory a thread)"
set xlabel "threads in a block"
set ylabel "warps at once"
set xrange [0:1056]
set yrange [0:70]
set xtics 128
set key below
of(w) = stringcolumn("what") eq w ? column("warps") : 1/0
plot csv using "threads":(of("by_threads")) with lines linewidth 2 linecolor "#999999" title "places for threads", \
    "" using "threads":(of("by_blocks")) with lines linewidth 2 dashtype 3 linecolor "#555555" title "places for blocks", \
    "" using "threads":(of("by_registers")) with lines linewidth 2 dashtype 2 linecolor "#e69f00" title "registers", \
    "" using "threads":(of("resident")) with points pointtype 7 linecolor "#1f6fb2" title "expected: the lowest of all"
