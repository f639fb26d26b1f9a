# Registers of run's kernel, with its flags at run time and as a template's parameter
#   labs/figures/draw labs/15-specialization/figures/flag_registers.gp
set terminal svg size 780,300 font "sans-serif,14" background "white"
set output "flag_registers.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set border 3
set tics nomirror
set ytics scale 0
set grid xtics linecolor "#dddddd"
set title "run: registers a thread (nvcc 13.0, sm\\_90)"
set xrange [0:70]
set yrange [*:*] reverse
set offsets 0, 0, 0.5, 0.4
set style fill solid
set arrow from 32, graph 0 to 32, graph 1 nohead dashtype 2 linewidth 2 linecolor "#555555" front
set label "32 or fewer: room for 2048 threads" at 33, 3.5 textcolor "#444444" front
half = 0.34
# At run time, or an instance with the expensive part, or one without.
colour(row) = row < 2 ? 0x999999 : 0x1f6fb2
plot "flag_registers.csv" using (column("registers") / 2.0):0:(column("registers") / 2.0):(half):(colour($0)):ytic(1) \
        with boxxyerror linecolor rgb variable, \
    "" using (column("registers") + 1):0:(sprintf("%d", column("registers"))) with labels left
