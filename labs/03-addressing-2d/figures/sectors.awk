# What one warp touches in an image of 32 columns, row-major, one sector (8 floats) a cell: how many
# of its 8 floats the warp uses. First along a row, then down a column.
#   awk -f sectors.awk > sectors.csv
BEGIN {
    width = 32; rows = 32; floats = 8
    print "# Made by sectors.awk: a warp's 32 floats in an image of " width " columns."
    print "pattern,row,sector,used"
    for (lane = 0; lane < 32; ++lane) {
        ++used["along a row", 4, int(lane / floats)]
        ++used["down a column", lane, int(5 / floats)]
    }
    split("along a row,down a column", patterns, ",")
    for (p = 1; p <= 2; ++p)
        for (y = 0; y < rows; ++y)
            for (s = 0; s < width / floats; ++s)
                printf "%s,%d,%d,%d\n", patterns[p], y, s, used[patterns[p], y, s]
}
