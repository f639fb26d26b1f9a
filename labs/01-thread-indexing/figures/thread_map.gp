# Which thread writes which element: the number is the thread's id, the colour its block.
#   labs/figures/draw labs/01-thread-indexing/figures/thread_map.gp
set terminal svg size 760,330 font "sans-serif,14" background "white"
set output "thread_map.svg"
set datafile separator ","
set datafile commentschars "#"
unset border
unset tics
unset key
unset colorbox
set palette defined (-1 "#e4e4e4", 0 "#1f6fb2", 1 "#d95f02", 2 "#2a9d63", 3 "#7a5bb0")
set cbrange [-1:3]
set xrange [-0.6:15.6]
set yrange [7.1:-1.1]
set style fill solid border linecolor "white"
top(task) = task eq "grid-stride" ? 4.2 : 0
shade(element, block) = element < 0 ? -1 : block
set label "Task 1: n = 29, four blocks of 8 threads, one element per thread" at -0.5, -0.75
set label "Task 2: n = 29, two blocks of 8 threads, strides of 16" at -0.5, 3.45
set label "grey: the id has no element" at 15.5, 1.85 right textcolor "#777777"
set label "elements 0 to 15" at 15.5, 3.45 right textcolor "#777777"
set label "elements 16 to 28" at 15.5, 6.05 right textcolor "#777777"
plot "thread_map.csv" using (column("column")):(top(strcol("task")) + column("row")):(0.47):(0.45): \
        (shade(column("element"), column("block"))) with boxxyerror linecolor palette, \
    "" using (column("column")):(top(strcol("task")) + column("row")): \
        (sprintf("%d", column("id"))):(column("element") < 0 ? 0x777777 : 0xffffff) \
        with labels textcolor rgb variable
