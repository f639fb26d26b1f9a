# Passes over the banks of shared memory by the student's sum and by other trees, as bars. Drawn by ./lab bench 06 on the
# virtual GPU, whose modelled times do not show how trees differ.
# size 760x420
# text bars label=version value=passes
set title "sum, one n: passes over the banks of shared memory (counted)"
set xlabel "passes, in thousands"
unset key
unset grid
set grid xtics linetype 1 linewidth 1 linecolor "#dddddd"
set ytics scale 0
set xrange [0:*]
set yrange [*:*] reverse
set offsets 0, graph 0.1, 0.3, 0.3
set style fill solid
half = 0.36
plot csv using (0.0005 * column("passes")):0:(0.0005 * column("passes")):(half): \
        (shade(stringcolumn("version"))):ytic(1) with boxxyerror linecolor rgb variable, \
    csv using (0.001 * column("passes")):0:(sprintf("%.4g", 0.001 * column("passes"))) with labels left offset char 1, 0
