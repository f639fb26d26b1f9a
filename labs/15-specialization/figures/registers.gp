# Registers and local memory of the student's kernels, as bars. Drawn by ./lab picture 15.
# size 900x1000
# text bars label=kernel value=registers
# text bars label=kernel value=local_bytes
set title "each thread: registers (blue), bytes of local memory (orange)" noenhanced
unset key
unset grid
set grid xtics linetype 1 linewidth 1 linecolor "#dddddd"
set ytics scale 0 noenhanced
set xrange [0:*]
set yrange [*:*] reverse
set offsets 0, graph 0.12, 0.4, 0.4
set style fill solid
apart = 0.21
half = 0.18
shown(bytes) = bytes > 0 ? sprintf("%d bytes", bytes) : ""
plot csv using (column("registers") / 2.0):($0 - apart):(column("registers") / 2.0):(half):ytic(1) \
        with boxxyerror linecolor "#1f6fb2", \
    csv using "registers":($0 - apart):(sprintf("%d", column("registers"))) with labels left offset char 0.6, 0 font ",10", \
    csv using (column("local_bytes") / 2.0):($0 + apart):(column("local_bytes") / 2.0):(half) \
        with boxxyerror linecolor "#d95f02", \
    csv using "local_bytes":($0 + apart):(shown(column("local_bytes"))) with labels left offset char 0.6, 0 font ",10"
