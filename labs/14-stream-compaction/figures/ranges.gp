# Slots of an array: warps reserve them in ranges of 64, and leave gaps.
#   labs/figures/draw labs/14-stream-compaction/figures/ranges.gp
set terminal svg size 780,230 font "sans-serif,13" background "white"
set output "ranges.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
set xrange [-4:324]
set yrange [3.4:-1.3]
set style fill solid border linecolor "white"
do for [r = 0:5] { set label sprintf("%d", 64 * r) at 64 * r, 0.95 center textcolor "#777777" }
set arrow from 290, -0.75 to 290, 1.3 nohead linewidth 2 linecolor "#222222"
set label "capacity = 290" at 290, 1.65 center
set label "slot" at -2, 1.4 textcolor "#777777"
array tints[3] = [0x1f6fb2, 0xd95f02, 0x2a8c4a]
number(warp) = warp eq "A" ? 1 : warp eq "B" ? 2 : 3
tint(warp, kind) = kind eq "values" ? tints[number(warp)] : kind eq "gap" ? 0xd0d0d0 : kind eq "dropped" ? 0xfbd9bf : 0xf0f0f0
said(warp, kind) = kind eq "values" ? "warp ".warp : kind eq "gap" ? "gap" : ""
ink(kind) = kind eq "values" ? 0xffffff : 0x444444
set label "Coloured: a value. Gaps hold kEmpty. The last 10 values of warp B are dropped, but counted." at 0, 2.6 textcolor "#555555"
set label "*made = 239, *reserved = 320" at 0, 3.15 textcolor "#555555"
plot "ranges.csv" using ((column("begin") + column("end")) / 2.0):(0): \
        ((column("end") - column("begin")) / 2.0):(0.55):(tint(strcol("warp"), strcol("kind"))) \
        with boxxyerror linecolor rgb variable, \
    "" using ((column("begin") + column("end")) / 2.0):(0):(said(strcol("warp"), strcol("kind"))): \
        (ink(strcol("kind"))) with labels textcolor rgb variable
