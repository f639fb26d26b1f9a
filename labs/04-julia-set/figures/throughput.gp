# Steps of orbits a second, by how long the lanes of a warp wait for each other.
#   labs/figures/draw labs/04-julia-set/figures/throughput.gp
set terminal svg size 760,250 font "sans-serif,14" background "white"
set output "throughput.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set lmargin 34
set rmargin 3
set grid xtics linecolor "#dddddd"
set border 3
set tics nomirror
set ytics scale 0
set title "Steps per second on one H200: the cost of waiting"
set xlabel "steps that count, billions per second"
set xrange [0:3800]
set yrange [2.6:-0.6]
set style fill solid
plot "throughput.csv" using (0.5 * column("billion_steps_per_s")):0: \
        (0.5 * column("billion_steps_per_s")):(0.36):ytic(1) with boxxyerror linecolor "#1f6fb2", \
    "" using (column("billion_steps_per_s") + 20):0:(sprintf("%d", column("billion_steps_per_s"))) \
        with labels left
