# Banks of shared memory that the first warp of a block touches, round by round.
#   labs/figures/draw labs/06-reduction-binary/figures/banks.gp
set terminal svg size 820,330 font "sans-serif,13" background "white"
set output "banks.svg"
set datafile separator ","
unset key
set xrange [-0.5:31.5]
set yrange [7.5:-0.5]
set xtics ("0" 0, "8" 8, "16" 16, "24" 24, "31" 31) out nomirror
set ytics 0,1,7 out nomirror
set xlabel "bank"
set cbrange [0:8]
set palette defined (0 "#f4f4f4", 0.99 "#f4f4f4", 1 "#9fc5e3", 2 "#f6d08b", 4 "#ef8f3a", 8 "#b02020")
of(t) = stringcolumn("tree") eq t ? column("bank") : 1/0
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.45
unset colorbox
set ylabel "round"
set title "interleaved (0+1, 2+3, ...): lanes queue"
plot "banks.csv" using (of("interleaved")):(column("round")):(0.45):(0.42):(column("lanes")) \
    with boxxyerror fillstyle solid noborder linecolor palette
set lmargin at screen 0.53
set rmargin at screen 0.89
unset ylabel
set colorbox
set cblabel "lanes in one bank"
set cbtics (0, 1, 2, 4, 8)
set title "sequential (0+128, 1+129, ...): none does"
plot "banks.csv" using (of("sequential")):(column("round")):(0.45):(0.42):(column("lanes")) \
    with boxxyerror fillstyle solid noborder linecolor palette
unset multiplot
