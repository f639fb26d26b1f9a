# The image of launch_julia_set, the CPU's image, and their differences. Drawn by ./lab picture 04.
# size 980x400
# text shades x=x y=y value=expected,student log=value
# text marks x=x y=y value=student low=least high=greatest written=written
unset border
unset tics
unset key
unset grid
# Functions that read columns hide from gnuplot that there are headers.
set datafile columnheaders
is_right(s) = s >= column("least") && s <= column("greatest")
is_written(c) = column("written") == 1
student(none) = is_written(0) ? column("student") : none
# Before the ranges are set: they would sort out.
stats csv using (is_written(0) ? 0 : 1) name "unwritten" nooutput
stats csv using (is_written(0) && !is_right(column("student")) ? 1 : 0) name "wrong" nooutput
stats csv using (is_written(0) && is_right(column("student")) && \
    column("student") != column("expected") ? 1 : 0) name "other" nooutput
set xrange [-6:966]
set yrange [330:-70]
set label 1 "launch_julia_set: dim = 300, scale = 1.5" at 0, -52
set label 2 "yours" at 0, -14
set label 3 "expected, as a CPU rounds it" at 330, -14
set label 4 sprintf("red: wrong, %d   white: not written, %d", wrong_sum, unwritten_sum) at 660, -32
set label 5 sprintf("blue: another count, as right, %d", other_sum) at 660, -14
# Counts + 1, so that a count of 0 has a logarithm.
set logscale cb
set cbrange [2:201]
set colorbox horizontal user origin 0.345, 0.07 size 0.3, 0.03
set cbtics ("1" 2, "3" 4, "10" 11, "30" 31, "100" 101, "200" 201)
set palette defined (0 "#f7fbff", 0.25 "#9ecae1", 0.5 "#3b7fb9", 0.75 "#5b3a91", 0.92 "#c43c5b", 1 "#1a1a1a")
legal(v) = v >= 0 && v <= 200 ? v + 1 : NaN
# 0xrrggbb of the difference.
verdict(s) = !is_written(0) ? 0xffffff : !is_right(s) ? 0xd7191c : \
    s != column("expected") ? 0x1f6fb2 : 0xe8e8e8
part(shift) = (verdict(column("student")) >> shift) & 255
plot csv using (column("x")):(column("y")):(legal(student(NaN))) with image, \
    csv using (column("x") + 330):(column("y")):(legal(column("expected"))) with image, \
    csv using (column("x") + 660):(column("y")):(part(16)):(part(8)):(part(0)) with rgbimage
