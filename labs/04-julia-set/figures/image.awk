# The counts of an image, one row a line, in the precision of awk (double). The header row is how
# gnuplot wants it: the number of columns, then their numbers.
#   awk -f image.awk > image.csv
#   awk -v scale=0.5 -f image.awk > near.csv
BEGIN {
    dim = 300; if (scale == 0) scale = 1.5
    c_re = -0.8; c_im = 0.156
    print "# Made by image.awk: counts at dim = " dim ", scale = " scale "."
    header = dim
    for (x = 0; x < dim; ++x) header = header "," x
    print header
    for (y = 0; y < dim; ++y) {
        line = y
        for (x = 0; x < dim; ++x)
            line = line "," count(scale * (2 * x + 1 - dim) / dim, scale * (dim - 1 - 2 * y) / dim)
        print line
    }
}
function count(re, im,    step, new_re) {
    for (step = 0; step < 200; ++step) {
        new_re = re * re - im * im + c_re
        im = 2 * re * im + c_im
        re = new_re
        if (re * re + im * im > 1000) return step
    }
    return 200
}
