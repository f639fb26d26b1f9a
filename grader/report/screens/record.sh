#!/bin/sh
# Records a grading for screens_test.cpp: grader/report/screens/record.sh NAME LAB FILE [OPTIONS]
#
#   NAME     the folder to write, as 05-race
#   LAB      01 to 10
#   FILE     the submission; the screen shows it as the lab's own file
#   OPTIONS  of ./lab grade; --device vgpu unless given
set -eu
[ $# -ge 3 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
name=$1 lab=$2 file=$3
shift 3
root=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$root"
folder=grader/report/screens/$name
mkdir -p "$folder"
set -- labs/"$lab"-*/*.cu "$@"
shown=$1
shift
[ $# -gt 0 ] || set -- --device vgpu
./lab grade "$lab" --file "$file" --seed 7 --json "$@" |
    sed "s|$file|$shown|g" >"$folder/results.jsonl" || true
cp "$file" "$folder/submission.cu"
