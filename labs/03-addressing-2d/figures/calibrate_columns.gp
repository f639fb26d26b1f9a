# Task 5: the column-major image, as calibrate_columns made it. Drawn by ./lab picture 03.
# size 760x270
# text shades x=x y=y value=raw,expected,student
heading = "calibrate_columns: column after column in memory"
load "image_pair.gp"
