# Which element stands where, of 96. Drawn by ./lab picture 14.
# size 860x470
# text numbers x=column y=row value=index
unset border
unset tics
unset key
unset grid
set xrange [-0.7:31.7]
set yrange [14.2:-1.4]
set style fill solid border linecolor "white"
# Blue: right; orange: wrong, or missing; grey: an element that is not kept, or a place not used.
tint(s) = s eq "kept" || s eq "right" ? 0x1f6fb2 : s eq "wrong" ? 0xd95f02 : s eq "missing" ? 0xfbd9bf : 0xf0f0f0
ink(s) = s eq "kept" || s eq "right" || s eq "wrong" ? 0xffffff : 0x888888
shown(i, s) = i >= 0 ? sprintf("%d", i) : s eq "missing" ? "?" : s eq "wrong" ? "x" : ""
set label 1 "a: the index of each element. Blue ones are kept." at -0.5, -0.9
set label 2 "kept, by compact_any: which element stands there. Any order is right." at -0.5, 4.1
set label 3 "kept, by compact_stable: in the order of a." at -0.5, 9.1
set label 4 "Orange: wrong.  ?: nothing was written, and should have been.  x: none of a's elements." \
    at -0.5, 13.7 textcolor rgb "#777777"
plot csv using "column":"row":(0.47):(0.43):(tint(stringcolumn("state"))) \
        with boxxyerror linecolor rgb variable, \
    csv using "column":"row":(shown(column("index"), stringcolumn("state"))): \
        (ink(stringcolumn("state"))) with labels font ",9" textcolor rgb variable
