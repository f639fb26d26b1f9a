# Task 5: a triangle, mirrored by mirror_image. Drawn by ./lab picture 16.
# size 760x200
# text shades x=x y=y value=in,expected,student
set notitle
unset border
unset tics
unset key
unset colorbox
unset grid
set palette defined (0 "#0b2a4a", 1 "#f6c667")
set cbrange [0:1]
set xrange [-2:211]
set yrange [25:-11]
set label 1 "mirror_image" at 0, -8.5
set label 2 "in" at 0, -2.5
set label 3 "out should be" at 72, -2.5
set label 4 "your out (white: not written)" at 144, -2.5
plot \
    csv using (column("x")):(column("y")):(column("in")) with image, \
    csv using (column("x") + 72):(column("y")):(column("expected")) with image, \
    csv using (column("x") + 144):(column("y")):(column("student")) with image
