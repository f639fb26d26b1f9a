# Where argmax_block finds the largest element. Drawn by ./lab picture 12.
# size 760x320
# text numbers x=column y=row value=index_found
heading = "argmax_block: the largest of 320 elements stands here. Is it found?"
load "found.gp"
