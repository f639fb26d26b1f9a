# Kernels and copies of two parts of timeline.cu, one row per stream, from the virtual GPU's records.
#   awk -v parts=1,2 -f timeline.awk timeline.jsonl > timeline.csv
#   awk -v parts=3,4 -f timeline.awk timeline.jsonl > jobs.csv
BEGIN {
    split(parts, wanted, ",")
    print "# Made by timeline.awk from what timeline.cu did on the virtual GPU (modelled for an H200)."
    print "part,row,stream,kind,begin_us,end_us"
}
/"record":"operation"/ {
    what = text("what"); engine = text("engine")
    if (what ~ /^cudaMemset/) { ++part; begin = -1; next }
    if (part != wanted[1] && part != wanted[2]) next
    if (begin < 0) begin = number("begin_ns")
    stream = number("stream")
    if (!((part, stream) in rows)) {
        rows[part, stream] = all_rows++
        names[part, stream] = stream == 0 ? "default stream" : "stream " ++streams[part]
    }
    kind = engine == "kernels" ? (what ~ /log_kernel/ ? "log" : "kernel") : engine
    printf "%d,%d,%s,%s,%.2f,%.2f\n", part == wanted[1] ? 1 : 2, rows[part, stream],
        names[part, stream], kind, (number("begin_ns") - begin) / 1000, (number("end_ns") - begin) / 1000
}
function text(key,    rest) {
    rest = substr($0, index($0, "\"" key "\":\"") + length(key) + 4)
    return substr(rest, 1, index(rest, "\"") - 1)
}
function number(key) {
    return substr($0, index($0, "\"" key "\":") + length(key) + 3) + 0
}
