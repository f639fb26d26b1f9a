# Largest errors of sines against the angle. Drawn by ./lab picture 17.
# size 760x420
# text lines x=angle y=error by=version log=x
set title "sines: largest error up to an angle"
set xlabel "largest angle, radians"
set ylabel "largest error"
set logscale x 10
set logscale y 10
set format x "10^{%T}"
set format y "10^{%T}"
set yrange [5e-10:3]
set key top left
plot csv using "angle":(strcol("version") eq "sines" ? column("error") : 1 / 0) \
        with linespoints pointtype 7 linewidth 3 linecolor rgb "#1f6fb2" title "sines", \
    csv using "angle":(strcol("version") eq "allowed" ? column("error") : 1 / 0) \
        with lines dashtype 2 linecolor rgb "#777777" title "allowed for one"
