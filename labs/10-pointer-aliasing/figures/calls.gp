# Which calls of anneal break the promise: the arrays of four calls in one pool.
#   labs/figures/draw labs/10-pointer-aliasing/figures/calls.gp
set terminal svg noenhanced size 780,560 font "sans-serif,14" background "white"
set output "calls.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
unset border
set tics scale 0
unset ytics
set xtics 0, 4, 40
set grid xtics linecolor "#dddddd"
set xlabel "place in the pool (n = 10)"
set xrange [-0.5:52]
set yrange [20.4:-1.2]
lane(array) = array eq "start" ? 0 : array eq "rate" ? 1 : array eq "bath" ? 2 : 3
top(call) = 5 * call
y(call, array) = top(call) + lane(array)
is_written(array) = array eq "temperature"
# Legend: shapes, not colours alone.
set object 1 rectangle from 36, -0.95 to 38, -0.2 fillcolor rgb "#1f6fb2" fillstyle solid noborder
set label "read" at 38.6, -0.55
set object 2 rectangle from 42.2, -0.95 to 44.2, -0.2 fillcolor rgb "#c24e00" fillstyle pattern 4 border linecolor "#c24e00"
set label "written" at 44.8, -0.55
# Where a written element is also read.
set style rectangle
set object 3 rectangle from 26, 5.4 to 30, 8.6 fillstyle empty border linecolor "#b00020" linewidth 3 dashtype 2 front
set object 4 rectangle from 2, 14.4 to 12, 18.6 fillstyle empty border linecolor "#b00020" linewidth 3 dashtype 2 front
set label "both" at 30.4, 7 textcolor "#b00020"
set label "both" at 12.4, 17 textcolor "#b00020"
read_(v) = is_written(strcol("array")) ? 1/0 : v
written(v) = is_written(strcol("array")) ? v : 1/0
plot "calls.csv" using (read_(0.5 * (column("begin") + column("end")))): \
        (y(column("call"), strcol("array"))):(column("begin")):(column("end")): \
        (y(column("call"), strcol("array")) - 0.44):(y(column("call"), strcol("array")) + 0.44) \
        with boxxyerror fillstyle solid noborder linecolor "#1f6fb2", \
    "" using (written(0.5 * (column("begin") + column("end")))): \
        (y(column("call"), strcol("array"))):(column("begin")):(column("end")): \
        (y(column("call"), strcol("array")) - 0.44):(y(column("call"), strcol("array")) + 0.44) \
        with boxxyerror linecolor "#c24e00" linewidth 1.3 fillstyle pattern 4 border, \
    "" using (read_(0.5 * (column("begin") + column("end")))):(y(column("call"), strcol("array"))): \
        (strcol("array")) with labels textcolor "white", \
    "" using (written(column("end") + 0.4)):(y(column("call"), strcol("array"))):(strcol("array")) with labels left, \
    "" using (36):(strcol("array") eq "bath" ? top(column("call")) + 1.6 : 1/0): \
        (sprintf("calls[%d] %s", column("call"), strcol("verdict")." the promise")) with labels left
