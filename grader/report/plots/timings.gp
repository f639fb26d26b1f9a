# How long single calls of the student's kernel took, as a histogram. Drawn by ./lab bench where times
# are measured. Columns: from_ms, to_ms, calls.
# size 760x330
set title "Single calls of yours, the largest case"
set xlabel "ms, ".device
set ylabel "calls"
unset key
set yrange [0:*]
set offsets 0, 0, graph 0.05, 0
set style fill solid border linecolor "white"
plot csv using ((column("from_ms") + column("to_ms")) / 2):"calls":(column("to_ms") - column("from_ms")) \
    with boxes linecolor rgb shade("student")
