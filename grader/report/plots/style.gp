# How every picture of `./lab picture` and `./lab bench` begins; labs/NN-topic/figures/NAME.gp follows.
#
# Given on the command line (core/draw.cpp):
#   csv      the table to draw, a CSV file with a header row
#   out      the file to write
#   term     "png" or "svg"
#   device   where times come from: "NVIDIA H200", or "modelled for NVIDIA H200"
#   width, height    in pixels; a script asks for others with "# size 760x330" among its first lines
# Without gnuplot the table is drawn with characters, as the script's lines "# text ..." say
# (report/plots/text_plot.h).
# Names keep their underscores: texts are not "enhanced" (no 2^{20}; write 2^20).
set encoding utf8
if (term eq "png") set terminal pngcairo noenhanced size width, height font "sans-serif,11" background "white"
if (term eq "svg") set terminal svg noenhanced size width, height font "sans-serif,14" background "white"
set output out

set datafile separator ","
set datafile commentschars "#"
set datafile missing NaN  # a line goes on across what is left out
set border 3
set tics nomirror
set grid ytics linetype 1 linewidth 1 linecolor "#dddddd"

# One look for each version in every lab, readable side by side, in print and to the colour-blind. The
# student's is thin and in front, so that the reference shows behind one that is as fast.
look(version) = version eq "student" ? 1 : version eq "reference" ? 2 : version eq "baseline" ? 3 : \
    version eq "expert" ? 4 : 5
shade(version) = version eq "student" ? 0xd95f02 : version eq "reference" ? 0x1f6fb2 : \
    version eq "baseline" ? 0x777777 : version eq "expert" ? 0x2a9d63 : 0x92b8d8
set linetype 1 linecolor "#d95f02" linewidth 2 pointtype 7 pointsize 0.7
set linetype 2 linecolor "#1f6fb2" linewidth 5 pointtype 5 pointsize 1.2
set linetype 3 linecolor "#777777" linewidth 2 pointtype 4
set linetype 4 linecolor "#2a9d63" linewidth 2 pointtype 9
set linetype 5 linecolor "#7a5bb0" linewidth 2 pointtype 13
set linetype 6 linecolor "#a0522d" linewidth 2 pointtype 11
set linetype cycle 6
# Of a table with a column "version", the rows of one; the others are left out.
only(version, value) = stringcolumn("version") eq version ? value : NaN
