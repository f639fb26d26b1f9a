# Steps a second of the student's image next to other versions, as bars. Drawn by ./lab bench 04.
# size 760x460
# text bars label=version value=billion_steps_per_s
set title "launch_julia_set, one image: steps that count"
set xlabel "billions a second, ".device
unset key
unset grid
set grid xtics linetype 1 linewidth 1 linecolor "#dddddd"
set ytics scale 0
set xrange [0:*]
set yrange [*:*] reverse
set offsets 0, graph 0.1, 0.3, 0.3
set style fill solid
half = 0.36
plot csv using (0.5 * column("billion_steps_per_s")):0:(0.5 * column("billion_steps_per_s")):(half): \
        (shade(stringcolumn("version"))):ytic(1) with boxxyerror linecolor rgb variable, \
    csv using "billion_steps_per_s":0:(sprintf("%.4g", column("billion_steps_per_s"))) \
        with labels left offset char 1, 0
