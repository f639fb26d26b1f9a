# Task 1: the image, as calibrate_image made it. Drawn by ./lab picture 03.
# size 760x270
heading = "calibrate_image: dense rows"
load "image_pair.gp"
