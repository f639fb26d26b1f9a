# c after matmul_coarsened. Drawn by ./lab picture 05.
# size 760x460
# text marks x=col y=row value=student expected=expected tolerance=tolerance
heading = "matmul_coarsened: c, with m = 37, k = 41, n = 70, and tiles of 64 x 64"
tile = 64
load "product_map.gp"
