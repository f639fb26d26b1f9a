# Rounding errors of sum_half against n. Drawn by ./lab picture 17.
# size 760x420
# text lines x=n y=error by=version log=x
heading = "sum_half: relative error against n"
mine = "sum_half"
others = "'added in a half' 'added in a float'"
load "errors_by_n.gp"
