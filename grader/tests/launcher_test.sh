#!/bin/sh
# The launcher, on a project of two files that stands in for ours: what it finds, says and passes on.
# Usage: launcher_test.sh ROOT LAB     (ctest runs it; LAB is the real program)
# shellcheck disable=SC2015  # "a && b || fail": fail is also for a that is false
set -u
source_root=$1 real_lab=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LAB_ROOT LAB_BUILD LAB_NVCC LAB_NO_INSTALL

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
foreach(part vgpu-device vgpu_cudart runner_vgpu grader-01-thread-indexing entry-object-01-thread-indexing)
    add_custom_target(${part} COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/${part})
endforeach()
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

run "$checkout/lab" --help
[ $status = 0 ] && grep -q './lab grade LAB' "$work/out" && [ ! -s "$work/err" ] && [ ! -e "$checkout/build/lab/bin" ] ||
    fail "help comes before anything is built"
for command in $("$real_lab" nosuchcommand 2>&1 | sed -n 's/^The commands: \(.*\)\. Each.*/\1/p' | tr -d ,) missing; do
    [ "$command" = missing ] && break
    grep -qw "$command" "$work/out" || fail "help before the build lacks the command $command"
done

mkdir -p "$checkout/labs/01-thread-indexing"
cp "$source_root/labs/01-thread-indexing/lab.toml" "$checkout/labs/01-thread-indexing"
run "$checkout/lab" list
[ $status = 0 ] && grep -q '^01-thread-indexing     Thread indexing   *40 minutes$' "$work/out" ||
    fail "list comes before anything is built"

run "$checkout/lab" doctor
[ $status = 0 ] && grep -qF "ok    nvcc           $work/cuda-13.0/bin/nvcc" "$work/out" ||
    fail "doctor comes before anything is built"

run "$checkout/lab" grade "two words"
[ $status = 7 ] && prints "$built [grade] [two words]" && says "building (once" ||
    fail "a first start builds the tool, and passes on the arguments and the exit status"

{ [ -e /dev/nvidiactl ] || [ -e "$checkout/build/lab/vgpu-device" ]; } && [ ! -e "$checkout/build/lab/grader-01-thread-indexing" ] ||
    fail "with the tool, what any grading needs is built"
rm "$checkout/build/lab/bin/lab"
run "$checkout/lab" grade 1
[ $status = 7 ] && [ -e "$checkout/build/lab/grader-01-thread-indexing" ] &&
    [ -e "$checkout/build/lab/entry-object-01-thread-indexing" ] || fail "with the tool, the lab's grader is built"

run "$checkout/lab"
[ $status = 7 ] && prints "$built" && [ ! -s "$work/err" ] || fail "a warm start says nothing"

ln -s "$checkout/lab" "$work/link"
cd "$work" && run ./link
[ $status = 7 ] && prints "$built" || fail "through a symbolic link, the root is where the file is"

cd "$checkout" && run sh lab
[ $status = 7 ] && prints "$built" || fail "without a slash in its name, the root is the current folder"

sed -i 's/return 7/return 8/' "$checkout/lab.cpp"
run "$checkout/lab"
[ $status = 8 ] && says "building (once" || fail "a changed source is built again"

cd "$work" && LAB_BUILD=elsewhere run "$checkout/lab" next
[ $status = 8 ] && prints "root=$checkout build=$work/elsewhere $found [next]" || fail "LAB_BUILD may be relative"

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

LAB_BUILD=/proc/no-folder run "$checkout/lab" next
[ $status = 5 ] && says "cannot write in /proc/no-folder." && says "LAB_BUILD=" ||
    fail "a folder that cannot be written is said"

echo 'syntax error' >>"$checkout/lab.cpp"
run "$checkout/lab" next
[ $status = 5 ] && says "the tool did not build." && says "lab.cpp:" && says "log/build.log" &&
    says "not of your work." || fail "a failed build shows the compiler's words, and is not the student's"

