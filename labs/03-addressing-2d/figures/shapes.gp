# Sectors that a warp's 32 stores move, against the shape of the block.
#   labs/figures/draw labs/03-addressing-2d/figures/shapes.gp
set terminal svg size 760,420 font "sans-serif,14" background "white"
set output "shapes.svg"
set datafile separator ","
set datafile commentschars "#"
set key top left reverse Left
set grid ytics linecolor "#dddddd"
set border 3
set tics nomirror
set xtics scale 0 font ",11"
set title "Sectors that one store of a warp moves, by shape of the block"
set xlabel "threads of a block, along x times along y"
set ylabel "sectors per request"
set yrange [0:36]
set ytics 4
set xrange [-0.6:8.6]
set style fill solid
set style data histograms
set style histogram clustered gap 1
set boxwidth 0.9
plot "shapes.csv" using "width 1024":xtic(1) linecolor rgb "#1f6fb2" title "width 1024", \
    "" using "width 1021" linecolor rgb "#d95f02" title "width 1021", \
    "" using "width 1021 with a pitch of 1024" linecolor rgb "#7fbde8" \
    title "width 1021 with a pitch of 1024"
