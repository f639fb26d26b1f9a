# Sectors that a warp's store of 32 pixels moves, for blocks of different shapes, from the launches
# that the virtual GPU counted. (The loads of raw move as many.)
#   awk -f shapes.awk launches.jsonl > shapes.csv          (launches.jsonl: see measure.cu)
function number(name,   at) {
    at = index($0, "\"" name "\":")
    return at == 0 ? 0 : substr($0, at + length(name) + 3) + 0
}
function list(name,   text) {
    text = substr($0, index($0, "\"" name "\":[") + length(name) + 4)
    return substr(text, 1, index(text, "]") - 1)
}
BEGIN {
    print "# Made by shapes.awk: sectors a store request in images of 1024 rows, from measure.cu."
    print "shape,width 1024,width 1021,width 1021 with a pitch of 1024"
}
/"record":"launch"/ {
    split(list("block"), block, ",")
    shape = block[1] " x " block[2]
    if (!(shape in sectors)) shapes[++count] = shape
    sectors[shape] = sectors[shape] sprintf(",%.2f", \
        number("l1tex__t_sectors_pipe_lsu_mem_global_op_st") \
        / number("l1tex__t_requests_pipe_lsu_mem_global_op_st"))
}
END {
    for (i = 1; i <= count; ++i) print shapes[i] sectors[shapes[i]]
}
