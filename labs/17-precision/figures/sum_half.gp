# Right digits of sum_half against n. Drawn by ./lab picture 17.
# size 760x420
# text lines x=n y=digits by=version log=x
heading = "sum_half: right digits against n"
mine = "sum_half"
first = "added in a half"
second = "added in a float"
load "digits_by_n.gp"
