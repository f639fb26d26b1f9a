# 1000 elements, and the four blocks of 256 threads that cover them.
#   cd labs/02-vector-add/figures && gnuplot grid.gp
set terminal svg size 760,230 font "sans-serif,14" background "white"
set output "grid.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set xrange [-20:1070]
set yrange [-0.6:2.35]
set style fill solid border linecolor "white"
works = 0x1f6fb2
idle = 0xd9d9d9
colour(s) = s eq "works" ? works : idle
name(b, s) = s eq "works" ? sprintf("block %d", b) : ""
set label "threads" at -15, 2.1 left
set label "elements" at 500, -0.25 center
set label "0" at 2, -0.25 left
set label "n - 1 = 999" at 998, -0.25 right
set label "24 threads without an element" at 1024, 2.1 right textcolor "#777777"
set object 1 rectangle from 0, 0 to 1000, 0.55 fillcolor rgb "#f0a830" fillstyle solid noborder
set arrow from 128, 1.0 to 128, 0.6 linecolor "#555555"
set arrow from 384, 1.0 to 384, 0.6 linecolor "#555555"
set arrow from 640, 1.0 to 640, 0.6 linecolor "#555555"
set arrow from 884, 1.0 to 884, 0.6 linecolor "#555555"
plot "grid.csv" using ((column("first") + column("last") + 1) / 2.0):(1.4): \
        (column("first")):(column("last") + 1):(1.05):(1.75):(colour(stringcolumn("state"))) \
        with boxxyerror linecolor rgb variable, \
    "" using ((column("first") + column("last") + 1) / 2.0):(1.4): \
        (name(column("block"), stringcolumn("state"))) with labels textcolor "white"
