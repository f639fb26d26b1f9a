# How many students have how many points in a lab. Drawn for the instructor's page.
# Columns: points, width (of the bar), students.
# size 420x250
set xlabel "points"
set ylabel "students"
unset key
set yrange [0:*]
set offsets 0, 0, graph 0.08, 0
set style fill solid border linecolor "white"
stats csv using (column("points")) name "points" nooutput
stats csv using (column("width")) name "width" nooutput
stats csv using (column("students")) name "students" nooutput
is_single = width_max == 1
set xrange [(is_single ? -0.7 : 0) : (points_max + (is_single ? 0.7 : width_max))]
step = (is_single && points_max > 12 ? 2 : is_single ? 1 : 2 * width_max)
set xtics nomirror step
if (students_max < 8) set ytics 1
# A bar of whole points stands over its number, a wider one begins at it.
plot csv using (is_single ? column("points") : column("points") + column("width") / 2):"students":(0.9 * column("width")) \
    with boxes linecolor rgb shade("reference")
