# How often each element is in a sum, a row for each warp's worth of elements. Needs: heading.
unset border
unset tics
unset key
unset grid
set xrange [-3.2:31.7]
set yrange [18.9:-2.4]
set style fill solid border linecolor "white"
# Blue: once, as it should be; white: not at all; orange: more than once; grey: the sum is no such number.
tint(t) = t < 0 ? 0xcccccc : t == 0 ? 0xf4f4f4 : t == 1 ? 0x1f6fb2 : 0xd95f02
ink(t) = t < 0 ? 0x777777 : t == 0 ? 0xaaaaaa : 0xffffff
name(t) = t < 0 ? "?" : sprintf("%d", t)
set label 1 heading at -3, -1.9
set label 2 "A row has 32 elements, those of one warp when each thread has one." at -3, -1 textcolor rgb "#777777"
do for [row = 0:18:2] { set label 10 + row sprintf("%d", 32 * row) at -0.8, row right textcolor rgb "#777777" }
plot csv using "lane":"row":(0.47):(0.45):(tint(column("times"))) with boxxyerror linecolor rgb variable, \
    csv using "lane":"row":(name(column("times"))):(ink(column("times"))) with labels font ",9" textcolor rgb variable
