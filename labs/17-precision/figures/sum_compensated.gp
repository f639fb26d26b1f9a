# Right digits of sum_compensated against n, where terms cancel. Drawn by ./lab picture 17.
# size 760x420
# text lines x=n y=digits by=version log=x
heading = "sum_compensated: right digits against n, where terms cancel"
mine = "sum_compensated"
first = "one after the other"
second = "in pairs"
load "digits_by_n.gp"
