# When the student's kernels and copies would run, one row per stream. Drawn by ./lab picture 09.
# size 860x380
# text spans row=stream kind=kind from=begin_us to=end_us
heading = "pipeline: 4 MB each way in 8 pieces over 3 streams"
load "streams.gp"
