# The elements that sum_hybrid has added. Drawn by ./lab picture 08.
# size 760x460
# text numbers x=lane y=row value=times
heading = "sum_hybrid: how often is each of 600 elements in the sum?"
load "counted.gp"
