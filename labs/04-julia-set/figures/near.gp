# The middle of the set, three times as near.
#   labs/figures/draw labs/04-julia-set/figures/near.gp
name = "near"
reach = 0.5
load "image.gp"
