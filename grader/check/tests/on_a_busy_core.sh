#!/bin/sh
# Runs a command on one core, together with three programs that compute all the time.
cpu=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
taskset -pc "$cpu" $$ >/dev/null
for i in 1 2 3; do (while :; do :; done) & busy="$busy $!"; done
trap 'kill $busy' EXIT
"$@"
