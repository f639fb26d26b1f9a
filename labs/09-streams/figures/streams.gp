# A timeline of kernels and copies, one row a stream. Needs: heading.
set title heading." (".device.")"
unset key
unset grid
set border 1
set xlabel "time, us"
set ytics scale 0
set yrange [*:*] reverse
set offsets 0, graph 0.02, 0.6, 1.3
set xrange [0:*]
set style fill solid border linecolor "white"
# Copies blue and green, kernels orange, log_start red; and a letter for terminals without colours.
tint(kind) = kind eq "copy_to_device" ? 0x1f6fb2 : kind eq "copy_to_host" ? 0x2a9d63 : \
    kind eq "log" ? 0xc0392b : kind eq "kernels" ? 0xd98a1a : 0x777777
letter(kind) = kind eq "copy_to_device" ? "in" : kind eq "copy_to_host" ? "out" : kind eq "log" ? "log" : \
    kind eq "kernels" ? "k" : "m"
set label "in: copy to the device" at graph 0.02, graph 0.96 textcolor rgb 0x1f6fb2
set label "k: kernel" at graph 0.30, graph 0.96 textcolor rgb 0xd98a1a
set label "out: copy to the host" at graph 0.44, graph 0.96 textcolor rgb 0x2a9d63
set label "log: log_start" at graph 0.70, graph 0.96 textcolor rgb 0xc0392b
middle(c) = 0.5 * (column("begin_us") + column("end_us"))
if (term eq "dumb") {
    plot csv using (middle(0)):(column("row")):(letter(stringcolumn("kind"))):ytic(stringcolumn("stream")) with labels
} else {
    plot csv using (middle(0)):(column("row")):(column("begin_us")):(column("end_us")): \
            (column("row") - 0.4):(column("row") + 0.4):(tint(stringcolumn("kind"))) \
            :ytic(stringcolumn("stream")) with boxxyerror linecolor rgb variable
}
