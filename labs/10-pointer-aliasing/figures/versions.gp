# Time of anneal next to other versions, as bars. Drawn by ./lab bench 10.
# size 760x420
# text bars label=version value=time_ms
set title "anneal, 64 cycles: time by version"
set xlabel "ms, ".device
unset key
unset grid
set grid xtics linetype 1 linewidth 1 linecolor "#dddddd"
set ytics scale 0
set xrange [0:*]
set yrange [*:*] reverse
set offsets 0, graph 0.1, 0.3, 0.3
set style fill solid
half = 0.36
plot csv using (0.5 * column("time_ms")):0:(0.5 * column("time_ms")):(half): \
        (shade(stringcolumn("version"))):ytic(1) with boxxyerror linecolor rgb variable, \
    csv using "time_ms":0:(sprintf("%.3g", column("time_ms"))) with labels left offset char 1, 0
