# The image that launch_julia_set made, what a CPU makes, and where they differ. Drawn by
# ./lab picture 04.
# size 980x400
unset border
unset tics
unset key
unset grid
set xrange [-6:966]
set yrange [330:-70]
stats csv using (column("student") != column("student") ? 1 : 0) name "unwritten" nooutput
is_right(s, low, high) = s >= low && s <= high
stats csv using (column("student") == column("student") && \
    !is_right(column("student"), column("least"), column("greatest")) ? 1 : 0) name "wrong" nooutput
stats csv using (column("student") != column("expected") && \
    is_right(column("student"), column("least"), column("greatest")) ? 1 : 0) name "other" nooutput
set label 1 "launch_julia_set: dim = 300, scale = 1.5" at 0, -52
set label 2 "yours" at 0, -14
set label 3 "expected, as a CPU rounds it" at 330, -14
set label 4 sprintf("red: wrong, %d   white: not written, %d", wrong_sum, unwritten_sum) at 660, -32
set label 5 sprintf("blue: another count, as right, %d", other_sum) at 660, -14
if (term eq "dumb") {
    letter(v) = v != v ? " " : v >= 200 ? "@" : v >= 60 ? "#" : v >= 30 ? "+" : v >= 12 ? "-" : "."
    wrong_letter(s, low, high) = s != s ? " " : is_right(s, low, high) ? "." : "X"
    keep(x, y, v) = int(x) % 8 == 0 && int(y) % 16 == 0 ? v : NaN
    set label 4 sprintf("X: wrong, %d   not written: %d", wrong_sum, unwritten_sum)
    unset label 5
    plot csv using (column("x")):(keep(column("x"), column("y"), column("y"))): \
            (letter(column("student"))) with labels, \
        csv using (column("x") + 330):(keep(column("x"), column("y"), column("y"))): \
            (letter(column("expected"))) with labels, \
        csv using (column("x") + 660):(keep(column("x"), column("y"), column("y"))): \
            (wrong_letter(column("student"), column("least"), column("greatest"))) with labels
} else {
    # Counts + 1, so that a count of 0 has a logarithm.
    set logscale cb
    set cbrange [2:201]
    set colorbox horizontal user origin 0.345, 0.07 size 0.3, 0.03
    set cbtics ("1" 2, "3" 4, "10" 11, "30" 31, "100" 101, "200" 201)
    set palette defined (0 "#f7fbff", 0.25 "#9ecae1", 0.5 "#3b7fb9", 0.75 "#5b3a91", 0.92 "#c43c5b", 1 "#1a1a1a")
    legal(v) = v >= 0 && v <= 200 ? v + 1 : NaN
    # 0xrrggbb of the difference.
    verdict(s, e, low, high) = s != s ? 0xffffff : !is_right(s, low, high) ? 0xd7191c : \
        s != e ? 0x6baed6 : 0xe8e8e8
    part(v, shift) = (v >> shift) & 255
    v(s, e, low, high, shift) = part(int(verdict(s, e, low, high)), shift)
    plot csv using (column("x")):(column("y")):(legal(column("student"))) with image, \
        csv using (column("x") + 330):(column("y")):(legal(column("expected"))) with image, \
        csv using (column("x") + 660):(column("y")): \
            (v(column("student"), column("expected"), column("least"), column("greatest"), 16)): \
            (v(column("student"), column("expected"), column("least"), column("greatest"), 8)): \
            (v(column("student"), column("expected"), column("least"), column("greatest"), 0)) \
            with rgbimage
}
