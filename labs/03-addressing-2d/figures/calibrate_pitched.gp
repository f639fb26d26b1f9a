# Task 3: the image with padded rows, as calibrate_pitched made it. Drawn by ./lab picture 03.
# size 760x270
# text shades x=x y=y value=raw,expected,student
heading = "calibrate_pitched: rows with padding (not drawn)"
load "image_pair.gp"
