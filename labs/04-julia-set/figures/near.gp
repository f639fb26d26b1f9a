# The middle of the set, three times as near.
#   cd labs/04-julia-set/figures && gnuplot near.gp
name = "near"
reach = 0.5
load "image.gp"
