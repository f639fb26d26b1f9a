# Both compactions, the student's next to others, as bars. Drawn by ./lab bench 14.
# size 860x460
# text bars label=version,function value=gb_per_s
set title "Half of the elements kept: bytes read once and written once"
set xlabel "GB/s, ".device
unset key
unset grid
set grid xtics linetype 1 linewidth 1 linecolor "#dddddd"
set ytics scale 0
set xrange [0:*]
set yrange [*:*] reverse
set offsets 0, graph 0.1, 0.3, 0.3
set style fill solid
half = 0.36
plot csv using (0.5 * column("gb_per_s")):0:(0.5 * column("gb_per_s")):(half): \
        (shade(stringcolumn("version"))):ytic(stringcolumn("version").", ".stringcolumn("function")) \
        with boxxyerror linecolor rgb variable, \
    csv using "gb_per_s":0:(sprintf("%.4g", column("gb_per_s"))) with labels left offset char 1, 0
