# Flags a second of all columns, as bytes and as bits. Drawn by ./lab bench 13.
# size 760x420
# text bars label=version,function value=billion_flags_per_s
set title "flags of all columns, 10 items (".device.")"
set ylabel "billion flags a second"
set xrange [-0.6:*]
set yrange [0:*]
set xtics rotate by -25
set style fill solid
set boxwidth 0.7
unset key
plot csv using 0:"billion_flags_per_s":xtic(strcol("function").", ".strcol("version")) \
    with boxes linecolor "#1f6fb2"
