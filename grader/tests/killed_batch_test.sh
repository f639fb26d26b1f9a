#!/bin/sh
# A batch that is killed again and again, and one whose disk is full: nothing is lost, nothing graded twice.
#
#     killed_batch_test.sh LAB-CLASS ROOT BUILD [KILLS]
set -u
class=$1
export LAB_ROOT="$2" LAB_BUILD="$3"
kills=${4:-10}

folder=$(mktemp -d "${TMPDIR:-/tmp}/killed-batch.XXXXXX")
trap 'umount "$folder/full" 2>/dev/null; rm -rf "$folder"' EXIT
fail() {
    echo "FAILED: $*"
    cat "$folder"/*.log
    exit 1
}

number=0
for file in "$2"/solutions/02-vector-add/also-right/*.cu "$2"/solutions/02-vector-add/wrong/*.cu; do
    number=$((number + 1))
    mkdir -p "$folder/class/student$number"
    cp "$file" "$folder/class/student$number/vector_add.cu"
done

# What a grading says, without what may differ: by whom, which test, its points.
points() {
    for file in "$1"/gradings/*/*.jsonl; do
        printf '%s ' "${file##*/}"
        grep -o '"earned":[0-9.]*\|"verdict":"[a-z_]*"' "$file" | tr '\n' ' '
        echo
    done
}
batch() { "$class" batch "$folder/class" --device vgpu "$@"; }

begin=$(date +%s)
batch --results "$folder/whole" >"$folder/whole.log" 2>&1 || fail "the batch that nobody kills"
whole=$(($(date +%s) - begin))
grep -q ": $number graded now, 0 known" "$folder/whole.log" || fail "not every submission was graded"
points "$folder/whole" >"$folder/expected"

# Moments up to a sixth of the whole, the same ones each time: the machine's speed varies enough.
graded=0
for kill in $(seq "$kills"); do
    # Not by the function: that would be a shell's process, and the batch's its child.
    "$class" batch "$folder/class" --device vgpu --results "$folder/killed" >"$folder/killed.log" 2>&1 &
    pid=$!
    sleep "$(awk "BEGIN { print 0.05 + ($kill * 37 % 100) / 100 * $whole / 6 }")"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    now=$(ls "$folder"/killed/gradings/*/*.jsonl 2>/dev/null | wc -l)
    [ "$now" -ge "$graded" ] || fail "kill $kill: a result is gone"
    graded=$now
done
[ "$graded" -gt 0 ] || fail "it was killed before each result"
batch --results "$folder/killed" >"$folder/resumed.log" 2>&1 || fail "the batch that goes on"
grep -q ": $((number - graded)) graded now, $graded known\|: $((number - graded - 1)) graded now" "$folder/resumed.log" ||
    fail "$graded results were there, and it did not go on from them"
points "$folder/killed" >"$folder/got"
# The seeds differ, as each results folder has a secret of its own; verdicts must not.
cut -d' ' -f2- "$folder/expected" | sort >"$folder/expected.sorted"
cut -d' ' -f2- "$folder/got" | sort >"$folder/got.sorted"
cmp "$folder/expected.sorted" "$folder/got.sorted" || fail "the results differ from those of a batch that nobody killed"
batch --results "$folder/killed" >"$folder/last.log" 2>&1 || fail "the last call"
grep -q ": 0 graded now, $number known" "$folder/last.log" || fail "something is missing after all"

# --- A full disk ---------------------------------------------------------------------------------------
mkdir "$folder/full"
mount -t tmpfs -o size=500k none "$folder/full" 2>/dev/null || {
    echo "Only killed $kills times: without the right to mount no disk can be full."
    exit 0
}
batch --results "$folder/full/results" >"$folder/full.log" 2>&1
[ $? = 5 ] || fail "a full disk is no exit code 5"
grep -qi "no space left\|disk is full" "$folder/full.log" || fail "a full disk is not named"
before=$(ls "$folder"/full/results/gradings/*/*.jsonl 2>/dev/null | wc -l)
mount -o remount,size=50m "$folder/full" || fail "remount"
batch --results "$folder/full/results" >"$folder/room.log" 2>&1 || fail "with room again"
grep -q ": $((number - before)) graded now, $before known" "$folder/room.log" ||
    fail "$before results were there before the disk was full"
points "$folder/full/results" | cut -d' ' -f2- | sort | cmp - "$folder/expected.sorted" || fail "the results differ after a full disk"
echo "Killed $kills times and once without room; $graded and $before of $number results were kept."
