# Local memory of kernels with many values, and their registers
#   labs/figures/draw labs/15-specialization/figures/local.gp
set terminal svg size 780,330 font "sans-serif,14" background "white"
set output "local.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set border 3
set tics nomirror
set ytics scale 0
set grid xtics linecolor "#dddddd"
set title "local memory, bytes a thread (nvcc 13.0, sm\\_90)"
set xrange [0:290]
set yrange [*:*] reverse
set offsets 0, 0, 0.5, 0.4
set style fill solid
half = 0.34
plot "local.csv" using (column("stack_bytes") / 2.0):0:(column("stack_bytes") / 2.0):(half):ytic(1) \
        with boxxyerror linecolor "#d95f02", \
    "" using (column("stack_bytes") + 3):0:(sprintf("%d   (%d registers)", column("stack_bytes"), column("registers"))) \
        with labels left
