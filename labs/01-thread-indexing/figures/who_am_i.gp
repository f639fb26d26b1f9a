# Task 4: the warp and lane that each thread named, blocks of 70 threads. Drawn by ./lab picture 01.
# size 760x340
# text numbers x=thread y=block value=warp expected=expected_warp
unset border
set tics scale 0
set ytics ("block 0" 0, "block 1" 1, "block 2" 2, "block 0" 5, "block 1" 6, "block 2" 7)
set xtics 0, 10, 69
set xlabel "thread of the block"
unset key
unset colorbox
unset grid
set xrange [-0.7:69.7]
set yrange [7.8:-2.3]
set style fill solid noborder
# One colour a warp, lighter with the lane; grey for no such warp or lane.
mix(base, share) = int(base + (255 - base) * share)
light(r, g, b, share) = mix(r, share) * 65536 + mix(g, share) * 256 + mix(b, share)
tint(warp, lane) = warp < 0 || lane < 0 || lane > 31 ? 0xcccccc : \
    int(warp) % 3 == 0 ? light(31, 111, 178, lane / 50.0) : \
    int(warp) % 3 == 1 ? light(217, 95, 2, lane / 50.0) : light(42, 157, 99, lane / 50.0)
set label 1 "who_am_i: one colour per warp, lighter as the lane grows" at -0.5, -1.9
set label 2 "expected" at -0.5, -0.9
set label 3 "what your kernel wrote (grey: nothing, or the record of another thread)" at -0.5, 4.1
plot \
    csv using "thread":"block":(0.5):(0.42):(tint(column("expected_warp"), column("expected_lane"))) \
        with boxxyerror linecolor rgb variable, \
    csv using "thread":(column("block") + 5):(0.5):(0.42):(tint(column("warp"), column("lane"))) \
        with boxxyerror linecolor rgb variable
