# Which calls of anneal break the promise: the arrays of four calls in one pool.
#   cd labs/10-pointer-aliasing/figures && gnuplot calls.gp
set terminal svg noenhanced size 760,500 font "sans-serif,13" background "white"
set output "calls.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
unset border
set tics scale 0
unset ytics
set xtics 0, 4, 40
set grid xtics linecolor "#e4e4e4"
set xlabel "place in the pool (n = 10)"
set xrange [-0.5:48]
set yrange [20.2:-0.8]
set style fill solid border linecolor "white"
lane(array) = array eq "start" ? 0 : array eq "rate" ? 1 : array eq "bath" ? 2 : 3
colour(array) = array eq "temperature" ? 0xd95f02 : 0x1f6fb2
top(call) = 5 * call
y(call, array) = top(call) + lane(array)
set label "blue: read" at 35.2, -0.4 textcolor "#1f6fb2"
set label "orange: written" at 35.2, 0.5 textcolor "#d95f02"
plot "calls.csv" using (0.5 * (column("begin") + column("end"))): \
        (y(column("call"), strcol("array"))):(column("begin")):(column("end")): \
        (y(column("call"), strcol("array")) - 0.44):(y(column("call"), strcol("array")) + 0.44): \
        (colour(strcol("array"))) with boxxyerror linecolor rgb variable, \
    "" using (0.5 * (column("begin") + column("end"))):(y(column("call"), strcol("array"))): \
        (strcol("array") eq "temperature" ? "temperature" : strcol("array")) \
        with labels textcolor "white" font ",11", \
    "" using (35.2):(strcol("array") eq "bath" ? top(column("call")) + 2 : 1/0): \
        (sprintf("calls[%d] %s", column("call"), strcol("verdict")." the promise")) with labels left
