# The table of the subset sum problem for the items 2, 3 and 7: each column from the one before.
#   labs/figures/draw labs/13-subset-sum/figures/table.gp
set terminal svg size 780,330 font "sans-serif,14" background "white"
set output "table.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set margins 0, 0, 0, 0
set xrange [-3.6:13.1]
set yrange [5.2:-1.05]
set style fill solid border linecolor "white"
half = 0.4
y(column) = column < 3 ? column : 3.9
fill(flag) = flag == 1 ? 0x1f6fb2 : 0xe0e0e0
ink(flag) = flag == 1 ? 0xffffff : 0x666666
set label "sum i" at -3.5, -0.72
do for [i = 0:12] { set label sprintf("%d", i) at i, -0.72 center textcolor "#444444" }
set label "column 0: no items" at -3.5, y(0)
set label "column 1: item 2" at -3.5, y(1)
set label "column 2: item 3" at -3.5, y(2)
set label "column 3: item 7" at -3.5, y(3)
# One flag as the example: next[9] = column[9] | column[2].
set arrow from 9, y(2) + half to 9, y(3) - half - 0.03 linewidth 3 linecolor "#b36b00" front
set arrow from 2.2, y(2) + half to 8.55, y(3) - half - 0.03 linewidth 3 linecolor "#b36b00" front
set label "with the item: 9 - 7 = 2" at 5.8, y(2) + 1.16 right
set label "without it" at 9.2, y(2) + 0.9 left
set label "next[9] = column[9] | column[2]" at 9, y(3) + 0.72 center
plot "table.csv" using "sum":(y(column("items"))):(half):(half):(fill(column("flag"))) \
        with boxxyerror linecolor rgb variable, \
    "" using "sum":(y(column("items"))):(sprintf("%d", int(column("flag")))):(ink(column("flag"))) \
        with labels textcolor rgb variable
