#!/bin/sh
# A prebuilt package: made of this build, unpacked elsewhere, and used where nothing can be built.
# Usage: prebuilt_test.sh ROOT BUILD     (ctest runs it)
# shellcheck disable=SC2015  # "a && b || fail": fail is also for a that is false
set -u
source_root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LAB_ROOT LAB_BUILD LAB_STATE

failures=0
fail() {
    echo "FAILED: $1"
    echo "    exit status $status"
    sed 's/^/    /' "$work/said"
    failures=$((failures + 1))
}
# run COMMAND...: its outcome is in $status and $work/said.
run() {
    "$@" >"$work/said" 2>&1 </dev/null
    status=$?
}
says() { grep -qF -- "$1" "$work/said"; }

run env "LAB_ROOT=$source_root" "LAB_BUILD=$build" "$build/bin/lab" dev package "$work/cuda-labs.tar.gz" \
    --lab 00 --prebuilt --as-built
[ $status = 0 ] && says "no solutions, nothing left to build" || fail "a prebuilt package is made"
mkdir "$work/else where"
tar -xzf "$work/cuda-labs.tar.gz" -C "$work/else where" || exit 1
course="$work/else where/cuda-labs" programs="$work/else where/cuda-labs/prebuilt/programs"
[ ! -e "$course/solutions" ] || fail "it has no solutions"

# Who calls a build tool leaves a trace.
mkdir "$work/bin"
for tool in cmake ninja make; do
    printf '#!/bin/sh\necho "%s $*" >>"%s"\nexit 1\n' $tool "$work/called" >"$work/bin/$tool"
    chmod +x "$work/bin/$tool"
done
PATH=$work/bin:$PATH

for program in "$programs"/bin/*; do
    run ldd "$program"
    [ $status = 0 ] && ! grep -v 'bundled\|libc\.so\|libm\.so\|libstdc++\.so\|libgcc_s\.so' "$work/said" | grep -q '=> /' ||
        fail "${program##*/} takes all libraries but those of C and C++ from the package"
done

run "$course/lab" list
[ $status = 0 ] && says "00-welcome" && [ ! -e "$course/build/lab/ready" ] || fail "list needs no compiler"

run "$course/lab" grade 00 --device vgpu
[ $status = 1 ] && says "Lab 00" && says "block 0" || fail "the untouched file gets a verdict"

if [ -f "$programs/editors.json" ]; then
    # The toolkit may lie in the checkout.
    grep -v -e --cuda-path "$course/build/editors/compile_commands.json" >"$work/said"
    says "\"-I$course/labs/00-welcome\"" && ! says @ && ! says "$source_root" ||
        fail "clangd gets flags for this place"
fi

sed -i 's/= threadIdx.x;/= blockIdx.x * blockDim.x + threadIdx.x;/' "$course/labs/00-welcome/welcome.cu"
run "$course/lab" grade 00 --device vgpu
[ $status = 0 ] || fail "the right file gets full marks"

rm -f "$course/build/lab/ready"
run "$course/lab" profile 00
[ $status = 0 ] && says "Lab 00" && says "Compute (SM) Throughput" && [ -e "$course/build/lab/ready" ] ||
    fail "profile, as the first command, finds the compiler"

# The virtual GPU's, too, in its sandbox: this machine's would do as well, so the package's is spoiled.
library=$programs/lib/bundled/libzstd.so.1
mv "$library" "$work/library" && echo spoiled >"$library"
run "$course/lab" grade 00 --device vgpu
[ $status = 5 ] && says "libzstd.so.1: " || fail "in its sandbox the virtual GPU has the libraries of the package"
mv "$work/library" "$library"

run "$course/lab" doctor
says "(prebuilt)" && ! says "CMake" || fail "doctor knows a prebuilt package, which needs no CMake"

run "$course/lab" dev check
[ $status = 2 ] && says "This prebuilt package has no lab-dev, and builds nothing." ||
    fail "a command that would need a build says so"

[ ! -e "$work/called" ] || {
    cp "$work/called" "$work/said"
    fail "no build tool is called"
}

# set NAME VALUE: in made-for; the set-up begins again.
set_made_for() {
    sed -i "s/^made_for_$1=.*/made_for_$1=$2/" "$programs/made-for"
    rm -f "$course/build/lab/ready"
}
cp "$programs/made-for" "$work/made-for"
set_made_for cuda 12
run env "LAB_NVCC=${LAB_NVCC:-$(command -v nvcc)}" "$course/lab" grade 00
[ $status = 2 ] && says "; CUDA 12 is needed." || fail "an nvcc of another CUDA version is refused"
set_made_for glibc 99.1
run "$course/lab" grade 00
[ $status = 2 ] && says "this package needs the GNU C library 99.1 or newer, and this system has 2." ||
    fail "an older C library is named"
set_made_for machine mips
run "$course/lab" list
[ $status = 2 ] && says "this package is for Linux on mips, and here is Linux $(uname -m)." ||
    fail "the package of another machine is named"
cp "$work/made-for" "$programs/made-for"

[ $failures = 0 ] && echo "All tests of the prebuilt package passed."
exit $failures
