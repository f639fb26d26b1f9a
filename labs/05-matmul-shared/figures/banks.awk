# Which of the 32 banks each lane of a warp reads, in four ways to read a tile of 32 x 32 floats.
#   awk -f banks.awk > banks.csv
BEGIN {
    print "# Lane 0 to 31 read one float each; the tile begins at bank 0. Made by banks.awk."
    print "panel,lane,bank"
    for (lane = 0; lane < 32; ++lane) {
        i = 5; y = 3  # the step of the loop, the thread's row
        print "own," lane "," (i * 32 + lane) % 32        # b_tile[i][x]
        print "same," lane "," (y * 32 + i) % 32          # a_tile[y][i]
        print "column," lane "," (lane * 32 + i) % 32     # b_tile[x][i]
        print "padded," lane "," (lane * 33 + i) % 32     # b_tile[x][i], rows of 33
    }
}
