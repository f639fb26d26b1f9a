# How many blocks of 256 threads of power_sums_kernel an H200's multiprocessor has room for, by each of its resources
#   labs/figures/draw labs/11-occupancy/figures/limits_of_256.gp
set terminal svg size 760,250 font "sans-serif,15" background "white"
set output "limits_of_256.svg"
set datafile separator ","
unset border
unset key
unset xtics
set xrange [0:78]
set yrange [3.6:-0.6]
set ytics scale 0 nomirror
set title "blocks that one multiprocessor has room for" left offset -14,0
set style fill solid
high = 0.32
colour(n) = n == 3 ? 0x9a4f00 : 0x1f6fb2
plot "limits_of_256.csv" using (column("blocks") / 2.0):0:(column("blocks") / 2.0):(high):(colour(column("blocks"))):ytic(1) \
        with boxxyerror linecolor rgb variable, \
    "" using (column("blocks") + 1):0:(sprintf(column("blocks") == 3 ? "%d   the lowest decides" : "%d", column("blocks"))) \
        with labels left
