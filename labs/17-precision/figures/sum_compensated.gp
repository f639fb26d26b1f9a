# Rounding errors of sum_compensated against n, of data that cancel. Drawn by ./lab picture 17.
# size 760x420
# text lines x=n y=error by=version log=x
heading = "sum_compensated: relative error against n, where terms cancel"
mine = "sum_compensated"
others = "'one after the other' 'in pairs'"
load "errors_by_n.gp"
