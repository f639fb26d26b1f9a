# Loaded by calibrate_image.gp, calibrate_pitched.gp and calibrate_columns.gp: the raw image, what is
# expected, and what was made of it. White: never written.
set notitle
unset border
unset tics
unset key
unset colorbox
unset grid
set palette defined (0 "#0b2a4a", 1 "#f6c667")
set cbrange [0:1]
set xrange [-2:291]
set yrange [63:-17]
set label 1 heading at 0, -13
set label 2 "raw" at 0, -4
set label 3 "expected" at 98, -4
set label 4 "yours (white: not written)" at 196, -4
letter(v) = v != v ? " " : substr(" .:-=+*#@@", 1 + int(v < 0 ? 0 : v > 1 ? 9 : 9 * v), \
                                  1 + int(v < 0 ? 0 : v > 1 ? 9 : 9 * v))
keep(y, x, v) = int(y) % 5 == 0 && int(x) % 4 == 0 ? v : NaN
if (term eq "dumb") {
    # Every fourth pixel, a character each, so that equal images look equal.
    set lmargin 1
    set rmargin (width > 80 ? width - 80 : 0)
    set xrange [-1:77]
    set label 3 "expected" at 26, -4
    set label 4 "yours (blank: nothing)" at 52, -4
    plot \
        csv using (column("x") / 4):(keep(column("y"), column("x"), column("y"))): \
            (letter(column("raw"))) with labels, \
        csv using (column("x") / 4 + 26):(keep(column("y"), column("x"), column("y"))): \
            (letter(column("expected"))) with labels, \
        csv using (column("x") / 4 + 52):(keep(column("y"), column("x"), column("y"))): \
            (letter(column("student"))) with labels
} else {
    plot \
        csv using (column("x")):(column("y")):(column("raw")) with image, \
        csv using (column("x") + 98):(column("y")):(column("expected")) with image, \
        csv using (column("x") + 196):(column("y")):(column("student")) with image
}
