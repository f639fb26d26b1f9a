# Eight jobs with a logging kernel in the default stream after each: above in streams that wait for
# the default stream, below in streams that do not. One row a stream.
#   labs/figures/draw labs/09-streams/figures/jobs.gp
set terminal svg noenhanced size 860,520 font "sans-serif,13" background "white"
set output "jobs.svg"
set datafile separator ","
set datafile commentschars "#"
unset key
set border 1
set tics nomirror
set xlabel "time, us (modelled for an H200)"
set ytics scale 0
set yrange [20.8:-1.6]
set xrange [0:*]
set style fill solid border linecolor "white"
colour(kind) = kind eq "log" ? 0xc0392b : 0xd98a1a
# The default stream on top, because the others wait for it; then stream 1 to 8.
row_of(name) = name eq "default stream" ? 0 : int(word(name, 2))
y(part, name) = row_of(name) + (part == 2 ? 11 : 0)
set label "streams of cudaStreamCreate: each log_start waits for the job before it, and the next job for log_start" at graph 0, first -1.0
set label "streams made with cudaStreamNonBlocking: no stream waits" at graph 0, first 9.8
set label "orange: a job" at graph 0.60, first 10.0 textcolor rgb 0xd98a1a
set label "red: log_start" at graph 0.80, first 10.0 textcolor rgb 0xc0392b
plot "jobs.csv" using (0.5 * (column("begin_us") + column("end_us"))): \
        (y(column("part"), stringcolumn("stream"))):(column("begin_us")):(column("end_us")): \
        (y(column("part"), stringcolumn("stream")) - 0.4):(y(column("part"), stringcolumn("stream")) + 0.4): \
        (colour(stringcolumn("kind"))) with boxxyerror linecolor rgb variable, \
    "" using (column("begin_us")):(y(column("part"), stringcolumn("stream"))):ytic(3) with points pointtype 0