mkdir "$work/bin"
printf '#!/bin/sh\necho header\necho none 1 1 2048 100%% /\n' >"$work/bin/df"
chmod +x "$work/bin/df"
PATH=$work/bin:$PATH run "$checkout/lab" next
[ $status = 5 ] && says "The disk that holds $checkout/build/lab is full (2 MB free; about 400 MB are needed)." && ! says "not of your work" ||
    fail "a full disk is said"
# shellcheck disable=SC2016  # for the script
printf '#!/bin/sh\necho header\ncase $2 in /tmp) echo none 1 1 1024 100%% /tmp ;; *) echo none 1 1 9000000 1%% / ;; esac\n' >"$work/bin/df"
TMPDIR=/tmp PATH=$work/bin:$PATH run "$checkout/lab" next
[ $status = 5 ] && says "The disk that holds /tmp is full (1 MB free" && says "TMPDIR=DIR" ||
    fail "a full temporary folder is named, not the build's disk"
rm "$work/bin/df"
sed -i '$d' "$checkout/lab.cpp"

echo 'message(FATAL_ERROR "no such luck")' >>"$checkout/CMakeLists.txt"
rm -r "$checkout/build"
run "$checkout/lab" next
[ $status = 5 ] && says "CMake could not configure the project." && says "no such luck" &&
    says "not of your work." || fail "a failed configure shows CMake's words, and is not the student's"
sed -i '$d' "$checkout/CMakeLists.txt"

sed -i "s|^needs='|&\nno-such-package header no/such.h|" "$checkout/grader/cmake/packages.sh"
LAB_NO_INSTALL=1 run "$checkout/lab" next
[ $status = 5 ] && says "this machine lacks: no-such-package" && says "LAB_NO_INSTALL is set" &&
    says "install -y --no-install-recommends no-such-package" ||
    fail "LAB_NO_INSTALL=1 installs nothing, and says what is missing"

mkdir -p "$work/deps/include/no"
[ -z "${LAB_DEPS-}" ] || cp -rs "$LAB_DEPS/." "$work/deps"
: >"$work/deps/include/no/such.h"
LAB_NO_INSTALL=1 LAB_DEPS=$work/deps run "$checkout/lab" next
[ $status = 8 ] || fail "what LAB_DEPS holds is not missing"

# What takes long says how far it is; the log has everything.
cat >"$work/slow.sh" <<'END'
. "$1/grader/cmake/progress.sh"
slow() { echo '[1/4] one'; sleep 3.2; echo '[2/4] two'; echo 'a warning'; return 6; }
with_progress Building "$2" follow_ninja slow
END
run sh "$work/slow.sh" "$source_root" "$work/slow.log"
[ $status = 6 ] && says "lab: Building: 2 of 4 steps, about " && [ "$(wc -l <"$work/slow.log")" = 3 ] &&
    [ ! -s "$work/out" ] || fail "a long build says how far it is"

cat >"$work/slow-apt.sh" <<'END'
. "$1/grader/cmake/progress.sh"
slow() {
    echo '0 upgraded, 2 newly installed, 0 to remove and 3 not upgraded.'
    echo 'Get:1 http://example.org a 1.0'; echo 'Get:2 http://example.org b 1.0'
    sleep 3.2
    echo 'Unpacking a (1.0) ...'
}
with_progress 'Installing packages' "$2" follow_apt slow
END
run sh "$work/slow-apt.sh" "$source_root" "$work/slow.log"
[ $status = 0 ] && says "lab: Installing packages: 3 of 6 steps, about 5 s left" ||
    fail "a long installation says how far it is"

# A machine without a network.
cat >"$work/offline.sh" <<'END'
root=$1 build=$2
say() { printf 'lab: %s\n' "$*" >&2; }
. "$1/grader/cmake/set-up.sh"
echo "E: Temporary failure resolving 'example.org'" >"$2/log"
fault "apt-get could not update its lists of packages" "$2/log"
END
run sh "$work/offline.sh" "$source_root" "$work"
[ $status = 5 ] && says "no network: apt-get could not update its lists of packages. Connect this machine" &&
    ! says "fault of CUDA Labs" || fail "a missing network is said, once"

[ $failures = 0 ] && echo "All launcher tests passed."
exit $failures
