# Task 2: which calls break the promise, for all places of start and temperature. Drawn by ./lab
# picture 10.
# size 760x460
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
set label 1 "promise_breakers: n = 6, rate at 20, bath at 40; orange (#): breaks the promise" at 0, -9
set label 2 "expected" at 0, -3.5
set label 3 "yours" at 64, -3.5
tint(bit) = bit == 1 ? 0xd95f02 : 0xdddddd
letter(bit) = bit == 1 ? "#" : "."
keep(start, value) = int(start) % 4 == 0 ? value : NaN
if (term eq "dumb") {
    # Every second temperature, a character each, so that equal maps look equal.
    even(t) = int(t) % 2 == 0 ? t / 2 : NaN
    set lmargin 8
    set rmargin (width > 75 ? width - 75 : 0)
    set xrange [-2:64]
    set xtics ("0" 0, "20" 10, "40" 20, "0" 34, "20" 44, "40" 54)
    set label 3 at 34, -3.5
    plot \
        csv using (even(column("temperature"))):(keep(column("start"), column("start"))): \
            (letter(column("expected"))) with labels, \
        csv using (even(column("temperature")) + 34):(keep(column("start"), column("start"))): \
            (letter(column("student"))) with labels
} else {
    plot \
        csv using (column("temperature")):(column("start")):(0.5):(0.5):(tint(column("expected"))) \
            with boxxyerror linecolor rgb variable, \
        csv using (column("temperature") + 64):(column("start")):(0.5):(0.5): \
            (tint(column("student"))) with boxxyerror linecolor rgb variable
}
