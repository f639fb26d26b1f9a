# Task 2: which calls break the promise, for all places of start and temperature. Drawn by ./lab
# picture 10.
# size 760x460
# text shades x=temperature y=start value=expected,student
set notitle
unset border
unset key
unset colorbox
unset grid
set tics scale 0
set xrange [-3:123]
set yrange [59:-12]
set xtics ("0" 0, "20" 20, "40" 40, "0" 64, "20" 84, "40" 104)
set ytics (0, 20, 40)
set xlabel "where temperature begins"
set ylabel "where start begins"
set style fill solid noborder
set label 1 "promise_breakers: n = 6, rate at 20, bath at 40; orange: breaks the promise" at 0, -9
set label 2 "expected" at 0, -3.5
set label 3 "yours" at 64, -3.5
tint(bit) = bit == 1 ? 0xd95f02 : 0xdddddd
plot \
    csv using (column("temperature")):(column("start")):(0.5):(0.5):(tint(column("expected"))) \
        with boxxyerror linecolor rgb variable, \
    csv using (column("temperature") + 64):(column("start")):(0.5):(0.5): \
        (tint(column("student"))) with boxxyerror linecolor rgb variable
