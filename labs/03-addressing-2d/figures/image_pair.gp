# Loaded by calibrate_image.gp, calibrate_pitched.gp and calibrate_columns.gp: the raw image, the
# expected one, and the student's. White: never written.
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
plot \
    csv using (column("x")):(column("y")):(column("raw")) with image, \
    csv using (column("x") + 98):(column("y")):(column("expected")) with image, \
    csv using (column("x") + 196):(column("y")):(column("student")) with image
