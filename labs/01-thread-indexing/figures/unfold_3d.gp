# Task 3: the {i, j, k} stored at each place of an array of shape (2, 3, 4), as two planes; the
# colour is the row (i, j) that it names. Drawn by ./lab picture 01.
# size 760x400
# text numbers x=place wrap=4 value=i,j,k expected=expected_i,expected_j,expected_k
unset border
unset tics
unset key
unset colorbox
unset grid
set xrange [-0.8:23.6]
set yrange [8:-1.6]
set style fill solid border linecolor "white"
# Blues for i = 0, oranges for i = 1, lighter with j; grey for what names no element.
tint(i, j, k) = i < 0 || i > 1 || j < 0 || j > 2 || k < 0 || k > 3 ? 0xdddddd : \
    i == 0 ? (j == 0 ? 0x5fa3d9 : j == 1 ? 0x92c0e6 : 0xc3ddf2) : \
             (j == 0 ? 0xe08a3c : j == 1 ? 0xefb27a : 0xf8d6b6)
digit(v) = v < 0 || v > 99 ? "?" : sprintf("%d", v)
name(i, j, k) = i == -1 && j == -1 && k == -1 ? "-" : digit(i).",".digit(j).",".digit(k)
x(place) = 2.1 + 13 * int(place / 12) + 2.2 * (int(place) % 4)
y(place, top) = top + 1.05 * (int(place / 4) % 3)
set label 1 "unfold_3d: an array of shape (2, 3, 4); each place holds the i, j, k stored there" at -0.5, -1.2
set label 2 "expected (k runs along the rows, the left plane is i = 0)" at -0.5, -0.6
set label 3 "what your kernel wrote (-: nothing)" at -0.5, 4.15
plot \
    csv using (x(column("place"))):(y(column("place"), 0.4)):(1.06):(0.48): \
        (tint(column("expected_i"), column("expected_j"), column("expected_k"))) \
        with boxxyerror linecolor rgb variable, \
    csv using (x(column("place"))):(y(column("place"), 0.4)): \
        (name(column("expected_i"), column("expected_j"), column("expected_k"))) with labels, \
    csv using (x(column("place"))):(y(column("place"), 5.2)):(1.06):(0.48): \
        (tint(column("i"), column("j"), column("k"))) with boxxyerror linecolor rgb variable, \
    csv using (x(column("place"))):(y(column("place"), 5.2)): \
        (name(column("i"), column("j"), column("k"))) with labels
