# What append leaves in its slots, a range in each row. Drawn by ./lab picture 14.
# size 860x420
# text numbers x=column y=row value=kind
unset border
unset tics
unset key
unset grid
set xrange [-5.5:64.5]
set yrange [14.6:-2.6]
set style fill solid border linecolor "white"
# Blue: a value; grey: kEmpty; orange: wrong; light: not reserved.
# Kinds: 0 not reserved, 1 kEmpty, 2 a value, 3 wrong, 4 nothing written.
tint(k) = k == 2 ? 0x1f6fb2 : k == 1 ? 0xc4c4c4 : k == 0 ? 0xf3f3f3 : 0xd95f02
shown(k) = k == 1 ? "-" : k == 3 ? "x" : k == 4 ? "?" : ""
set label 1 "append: 160 jobs, and what stands in each slot. A row is a range of 64." at -5.3, -1.9
set label 2 "Blue: a value.  -: kEmpty.  Orange, x: wrong.  Orange, ?: nothing written.  Light: not reserved." \
    at -5.3, -1 textcolor rgb "#777777"
do for [row = 0:13] { set label 10 + row sprintf("%d", 64 * row) at -1, row right textcolor rgb "#777777" font ",9" }
plot csv using "column":"row":(0.46):(0.42):(tint(column("kind"))) with boxxyerror linecolor rgb variable, \
    csv using "column":"row":(shown(column("kind"))):(column("kind") == 1 ? 0x666666 : 0xffffff) \
        with labels font ",9" textcolor rgb variable
