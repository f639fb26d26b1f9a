# How long the lanes of warps work, for warps of different shapes.
#   awk -v what=lanes  -f warps.awk > lanes.csv     128 pixels, cut into four warps in two ways
#   awk -v what=shapes -f warps.awk > shapes.csv    every shape, over the whole image
BEGIN {
    dim = 1024; scale = 1.5; c_re = -0.8; c_im = 0.156
    if (what == "lanes") lanes(); else shapes()
}
function lanes(    i) {
    column = 512; row = 356  # chosen: four rows across an arm of the set
    print "# Made by warps.awk: dim = " dim ", scale = " scale ", 32 x 4 pixels from column " column \
        ", row " row "."
    print "shape,warp,lane,steps,slowest"
    for (i = 0; i < 4; ++i) warp("32 x 1", i, column, row + i, 32)
    for (i = 0; i < 4; ++i) warp("8 x 4", i, column + 8 * i, row, 8)
}
function warp(shape, number, x, y, width,    lane, slowest, steps) {
    slowest = 0
    for (lane = 0; lane < 32; ++lane) {
        steps[lane] = work(x + lane % width, y + int(lane / width))
        if (steps[lane] > slowest) slowest = steps[lane]
    }
    for (lane = 0; lane < 32; ++lane)
        print shape "," number "," lane "," steps[lane] "," slowest
}
function shapes(    width, height, x, y, u, v, s, slowest, sum, taken) {
    print "# Made by warps.awk: all warps of the image at dim = " dim ", scale = " scale "."
    print "shape,steps,lane_steps_taken,lanes_at_work_pct"
    for (y = 0; y < dim; ++y) for (x = 0; x < dim; ++x) all[y * dim + x] = work(x, y)
    for (width = 32; width >= 1; width /= 2) {
        height = 32 / width; sum = 0; taken = 0
        for (y = 0; y < dim; y += height) for (x = 0; x < dim; x += width) {
            slowest = 0
            for (v = y; v < y + height; ++v) for (u = x; u < x + width; ++u) {
                s = all[v * dim + u]; sum += s
                if (s > slowest) slowest = s
            }
            taken += 32 * slowest
        }
        printf "%d x %d,%d,%d,%.1f\n", width, height, sum, taken, 100 * sum / taken
    }
}
# Steps that a lane computes: the one that escapes is one of them.
function work(x, y,    re, im, step, new_re) {
    re = scale * (2 * x + 1 - dim) / dim
    im = scale * (dim - 1 - 2 * y) / dim
    for (step = 1; step < 200; ++step) {
        new_re = re * re - im * im + c_re
        im = 2 * re * im + c_im
        re = new_re
        if (re * re + im * im > 1000) return step
    }
    return 200
}
