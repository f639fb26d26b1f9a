# Every column of the table, as it was written. Drawn by ./lab picture 13.
# size 760x360
# text marks x=sum y=items student=student expected=expected
set title "which sums the first items of {3, 7, 12, 20, 26, 33} can make"
set xlabel "sum"
set ylabel "items used"
set xrange [-1:41]
set yrange [6.6:-0.6]
set ytics 0, 1, 6
set key outside top right horizontal
unset grid
plot csv using (column("written") == 1 && column("student") == column("expected") && column("student") == 1 ? column("sum") : NaN):"items" \
        with points pointtype 7 pointsize 1.1 linecolor "#1f6fb2" title "reachable", \
    csv using (column("written") == 1 && column("student") == column("expected") && column("student") == 0 ? column("sum") : NaN):"items" \
        with points pointtype 7 pointsize 0.35 linecolor "#aaaaaa" title "not reachable", \
    csv using (column("written") == 0 || column("student") != column("expected") ? column("sum") : NaN):"items" \
        with points pointtype 2 pointsize 1.1 linewidth 2 linecolor "#d95f02" title "wrong, or never written"
