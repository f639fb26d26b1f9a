# The tree of a block, round by round: which thread adds which partner.
#   awk -v threads=11 -f tree.awk > tree.csv
# A row for each place of shared memory in each round: adds (to place `partner`), keeps its value
# because the partner does not exist, or is no longer needed.
BEGIN {
    half = 1
    while (2 * half < threads) half *= 2
    whole = 2 * half
    print "round,half,place,partner,state"
    for (place = 0; place < whole; ++place)
        print "0,0," place ",-1," (place < threads ? "value" : "absent")
    for (round = 1; half > 0; half = int(half / 2)) {
        for (place = 0; place < half; ++place) {
            partner = place + half
            print round "," half "," place "," partner "," (partner < threads ? "adds" : "keeps")
        }
        ++round
    }
}
