# The tree of a block, round by round: which thread adds which partner, and the numbers.
#   awk -v numbers="3 1 4 1 5 9 2 6 5 3 5" -f tree.awk > tree.csv
# A row for each place of shared memory in each round: adds (to place `partner`), keeps its number
# because the partner does not exist, or is no longer needed.
BEGIN {
    threads = split(numbers, number, " ")
    half = 1
    while (2 * half < threads) half *= 2
    whole = 2 * half
    print "round,half,place,partner,state,number"
    for (place = 0; place < whole; ++place)
        print "0,0," place ",-1," (place < threads ? "value" : "absent") "," number[place + 1]
    for (round = 1; half > 0; half = int(half / 2)) {
        for (place = 0; place < half; ++place) {
            partner = place + half
            if (partner < threads) number[place + 1] += number[partner + 1]
            print round "," half "," place "," partner "," (partner < threads ? "adds" : "keeps") "," number[place + 1]
        }
        threads = half < threads ? half : threads
        ++round
    }
}
