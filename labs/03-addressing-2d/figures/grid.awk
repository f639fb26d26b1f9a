# The threads of a 2D launch over an image of 5 rows and 13 columns, and the image in memory.
#   awk -f grid.awk > grid.csv
BEGIN {
    height = 5; width = 13; pitch = 16; across = 8; down = 2
    print "# Made by grid.awk: height " height ", width " width ", pitch " pitch ", blocks of " \
        across " x " down " threads."
    print "part,row,column,block,exists,element"
    blocks_across = int((width + across - 1) / across)
    blocks_down = int((height + down - 1) / down)
    for (y = 0; y < blocks_down * down; ++y)
        for (x = 0; x < blocks_across * across; ++x) {
            block = int(y / down) * blocks_across + int(x / across)
            exists = x < width && y < height
            printf "threads,%d,%d,%d,%d,-1\n", y, x, block, exists
        }
    for (y = 0; y < height; ++y)
        for (x = 0; x < pitch; ++x)
            printf "memory,%d,%d,%d,%d,%d\n", y, x, \
                int(y / down) * blocks_across + int(x / across), x < width, y * pitch + x
}
