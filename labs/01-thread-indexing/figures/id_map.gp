# Loaded by global_ids.gp and grid_stride_ids.gp: n elements in rows of 16, the id written in each,
# coloured by the block that has that id. Above: expected; below: written.
set notitle
unset border
unset tics
unset key
unset colorbox
unset grid
set xrange [-0.6:15.6]
set yrange [5.9:-1.8]
set style fill solid border linecolor "white"
tint(block) = block < 0 || block != int(block) ? 0xdddddd : block == 0 ? 0x1f6fb2 : \
    block == 1 ? 0xd95f02 : block == 2 ? 0x2a9d63 : block == 3 ? 0x7a5bb0 : 0x9a8a6a
ink(block) = block < 0 ? 0x777777 : 0xffffff
name(id) = id < 0 ? "-" : id > 999 ? ">999" : sprintf("%d", id)
row(element, top) = top + int(element / 16)
set label 1 heading at -0.5, -1.5
set label 2 "expected: which thread writes which element (one colour a block)" at -0.5, -0.8
set label 3 "what your kernel wrote (-: nothing)" at -0.5, 3.2
plot \
    csv using (int(column("element")) % 16):(row(column("element"), 0)):(0.47):(0.45): \
        (tint(column("expected_block"))) with boxxyerror linecolor rgb variable, \
    csv using (int(column("element")) % 16):(row(column("element"), 0)):(name(column("expected_id"))): \
        (ink(column("expected_block"))) with labels textcolor rgb variable, \
    csv using (int(column("element")) % 16):(row(column("element"), 4)):(0.47):(0.45): \
        (tint(column("block"))) with boxxyerror linecolor rgb variable, \
    csv using (int(column("element")) % 16):(row(column("element"), 4)):(name(column("id"))): \
        (ink(column("block"))) with labels textcolor rgb variable
