# How often each thread loads from and stores to global memory, from the launches that the virtual
# GPU counted: requests of warps, divided by warps.
#   awk -f accesses.awk launches.jsonl > accesses.csv          (launches.jsonl: see measure.cu)
function number(name,   at) {
    at = index($0, "\"" name "\":")
    return at == 0 ? 0 : substr($0, at + length(name) + 3) + 0
}
function kernel(   text) {
    text = substr($0, index($0, "\"kernel\":\"") + 10)
    return substr(text, 1, index(text, "(") - 1)
}
BEGIN {
    warps = 4096 / 32
    said["no_promise"] = "no promise"
    said["const_only"] = "const only"
    said["rate_only"] = "__restrict__ on rate"
    said["inputs_only"] = "__restrict__ on rate and bath"
    said["output_only"] = "__restrict__ on temperature"
    said["all_without_const"] = "__restrict__ on all without const"
    said["all"] = "const and __restrict__ on all"
    said["by_hand"] = "local variable instead"
    print "# Made by accesses.awk, from measure.cu: 64 cycles of 4 baths, 256 steps."
    print "version,loads,stores"
}
/"record":"launch"/ && kernel() in said {
    printf "%s,%d,%d\n", said[kernel()], \
        number("l1tex__t_requests_pipe_lsu_mem_global_op_ld") / warps, \
        number("l1tex__t_requests_pipe_lsu_mem_global_op_st") / warps
}
