#!/bin/sh
# Runs a command on one core, together with three programs that compute all the time.
cpu=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
taskset -pc "$cpu" $$ >/dev/null
# In sessions of their own, so that Linux shares the core out evenly (autogroups).
for i in 1 2 3; do setsid sh -c "while :; do :; done" & busy="$busy $!"; done
trap 'kill $busy' EXIT
"$@"
