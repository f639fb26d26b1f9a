# Which elements each block's sum contains, and how often. Drawn by ./lab picture 06.
# size 860x360
# text numbers x=element y=block value=times expected=expected
unset border
unset tics
unset key
unset colorbox
unset grid
set xrange [-4.2:28.8]
set yrange [8.2:-2]
set style fill solid border linecolor "white"
# White: not in this sum; blue: once; grey: the sum was never written; orange: anything else.
is_nan(t) = t != t
tint(t) = is_nan(t) ? 0xcccccc : t == 0 ? 0xf4f4f4 : t == 1 ? 0x1f6fb2 : 0xd95f02
ink(t) = is_nan(t) ? 0x777777 : t == 0 ? 0xaaaaaa : 0xffffff
name(t) = is_nan(t) ? "?" : abs(t) > 99 ? "!" : sprintf("%.0f", t)
set label 1 "block_sums: n = 29, blocks of 11 threads. How often is element i in the sum of block b?" \
    at -4, -1.7
set label 2 "expected" at -4, -0.8
set label 3 "your sums (?: never written)" at -4, 4.3
do for [b = 0:2] {
    set label 10 + b sprintf("sums[%d]", b) at -4, b
    set label 20 + b sprintf("sums[%d]", b) at -4, 5.1 + b
}
do for [i = 0:28:4] { set label 100 + i sprintf("%d", i) at i, 3 center textcolor rgb "#777777" }
times(c) = strlen(stringcolumn(c)) == 0 || stringcolumn(c) eq "nan" || stringcolumn(c) eq "NaN" ? NaN : column(c)
# NaN draws nothing, so a sum that was never written is drawn from the other column.
lost(c) = times(c) != times(c) ? column("element") : NaN
plot \
    csv using "element":"block":(0.47):(0.42):(tint(column("expected"))) with boxxyerror linecolor rgb variable, \
    csv using "element":"block":(name(column("expected"))):(ink(column("expected"))) \
        with labels textcolor rgb variable, \
    csv using "element":(5.1 + column("block")):(0.47):(0.42):(tint(times("times"))) \
        with boxxyerror linecolor rgb variable, \
    csv using "element":(5.1 + column("block")):(name(times("times"))):(ink(times("times"))) \
        with labels textcolor rgb variable, \
    csv using (lost("times")):(5.1 + column("block")):("?") with labels textcolor rgb "#777777"
