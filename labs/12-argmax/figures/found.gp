# Where the largest element is found, a row for each 32 places. Needs: heading.
unset border
unset tics
unset key
unset grid
set xrange [-3.2:31.7]
set yrange [9.9:-2.4]
set style fill solid border linecolor "white"
# Blue: found; orange: the value without its index, or the index without its value; white: not found.
tint(v, i) = v > 0 && i > 0 ? 0x1f6fb2 : v > 0 || i > 0 ? 0xd95f02 : 0xf4f4f4
ink(v, i) = v > 0 || i > 0 ? 0xffffff : 0x999999
name(v, i) = v > 0 && i > 0 ? "" : v > 0 ? "v" : i > 0 ? "i" : "-"
set label 1 heading at -3, -1.9
set label 2 "Blue: found there.  v: only its value.  i: only its index.  -: not found." at -3, -1 textcolor rgb "#777777"
do for [row = 0:9] { set label 10 + row sprintf("%d", 32 * row) at -0.8, row right textcolor rgb "#777777" }
plot csv using "column":"row":(0.47):(0.45):(tint(column("value_found"), column("index_found"))) \
        with boxxyerror linecolor rgb variable, \
    csv using "column":"row":(name(column("value_found"), column("index_found"))): \
        (ink(column("value_found"), column("index_found"))) with labels font ",9" textcolor rgb variable
