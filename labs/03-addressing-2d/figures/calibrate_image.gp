# Task 1: the image, as calibrate_image made it. Drawn by ./lab picture 03.
# size 760x270
# text shades x=x y=y value=raw,expected,student
heading = "calibrate_image: dense rows"
load "image_pair.gp"
