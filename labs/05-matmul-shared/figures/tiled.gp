# c after matmul_tiled. Drawn by ./lab picture 05.
# size 760x460
# text marks x=col y=row value=student expected=expected tolerance=tolerance
heading = "matmul_tiled: c, with m = 37, k = 41, n = 70, and tiles of 32 x 32"
tile = 32
load "product_map.gp"
