#!/bin/sh
# The sample class, from what was handed in to its gradebook: byte for byte the one beside it.
#
#     sample_class_test.sh LAB-CLASS ROOT BUILD
#
# After a change that means to change it: run, look at the difference, and copy what is printed as "new".
set -u
class=$1
export LAB_ROOT="$2" LAB_BUILD="$3"
sample="$2/data/sample-class"

folder=$(mktemp -d "${TMPDIR:-/tmp}/sample-class.XXXXXX")
failed=0
fail() {
    echo "FAILED: $*"
    cat "$folder"/*.log
    failed=1
}
lab_class() {
    command=$1
    shift
    "$class" "$command" "$sample/handed-in" --results "$folder/results" "$@"
}

lab_class batch --device vgpu >"$folder/first.log" 2>&1 || fail "the batch"
grep -q "25 submissions of 24 students: 23 graded now, 0 known" "$folder/first.log" || fail "what was graded"
lab_class batch --device vgpu >"$folder/second.log" 2>&1 || fail "the batch again"
grep -q ": 0 graded now, 24 known" "$folder/second.log" || fail "something was graded twice"
lab_class mark goran 02 --points 2 --comment "explained it in class" >"$folder/mark.log" 2>&1 || fail "a mark by hand"
lab_class report --out "$folder/report" >"$folder/report.log" 2>&1 || fail "the report"
cmp "$sample/gradebook.csv" "$folder/report/gradebook.csv" || {
    diff "$sample/gradebook.csv" "$folder/report/gradebook.csv"
    new=$(mktemp "${TMPDIR:-/tmp}/gradebook.XXXXXX.csv")
    cp "$folder/report/gradebook.csv" "$new"
    fail "the gradebook differs; new: $new"
}
[ -f "$folder/report/instructor.html" ] || fail "no page for the instructor"
[ "$(find "$folder/report/feedback" -name '*.html' | wc -l)" -ge 24 ] || fail "not every student has feedback"
rm -r "$folder"
exit $failed
