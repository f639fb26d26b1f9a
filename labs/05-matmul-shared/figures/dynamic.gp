# c after matmul_dynamic, tile = 16. Drawn by ./lab picture 05.
# size 760x460
# text marks x=col y=row value=student expected=expected tolerance=tolerance
heading = "matmul_dynamic, tile = 16: c, with m = 37, k = 41, n = 70, and tiles of 16 x 16"
tile = 16
load "product_map.gp"
