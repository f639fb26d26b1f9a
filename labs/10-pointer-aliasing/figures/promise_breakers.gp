# Task 2: which calls break the promise, for all places of start and temperature. Drawn by ./lab
# picture 10.
# size 760x460
set notitle
unset border
unset key
unset colorbox
unset grid
set tics scale 0
set xrange [-3:90]
set yrange [43:-9]
set xtics ("0" 0, "18" 18, "30" 30, "0" 48, "18" 66, "30" 78)
set ytics (0, 10, 20, 30, 39)
set xlabel "where temperature begins"
set ylabel "where start begins"
set style fill solid noborder
set label 1 "promise_breakers: n = 8, rate at 18, bath at 30; orange (#): breaks the promise" at 0, -7
set label 2 "expected" at 0, -2.5
set label 3 "yours" at 48, -2.5
tint(bit) = bit == 1 ? 0xd95f02 : 0xdddddd
letter(bit) = bit == 1 ? "#" : "."
keep(start, value) = int(start) % 3 == 0 ? value : NaN
if (term eq "dumb") {
    plot \
        csv using (column("temperature")):(keep(column("start"), column("start"))): \
            (letter(column("expected"))) with labels, \
        csv using (column("temperature") + 48):(keep(column("start"), column("start"))): \
            (letter(column("student"))) with labels
} else {
    plot \
        csv using (column("temperature")):(column("start")):(0.46):(0.46):(tint(column("expected"))) \
            with boxxyerror linecolor rgb variable, \
        csv using (column("temperature") + 48):(column("start")):(0.46):(0.46): \
            (tint(column("student"))) with boxxyerror linecolor rgb variable
}
