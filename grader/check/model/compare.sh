#!/bin/sh
# Compares the cost model with a GPU: runs this folder's variants on the virtual GPU, and compares their
# modelled times with measured ones.
#
#     ./lab dev compare-model [FOLDER]              with the times that are kept in data/measurements
#     ./lab dev compare-model --measure [FOLDER]    on a machine with a GPU: with its times
#
# FOLDER gets everything that was printed. --measure leaves FOLDER/cost-model.csv, which is what
# data/measurements/DEVICE/ keeps. Exit code 0: the model is accepted (compare.cpp says when).
set -eu

root=${LAB_ROOT:?run this as ./lab dev compare-model}
nvcc=${LAB_NVCC:?run this as ./lab dev compare-model}
build=${LAB_BUILD:-$root/build/lab}
small=${LAB_SCALE:-1}
folder=${LAB_FOLDER:-$build/compare-model}
mkdir -p "$folder"
cd "$folder"

compile() { # PROGRAM NVCC-FLAGS...: each file on its own, as templates take their time
    program=$1
    shift
    objects=
    for file in "$root"/grader/check/model/*.cu; do
        object=$program-$(basename "$file" .cu).o
        "$nvcc" -O3 -std=c++17 "$@" -I "$root/grader" -c -o "$object" "$file" >nvcc.log 2>&1 || {
            cat nvcc.log >&2
            exit 3
        }
        objects="$objects $object"
    done
    # shellcheck disable=SC2086 # a list
    "$nvcc" "$@" -o "$program" $objects
}

measured=$root/data/measurements/nvidia-h200/cost-model.csv
if [ "${LAB_MEASURE-}" = 1 ]; then
    compile variants-gpu -arch=native
    ./variants-gpu time >measured.csv
    measured=$folder/cost-model.csv
    {
        nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed -n '1s/^/# /p'
        date -u '+# %Y-%m-%d'
        cat measured.csv
    } >"$measured"
fi

ninja -C "$build" vgpu-device vgpu_cudart_shared compare-model >build.log 2>&1 || {
    cat build.log >&2
    exit 3
}
# As gradings compile for the virtual GPU.
compile variants -cudart shared -gencode arch=compute_75,code=compute_75
larger=$((2 * small))
for scale in $small $larger; do
    (cd "$root" && "$build/bin/lab" vgpu run --json "$folder/records-$scale.json" -- \
        "$folder/variants" once "$scale" >"$folder/launches-$scale.csv" 2>"$folder/report.txt") || {
        cat "$folder/report.txt" >&2
        exit 5
    }
done
status=0
"$build/bin/compare-model" "$measured" . "$small" "$larger" >table.txt || status=$?
cat table.txt
exit $status
