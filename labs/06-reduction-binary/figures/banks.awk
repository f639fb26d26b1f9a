# Which banks of shared memory the first warp touches, round by round, for two kinds of tree.
#   awk -f banks.awk > banks.csv
# A block of 256 threads. Lane t reads the partner of the place that it adds to; a place lies in
# bank place mod 32. `lanes`: how many lanes meet in a bank, which are served one after the other.
BEGIN {
    threads = 256
    print "tree,round,bank,lanes"
    for (round = 0; 2 ^ round < threads; ++round) {
        step = 2 ^ round
        half = threads / 2 ^ (round + 1)
        split("", apart)
        split("", together)
        for (lane = 0; lane < 32; ++lane) {
            if (2 * step * lane < threads) ++apart[(2 * step * lane + step) % 32]
            if (lane < half) ++together[(lane + half) % 32]
        }
        for (bank = 0; bank < 32; ++bank) {
            print "interleaved," round "," bank "," apart[bank] + 0
            print "sequential," round "," bank "," together[bank] + 0
        }
    }
}
