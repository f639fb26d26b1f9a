# When each copy and kernel runs, one row per stream: above in one piece, below in pieces.
#   labs/figures/draw labs/09-streams/figures/timeline.gp
set terminal svg size 860,300 font "sans-serif,14" background "white"
set output "timeline.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set border 1
set tics nomirror
set xlabel "time, us (modelled for an H200)"
set ytics scale 0
set yrange [4.6:-1.6]
set xrange [0:*]
set style fill solid border linecolor "white"
colour(kind) = kind eq "copy_to_device" ? 0x1f6fb2 : kind eq "copy_to_host" ? 0x7fbde8 : 0xd98a1a
y(row) = row + (row > 0 ? 0.5 : 0)
# The legend: a box of the colour, and its name next to it.
array kinds[3] = ["copy_to_device", "kernels", "copy_to_host"]
array names[3] = ["copy to the device", "kernel", "copy to the host"]
array places[3] = [0.0, 0.30, 0.46]
do for [k = 1:3] {
    set object k rectangle from graph places[k], first -1.35 to graph places[k] + 0.02, first -0.85 \
        fillcolor rgb colour(kinds[k]) fillstyle solid noborder
    set label k names[k] at graph places[k] + 0.03, first -1.1
}
plot "timeline.csv" using (0.5 * (column("begin_us") + column("end_us"))):(y(column("row"))): \
        (column("begin_us")):(column("end_us")):(y(column("row")) - 0.4):(y(column("row")) + 0.4): \
        (colour(stringcolumn("kind"))) with boxxyerror linecolor rgb variable, \
    "" using (column("begin_us")):(y(column("row"))):ytic(3) with points pointtype 0
