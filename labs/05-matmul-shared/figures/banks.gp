# Which bank each lane reads: one dot a lane, in four ways to read a tile.
#   cd labs/05-matmul-shared/figures && awk -f banks.awk > banks.csv; then labs/figures/draw
set terminal svg size 760,300 font "sans-serif,13" background "white"
set output "banks.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set border 3 linecolor "#888888"
set tics nomirror out
set xrange [-1.5:32.5]
set yrange [-1.5:32.5]
set xtics ("0" 0, "31" 31)
set ytics ("0" 0, "31" 31)
set xlabel "lane" offset 0, 0.8
set multiplot layout 1,4 margins 0.06, 0.985, 0.2, 0.74 spacing 0.05
in(panel) = strcol("panel") eq panel ? column("bank") : NaN
draw(panel) = sprintf("plot 'banks.csv' using 'lane':(in('%s')) with points pointtype 7 pointsize 0.45 linecolor '%s'", \
    panel, panel eq "column" ? "#d95f02" : "#1f6fb2")
set ylabel "bank" offset 2.5, 0
set title "b\\_tile[i][x]\na bank each: 1 pass" offset 0, -0.3
eval draw("own")
unset ylabel
set ytics format ""
set title "a\\_tile[y][i]\none float for all: 1 pass" offset 0, -0.3
eval draw("same")
set title "b\\_tile[x][i]\none bank: 32 passes" offset 0, -0.3
eval draw("column")
set title "b\\_tile[x][i], rows of 33\na bank each: 1 pass" offset 0, -0.3
eval draw("padded")
unset multiplot
