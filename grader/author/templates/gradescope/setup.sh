#!/bin/sh
# Gradescope runs this once, as root, when it makes the image of an assignment: installs and builds all that a
# grading needs. Ends with a grading of the file as students get it, so that a broken image shows at once.
set -eu
autograder=${AUTOGRADER:-/autograder}

try=$(mktemp -d)
trap 'rm -rf "$try"' EXIT
mkdir "$try/submission" "$try/results"
ln -s "$autograder/source" "$try/source"
cp "$autograder/source/cuda-labs/LAB_FILE" "$try/submission/"
AUTOGRADER=$try sh "$autograder/source/run_autograder"
