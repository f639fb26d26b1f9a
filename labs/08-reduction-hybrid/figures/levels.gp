# The additions of sum_fast, from the elements down to *sum.
#   cd labs/08-reduction-hybrid/figures && gnuplot levels.gp
set terminal svg size 860,430 font "sans-serif,14" background "white"
set output "levels.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set margins 1, 1, 1, 1
set xrange [-0.5:46]
set yrange [-0.9:8.9]
set style fill solid border linecolor "white"
y(level) = level eq "elements" ? 8 : level eq "threads" ? 6 : level eq "warps" ? 4 : \
           level eq "blocks" ? 2 : 0
colour(block, level) = block == 2 ? 0xc0392b : block == 0 ? 0x1f6fb2 : 0xd98a1a
half = 0.38
# Thread 3 of block 0 as the example of a grid-stride loop.
set arrow from 3.5, 7.55 to 6.6, 6.45 linewidth 2 linecolor "#555555" front
set arrow from 19.5, 7.55 to 7.4, 6.45 linewidth 2 linecolor "#555555" front
do for [w = 0:3] {
    do for [t = 0:3] {
        set arrow from 8 * w + 2 * t + 1, 5.55 to 8 * w + 4, 4.45 nohead linecolor "#aaaaaa"
    }
    set arrow from 8 * w + 4, 3.55 to 16 * (w / 2) + 8, 2.45 nohead linecolor "#aaaaaa"
}
set arrow from 8, 1.55 to 15, 0.45 linecolor "#555555"
set arrow from 24, 1.55 to 17, 0.45 linecolor "#555555"
x = 33.2
set label "elements of a" at x, 8
set label "each thread: a loop," at x, 7.15 textcolor "#777777"
set label "in a register" at x, 6.7 textcolor "#777777"
set label "threads of a block" at x, 6
set label "each warp: shuffles" at x, 5 textcolor "#777777"
set label "warps" at x, 4
set label "each block: through" at x, 3.2 textcolor "#777777"
set label "shared memory" at x, 2.75 textcolor "#777777"
set label "blocks" at x, 2
set label "the grid: one atomicAdd" at x, 1.2 textcolor "#777777"
set label "from each block" at x, 0.75 textcolor "#777777"
set label "the result" at x, 0
plot "levels.csv" using ((column("first") + column("last")) / 2.0):(y(stringcolumn("level"))): \
        (column("first")):(column("last")):(y(stringcolumn("level")) - half): \
        (y(stringcolumn("level")) + half): \
        (colour(column("block"), stringcolumn("level"))) with boxxyerror linecolor rgb variable, \
    "" using ((column("first") + column("last")) / 2.0):(y(stringcolumn("level"))): \
        (stringcolumn("label")) with labels font ",10" textcolor "white"
