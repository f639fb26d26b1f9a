# Which elements sum_fast has added. Drawn by ./lab picture 08.
# size 760x460
heading = "sum_fast: how often is each of 600 elements in the sum?"
load "counted.gp"
