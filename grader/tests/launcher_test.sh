#!/bin/sh
# The launcher, on a project of two files that stands in for ours: what it finds, says and passes on.
# Usage: launcher_test.sh ROOT     (ctest runs it)
# shellcheck disable=SC2015  # "a && b || fail": fail is also for a that is false
set -u
source_root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LAB_ROOT LAB_BUILD LAB_NVCC LAB_DEPS LAB_NO_INSTALL

# nvcc RELEASE: a program that says it is that nvcc.
nvcc() {
    mkdir -p "$work/cuda-$1/bin"
    printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V"; echo "#$ TOP=%s"\n' \
        "$1" "$work/cuda-$1" >"$work/cuda-$1/bin/nvcc"
    chmod +x "$work/cuda-$1/bin/nvcc"
}
nvcc 11.8
nvcc 13.0
PATH=$work/cuda-13.0/bin:$PATH

checkout="$work/a checkout"
mkdir -p "$checkout/grader/cmake"
cp "$source_root/lab" "$source_root/CMakePresets.json" "$checkout"
cp "$source_root"/grader/cmake/*.sh "$checkout/grader/cmake"
cat >"$checkout/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(launcher-test LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_executable(lab lab.cpp)
END
cat >"$checkout/lab.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
int main(int count, char** words) {
    std::printf("root=%s build=%s nvcc=%s", std::getenv("LAB_ROOT"), std::getenv("LAB_BUILD"),
                std::getenv("LAB_NVCC"));
    for (int i = 1; i < count; ++i) std::printf(" [%s]", words[i]);
    return 7;
}
END

failures=0
fail() {
    echo "FAILED: $1"
    echo "    exit status $status"
    printf '    stdout: %s\n' "$(cat "$work/out")"
    sed 's/^/    stderr: /' "$work/err"
    failures=$((failures + 1))
}

# run COMMAND...: its outcome is in $status, $work/out and $work/err.
run() {
    "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}
says() { grep -qF -- "$1" "$work/err"; }
prints() { [ "$(cat "$work/out")" = "$1" ]; }
found="nvcc=$work/cuda-13.0/bin/nvcc"
built="root=$checkout build=$checkout/build/lab $found"

run "$checkout/lab" grade "two words"
[ $status = 7 ] && prints "$built [grade] [two words]" && says "building the tool" ||
    fail "a first start builds the tool, and passes on the arguments and the exit status"

run "$checkout/lab"
[ $status = 7 ] && prints "$built" && [ ! -s "$work/err" ] || fail "a warm start says nothing"

ln -s "$checkout/lab" "$work/link"
cd "$work" && run ./link
[ $status = 7 ] && prints "$built" || fail "through a symbolic link, the root is where the file is"

cd "$checkout" && run sh lab
[ $status = 7 ] && prints "$built" || fail "without a slash in its name, the root is the current folder"

sed -i 's/return 7/return 8/' "$checkout/lab.cpp"
run "$checkout/lab"
[ $status = 8 ] && says "building the tool" || fail "a changed source is built again"

cd "$work" && LAB_BUILD=elsewhere run "$checkout/lab"
[ $status = 8 ] && prints "root=$checkout build=$work/elsewhere $found" || fail "LAB_BUILD may be relative"

cp -r "$checkout" "$work/copy"
run "$work/copy/lab"
[ $status = 8 ] && prints "root=$work/copy build=$work/copy/build/lab $found" &&
    says "$work/copy/build/lab was made by another checkout ($checkout); configuring it afresh." ||
    fail "the build folder of another checkout is made afresh"

LAB_NVCC=$work/none run "$checkout/lab"
[ $status = 2 ] && says "LAB_NVCC=$work/none: no nvcc that runs; CUDA 12.4 or newer is needed." ||
    fail "an nvcc that is not there is a usage error"

old=$work/cuda-11.8/bin/nvcc
LAB_NVCC=$old run "$checkout/lab"
[ $status = 2 ] && says "LAB_NVCC=$old: $old is CUDA 11.8; CUDA 12.4 or newer is needed." ||
    fail "an nvcc that is too old is a usage error"

PATH=$work/cuda-11.8/bin:$PATH CUDA_HOME=$work/cuda-13.0 run "$checkout/lab"
[ $status = 8 ] && prints "$built" || fail "an nvcc that is too old is passed over for another"

LAB_BUILD=/proc/no-folder run "$checkout/lab"
[ $status = 5 ] && says "cannot write in /proc/no-folder." && says "LAB_BUILD=" ||
    fail "a folder that cannot be written is said"

echo 'syntax error' >>"$checkout/lab.cpp"
run "$checkout/lab"
[ $status = 5 ] && says "the tool did not build." && says "lab.cpp:" && says "log/build.log" &&
    says "not of your work." || fail "a failed build shows the compiler's words, and is not the student's"

mkdir "$work/bin"
printf '#!/bin/sh\necho header\necho none 1 1 2048 100%% /\n' >"$work/bin/df"
chmod +x "$work/bin/df"
PATH=$work/bin:$PATH run "$checkout/lab"
[ $status = 5 ] && says "is full (2 MB free; about 400 MB are needed)." && ! says "not of your work" ||
    fail "a full disk is said"
sed -i '$d' "$checkout/lab.cpp"

echo 'message(FATAL_ERROR "no such luck")' >>"$checkout/CMakeLists.txt"
rm -r "$checkout/build"
run "$checkout/lab"
[ $status = 5 ] && says "CMake could not configure the project." && says "no such luck" &&
    says "not of your work." || fail "a failed configure shows CMake's words, and is not the student's"
sed -i '$d' "$checkout/CMakeLists.txt"

sed -i "s|^needs='|&\nno-such-package header no/such.h|" "$checkout/grader/cmake/packages.sh"
LAB_NO_INSTALL=1 run "$checkout/lab"
[ $status = 5 ] && says "this machine lacks: no-such-package" && says "LAB_NO_INSTALL is set" &&
    says "install -y --no-install-recommends no-such-package" ||
    fail "LAB_NO_INSTALL=1 installs nothing, and says what is missing"

mkdir -p "$work/deps/include/no"
: >"$work/deps/include/no/such.h"
LAB_NO_INSTALL=1 LAB_DEPS=$work/deps run "$checkout/lab"
[ $status = 8 ] || fail "what LAB_DEPS holds is not missing"

[ $failures = 0 ] && echo "All launcher tests passed."
exit $failures
