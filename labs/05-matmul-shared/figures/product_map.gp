# Loaded by tiled.gp, dynamic.gp and coarsened.gp: c, each element coloured by the state in which
# the student's kernel left it. They set `heading` and `tile` (the size of the blocks' tiles).
set title heading
set notitle
unset border
unset tics
unset key
unset colorbox
unset grid
rows = 37
cols = 70
set xrange [-3:cols + 1]
set yrange [rows + 4:-6]
set size ratio -1
set style fill solid noborder
# Rows whose columns are NaN are left out, so elements never written show by their text alone.
state(text, expected, tolerance) = text eq "nan" || text eq "NaN" || strlen(text) == 0 ? 2 : \
    abs(real(text) - expected) <= tolerance ? 0 : 1
# Blue and orange as in the other labs: green and orange look alike to many.
tint(s) = s == 0 ? 0x1f6fb2 : s == 1 ? 0xd95f02 : 0xd9d9d9
of_row = "state(strcol('student'), column('expected'), column('tolerance'))"
set label 1 heading at -0.5, -4.6
set label 2 "right" at 2, -2.2
set label 3 "wrong" at 16, -2.2
set label 4 "never written" at 30, -2.2
set object 1 rectangle from -0.5, -3 to 1, -1.5 fillcolor rgb tint(0)
set object 2 rectangle from 12.5, -3 to 14, -1.5 fillcolor rgb tint(1)
set object 3 rectangle from 26.5, -3 to 28, -1.5 fillcolor rgb tint(2)
do for [edge = 0:cols:tile] {
    set arrow from edge - 0.5, -0.5 to edge - 0.5, rows - 0.5 nohead front linecolor "white" \
        linewidth 2
    set label sprintf("%d", edge) at edge, rows + 1 center textcolor "#777777"
}
do for [edge = 0:rows:tile] {
    set arrow from -0.5, edge - 0.5 to cols - 0.5, edge - 0.5 nohead front linecolor "white" \
        linewidth 2
    set label sprintf("%d", edge) at -1, edge right textcolor "#777777"
}
plot csv using "col":"row":(0.5):(0.5):(tint(@of_row)) with boxxyerror linecolor rgb variable
