# The set: how many steps each pixel survives.
#   labs/figures/draw labs/04-julia-set/figures/image.gp
if (!exists("name")) { name = "image"; reach = 1.5 }
# Grey on nothing: legible on a white page and on a dark one.
set terminal pngcairo transparent size 760,640 font "sans-serif,13"
set output name.".png"
set datafile separator ","
set datafile commentschars "#"
unset key
set size ratio -1
set border 3 linecolor "#767676"
set tics nomirror out textcolor "#767676"
set xlabel "re" textcolor "#767676"
set ylabel "im" textcolor "#767676"
set cblabel "steps survived (logarithmic colours)" textcolor "#767676"
set xrange [-reach:reach]
set yrange [-reach:reach]
step = reach > 1 ? 0.5 : 0.25
set xtics step
set ytics step
# Counts + 1, so that a count of 0 has a logarithm.
set logscale cb
set cbrange [2:201]
set cbtics textcolor "#767676" ("1" 2, "3" 4, "10" 11, "30" 31, "100" 101, "200" 201)
set palette defined (0 "#f7fbff", 0.25 "#9ecae1", 0.5 "#3b7fb9", 0.75 "#5b3a91", 0.92 "#c43c5b", 1 "#1a1a1a")
dim = 300.0
at(i) = reach * (2 * i + 1 - dim) / dim
plot name.".csv" nonuniform matrix using (at($1)):(-at($2)):($3 + 1) with image
