# A timeline of kernels and copies, one row per stream. Needs: heading.
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
# Copies dark and light blue, kernels orange, log_start red.
tint(kind) = kind eq "copy_to_device" ? 0x1f6fb2 : kind eq "copy_to_host" ? 0x7fbde8 : \
    kind eq "log" ? 0xc0392b : kind eq "kernels" ? 0xd98a1a : 0x777777
# The legend: a box of the colour and the name next to it.
array kinds[4] = ["copy_to_device", "kernels", "copy_to_host", "log"]
array names[4] = ["copy to the device", "kernel", "copy to the host", "log_start"]
array places[4] = [0.02, 0.31, 0.45, 0.72]
do for [k = 1:4] {
    set object k rectangle from graph places[k], graph 0.945 to graph places[k] + 0.018, graph 0.985 \
        fillcolor rgb tint(kinds[k]) fillstyle solid noborder
    set label k names[k] at graph places[k] + 0.026, graph 0.965
}
# The default stream on top, because others may wait for it; then stream 1, 2, ...
# (Functions that read columns hide from gnuplot that there are headers.)
set datafile columnheaders
row_of(name) = name eq "default stream" ? 0 : int(word(name, 2))
middle(c) = 0.5 * (column("begin_us") + column("end_us"))
plot csv using (middle(0)):(row_of(stringcolumn("stream"))):(column("begin_us")):(column("end_us")): \
        (row_of(stringcolumn("stream")) - 0.4):(row_of(stringcolumn("stream")) + 0.4):(tint(stringcolumn("kind"))) \
        :ytic(stringcolumn("stream")) with boxxyerror linecolor rgb variable
