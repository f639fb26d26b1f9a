#!/bin/sh
# The same binary on an NVIDIA GPU and on the virtual GPU: what instructions compute, what the runtime
# answers, and how often the course's kernels touch memory.
#
#     ./lab dev compare-vgpu [FOLDER]            the GPU against the virtual GPU
#     COMPARE_DEVICES=hosts ./lab dev compare-vgpu [FOLDER]
#         without a GPU: the virtual GPU with plain instructions against AVX-512 or what there is
#
# FOLDER gets everything that was printed, and table.txt. Exit code 0: nothing differs.
# Needs what ./lab needs, and ncu for the counts (without it, or where the machine denies counters, the
# table says so).
set -eu

root=${LAB_ROOT:?run this as ./lab dev compare-vgpu}
nvcc=${LAB_NVCC:?run this as ./lab dev compare-vgpu}
build=${LAB_BUILD:-$root/build/lab}
folder=${1:-$build/compare}
here=$root/grader/tests/compare
mkdir -p "$folder"
cd "$folder"
table=$folder/table.txt
: >"$table"
say() { echo "$*" | tee -a "$table"; }
status=0

ninja -C "$build" vgpu-device vgpu_cudart_shared compare-verdict >build.log 2>&1 || {
    cat build.log >&2
    exit 3
}
for name in operations behaviour meetings counts; do
    "$nvcc" -std=c++17 -cudart shared -lineinfo -gencode arch=compute_80,code=compute_80 \
        -I "$root" -I "$root/grader" -I "$root/labs/01-thread-indexing" \
        -I "$root/labs/02-vector-add" -o $name "$here/$name.cu" >nvcc.log 2>&1 || {
        cat nvcc.log >&2
        exit 3
    }
done

on_gpu() { "./$1"; }
on_virtual() { "$build/bin/lab" vgpu run --json "$1.json" -- "./$1" 2>"$1.report"; }
if [ "${COMPARE_DEVICES-}" = hosts ]; then
    say "# the virtual GPU with plain x86-64 instructions against the host's best"
    on_gpu() { VGPU_HOST_ISA=baseline "$build/bin/lab" vgpu run -- "./$1" 2>"$1.gpu-report"; }
else
    say "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1), " \
        "$("$nvcc" --version | sed -n 's/.*release.*, V//p')"
fi

for name in operations behaviour meetings; do
    # behaviour.cu ends with a broken context on purpose.
    on_gpu $name >$name.gpu || [ $name = behaviour ]
    on_virtual $name >$name.virtual || [ $name = behaviour ]
    say "## $name"
    "$build/bin/compare-verdict" $name.gpu $name.virtual >$name.table || status=1
    tee -a "$table" <$name.table
done

say "## counts"
on_virtual counts
if [ "${COMPARE_DEVICES-}" = hosts ]; then
    say "no profiler without a GPU"
elif ! command -v ncu >/dev/null; then
    say "no counts of the GPU: ncu is not there"
else
    metrics=
    for name in smsp__inst_executed smsp__thread_inst_executed smsp__inst_executed_op_branch; do
        metrics=$metrics$name.sum,
    done
    for space in global local; do
        for what in requests sectors; do
            for op in ld st; do
                metrics=${metrics}l1tex__t_${what}_pipe_lsu_mem_${space}_op_$op.sum,
            done
        done
    done
    for op in atom red; do
        for what in requests sectors; do
            metrics=${metrics}l1tex__t_${what}_pipe_lsu_mem_global_op_$op.sum,
        done
    done
    for op in ld st atom; do
        metrics=${metrics}l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum,
    done
    if ncu --csv --print-units base --metrics "${metrics%,}" ./counts >counts.ncu 2>&1; then
        "$build/bin/compare-verdict" --counts counts.ncu counts.json >counts.table || status=1
        tee -a "$table" <counts.table
    else
        say "no counts of the GPU: $(grep -m 1 ERR counts.ncu || echo "ncu failed, see counts.ncu")"
    fi
fi
exit $status
