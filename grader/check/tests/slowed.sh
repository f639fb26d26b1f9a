#!/bin/sh
# Do verdicts hold near the threshold? The solution of lab 02, slowed to 0.90, 0.97, 1.03 and 1.10 of
# what its speed test asks, timed again and again. Below the threshold none may pass, above it none may
# fail, and the outer two must always be decided. On a GPU:
#
#     ./lab list                                         builds what is needed
#     grader/check/tests/slowed.sh build/lab [TIMES]     50 times each; JSON lines on standard output
#
# It is slowed by work done again: F times n more elements, which leaves the answer right. By how
# much that slows it is measured first, with two values of F.
# Exit code 0: no verdict was wrong.
set -eu

build=$(realpath "${1:?usage: slowed.sh BUILD-FOLDER [TIMES]}")
times=${2:-50}
root=$(cd "$(dirname "$0")/../../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export LAB_ROOT="$root" LAB_BUILD="$build" LAB_SANITIZER=off

races() { # NAME F TIMES: one JSON line
    sed 's|^    vector_add_kernel<<<.*|&\
    for (long long left = static_cast<long long>('"$2"' * n); left > 0; left -= n) {\
        const int part = static_cast<int>(left < n ? left : n);\
        vector_add_kernel<<<(part - 1) / threads_per_block + 1, threads_per_block>>>(a, b, c, part);\
    }|' "$root/solutions/02-vector-add/vector_add.cu" >"$folder/$1.cu"
    "$build/bin/lab" dev calibrate 02 --device "${LAB_DEVICE:-gpu}" --file "$folder/$1.cu" --times "$3" \
        --test "x the reference" --json 2>"$folder/$1.log" || { cat "$folder/$1.log" >&2; exit 5; }
}

value_of() { # FIELD, of a JSON line on standard input
    sed 's/.*"'"$1"'":\([-0-9.e]*\).*/\1/'
}

some=$(races some 1.0 5)
more=$(races more 1.5 5)
threshold=$(echo "$some" | value_of threshold)
slowed() { # TARGET: prints its line
    factor=$(awk -v t="$threshold" -v s="$1" -v r1="$(echo "$some" | value_of median)" \
        -v r2="$(echo "$more" | value_of median)" 'BEGIN {
            slope = (1 / r2 - 1 / r1) / 0.5
            print (1 / (t * s) - (1 / r1 - slope)) / slope
        }')
    races "$1" "$factor" "$times" |
        sed 's|^{|{"wanted":'"$1"',"work_done_again":'"$factor"',|; s|"file":"[^"]*",||' |
        tee "$folder/$1.json"
}

# All four at once: gradings on a GPU take turns.
targets="0.90 0.97 1.03 1.10"
for target in $targets; do slowed "$target" & done
wait

wrong=0
for target in $targets; do
    pass=$(value_of pass <"$folder/$target.json")
    fail=$(value_of fail <"$folder/$target.json")
    unclear=$(value_of inconclusive <"$folder/$target.json")
    case $target in
        0.90) wrong=$((wrong + pass + unclear)) ;;
        0.97) wrong=$((wrong + pass)) ;;
        1.03) wrong=$((wrong + fail)) ;;
        1.10) wrong=$((wrong + fail + unclear)) ;;
    esac
done
[ "$wrong" = 0 ] || { echo "$wrong verdicts were wrong" >&2; exit 1; }
