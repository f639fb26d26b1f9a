# Loads and stores of one thread of anneal, by the promises made.
#   labs/figures/draw labs/10-pointer-aliasing/figures/accesses.gp
set terminal svg noenhanced size 760,430 font "sans-serif,13" background "white"
set output "accesses.svg"
set datafile separator ","
set datafile commentschars "#"
set key at graph 0.98, 0.45 right reverse Left
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set xrange [0:580]
set yrange [*:*] reverse
set offsets 0, 0, 0.6, 0.6
set title "256 steps of anneal: loads and stores of one thread"
set xlabel "accesses of one thread to global memory"
set style fill solid
plot "accesses.csv" using (1):(column(0) - 0.19):(0):(column("loads")): \
        (column(0) - 0.36):(column(0) - 0.02):ytic(1) \
        with boxxyerror linecolor "#1f6fb2" title "loads", \
    "" using (1):(column(0) + 0.19):(0):(column("stores")):(column(0) + 0.02):(column(0) + 0.36) \
        with boxxyerror linecolor "#d95f02" title "stores", \
    "" using (column("loads") + 5):(column(0) - 0.19):(sprintf("%d", column("loads"))) \
        with labels left font ",11" notitle, \
    "" using (column("stores") + 5):(column(0) + 0.19):(sprintf("%d", column("stores"))) \
        with labels left font ",11" notitle
