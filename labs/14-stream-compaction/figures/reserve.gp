# A ballot gives each lane that wants one a place of its own.
#   labs/figures/draw labs/14-stream-compaction/figures/reserve.gp
set terminal svg size 780,250 font "sans-serif,13" background "white"
set output "reserve.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set xrange [-5.2:15.7]
set yrange [4.6:-1.1]
set style fill solid border linecolor "white"
name(row) = row == 0 ? "keep(x)?" : row == 1 ? "ballot, bit" : row == 2 ? "1 bits before" : "place"
do for [row = 0:3] { set label name(row) at -0.8, row right }
set label "lane" at -0.8, -0.8 right textcolor "#777777"
set label "The leader adds 6 to the counter. It was 300, so that is what atomicAdd returns." at -0.5, 4.2 textcolor "#555555"
tint(wants) = wants == 1 ? 0x1f6fb2 : wants == 2 ? 0xffffff : 0xeeeeee
ink(wants) = wants == 1 ? 0xffffff : 0x888888
plot "reserve.csv" using "lane":"row":(0.47):(0.42):(tint(column("wants"))) with boxxyerror linecolor rgb variable, \
    "" using "lane":"row":(strcol("text")):(ink(column("wants"))) with labels textcolor rgb variable, \
    "" using (column("row") == 0 ? column("lane") : 1 / 0):(-0.8):(sprintf("%d", column("lane"))) \
        with labels textcolor rgb "#777777"
