# Which thread handles which element, for the two launches that the handout draws.
#   awk -f thread_map.awk > thread_map.csv
BEGIN {
    n = 29; threads_per_block = 8
    print "# Made by thread_map.awk: n = " n ", blocks of " threads_per_block " threads."
    print "task,row,column,element,id,block"

    # Task 1: as many blocks as are needed, one element a thread; the last threads have none (-1).
    blocks = int((n + threads_per_block - 1) / threads_per_block)
    for (id = 0; id < blocks * threads_per_block; ++id)
        cell("one element a thread", id, id < n ? id : -1, id)

    # Task 2: two blocks, whatever n is.
    threads = 2 * threads_per_block
    for (i = 0; i < n; ++i) cell("grid-stride", i, i, i % threads)
}
function cell(task, place, element, id) {
    printf "%s,%d,%d,%d,%d,%d\n", task, int(place / 16), place % 16, element, id,
        int(id / threads_per_block)
}
