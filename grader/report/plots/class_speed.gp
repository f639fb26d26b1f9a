# How fast a class's programs are next to the reference, and the least accepted ratio. Drawn for the
# instructor's page. Columns: from, to (ratios), students, threshold, height (of its line).
# size 420x250
set logscale x 2
set xlabel "times the reference's speed"
set ylabel "students"
set key outside top left horizontal
set format x "%g"
set yrange [0:*]
set offsets 0, 0, graph 0.08, 0
set style fill solid border linecolor "white"
stats csv using (column("students")) name "students" nooutput
if (students_max < 8) set ytics 1
plot csv using ((column("from") + column("to")) / 2):"students":(column("to") - column("from")) \
         with boxes linecolor rgb shade("reference") title "students", \
     csv using "threshold":"height" every ::0::0 with impulses linecolor rgb shade("student") linewidth 3 title "required"
