# Task 1: which thread wrote which element. Drawn by ./lab picture 01.
# size 760x300
# text numbers x=element wrap=16 value=id expected=expected_id
heading = "global_ids: n = 29, blocks of 8 threads"
load "id_map.gp"
