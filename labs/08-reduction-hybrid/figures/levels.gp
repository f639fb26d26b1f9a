# The additions of sum_fast, from the elements down to *sum.
#   labs/figures/draw labs/08-reduction-hybrid/figures/levels.gp
set terminal svg size 760,560 font "sans-serif,16" background "white"
set output "levels.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set margins 0, 0, 0, 0
set xrange [-0.3:32.3]
set yrange [-0.9:9.3]
set style fill solid border linecolor "white"
y(level) = level eq "elements" ? 8 : level eq "threads" ? 6 : level eq "warps" ? 4 : \
           level eq "blocks" ? 2 : 0
colour(block, level) = block == 2 ? 0xc0392b : block == 0 ? 0x1f6fb2 : 0xb36b00
half = 0.36
# Thread 3 of block 0 as the example of a grid-stride loop.
set arrow from 3.5, 7.6 to 6.7, 6.45 linewidth 3 linecolor "#333333" front
set arrow from 19.5, 7.6 to 7.4, 6.42 linewidth 3 linecolor "#333333" front
do for [w = 0:3] {
    do for [t = 0:3] {
        set arrow from 8 * w + 2 * t + 1, 5.6 to 8 * w + 4, 4.42 nohead linewidth 1.5 linecolor "#666666"
    }
    set arrow from 8 * w + 4, 3.6 to 16 * (w / 2) + 8, 2.42 nohead linewidth 1.5 linecolor "#666666"
}
set arrow from 8, 1.6 to 14.6, 0.42 linewidth 2 linecolor "#333333"
set arrow from 24, 1.6 to 17.4, 0.42 linewidth 2 linecolor "#333333"
set label "32 elements, coloured by the block that adds them" at 0, 8.75
set label "each thread: a loop, in a register" at 32, 7.0 right
set label "each warp: shuffles" at 16, 4.68 center
set label "each block: through shared memory" at 16, 2.7 center
set label "the grid: one atomicAdd from each block" at 16, 1.38 center
plot "levels.csv" using ((column("first") + column("last")) / 2.0):(y(stringcolumn("level"))): \
        (column("first")):(column("last")):(y(stringcolumn("level")) - half): \
        (y(stringcolumn("level")) + half): \
        (colour(column("block"), stringcolumn("level"))) with boxxyerror linecolor rgb variable, \
    "" using ((column("first") + column("last")) / 2.0):(y(stringcolumn("level"))): \
        (stringcolumn("level") eq "elements" || stringcolumn("level") eq "threads" ? "" : stringcolumn("label")) \
        with labels textcolor "white", \
    "" using ((column("first") + column("last")) / 2.0):(y(stringcolumn("level"))): \
        (stringcolumn("level") eq "elements" ? stringcolumn("label") : "") with labels font ",14" textcolor "white", \
    "" using ((column("first") + column("last")) / 2.0):(y(stringcolumn("level"))): \
        (stringcolumn("level") eq "threads" ? "t".stringcolumn("label") : "") with labels textcolor "white"
