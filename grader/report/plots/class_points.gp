# How many students have how many points in a lab. Drawn for the instructor's page of ./lab report.
# Columns: points, width (of the bar), students.
# size 460x260
set xlabel "points"
set ylabel "students"
unset key
set yrange [0:*]
set offsets 0, 0, graph 0.08, 0
set style fill solid border linecolor "white"
set xtics nomirror
stats csv using (column("width")) nooutput
is_single = STATS_max == 1
# A bar of whole points stands over its number, a wider one begins at it.
plot csv using (is_single ? column("points") : column("points") + column("width") / 2):"students":(0.9 * column("width")) \
    with boxes linecolor rgb shade("reference")
