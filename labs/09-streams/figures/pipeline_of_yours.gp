# When the student's kernels and copies would run, one row a stream. Drawn by ./lab picture 09.
# size 860x380
heading = "pipeline: 4 MB each way in 8 pieces over 3 streams"
load "streams.gp"
