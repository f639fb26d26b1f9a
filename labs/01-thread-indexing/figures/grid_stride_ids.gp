# Task 2: which thread wrote which element, on a grid of 16 threads. Drawn by ./lab picture 01.
# size 760x300
# text numbers x=element wrap=16 value=id expected=expected_id
heading = "grid_stride_ids: n = 29, two blocks of 8 threads"
load "id_map.gp"
