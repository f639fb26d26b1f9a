# The slow half of ./lab: from a bare machine to a built tool. Sourced by it, never run by hand.
#
# Interface
#   set_up            packages, nvcc, CMake, the tool; leaves $nvcc set
#   run_tests ARGS    the same for the project's own tests, then ctest; does not return
#
# Whatever fails here is never the student's doing: it exits 5 and says so.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, build, ready, settings: ./lab sets them

log=$build/log

. "$root/grader/cmake/packages.sh"
. "$root/grader/cmake/toolkit.sh"

set_up() {
    get_what_is_missing
    configure
    build_tool
    printf '%s\n%s\n' "$settings" "$nvcc" >"$ready" || fault "cannot write $ready"
    exec 9>&-
}

run_tests() {
    case ${1-} in
    -h | --help)
        echo "Usage: ./lab test [CTEST OPTIONS]      for example ./lab test -R vgpu"
        echo "Builds the project and its tests in build/dev, warnings as errors, and runs them."
        exit 0
        ;;
    esac
    build=$root/build/dev log=$root/build/dev/log
    get_what_is_missing
    cd "$root" || exit 5
    is_configured || configure_as dev -DLAB_BUILD_ONCE=ON
    say "building everything and its tests in build/dev (some minutes the first time) ..."
    cmake --build --preset dev || fault "the project or its tests did not build; see above"
    exec 9>&-
    LAB_NVCC=$nvcc
    export LAB_NVCC
    exec ctest --preset dev -j "$(getconf _NPROCESSORS_ONLN)" "$@"
}

get_what_is_missing() {
    claim_build_folder
    find_nvcc
    need_packages
    need_nvcc
}

# The build folder is ours alone until this process ends or closes descriptor 9.
claim_build_folder() {
    if ! { mkdir -p "$log" && printf 'x' >"$log/can-write" && exec 9>"$build/lock"; } 2>/dev/null; then
        disk_full && exit 5
        say "cannot write in $build."
        say "It belongs to someone else, or is read-only. Use a checkout of your own, or build elsewhere:"
        say "    LAB_BUILD=\$HOME/cuda-labs-build ./lab ..."
        exit 5
    fi
    command -v flock >/dev/null || return 0
    flock -n 9 && return 0
    say "another ./lab is setting up; waiting for it ..."
    flock 9
}

is_configured() {
    [ -f "$build/build.ninja" ] || return 1
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
    [ "$(cd -P -- "$home" 2>/dev/null && pwd -P)" = "$root" ] && return 0
    say "$build was made by another checkout ($home); configuring it afresh."
    return 1
}

# A folder configured by hand (a preset) is taken as it is; one of ours follows its nvcc.
configure() {
    was_nvcc=$nvcc
    [ -f "$ready" ] && was_nvcc=$(sed -n 2p "$ready")
    is_configured && [ "$was_nvcc" = "$nvcc" ] && return 0
    configure_as default
}

# configure_as PRESET [-DSETTING ...]
configure_as() {
    (cd "$root" && logged configure.log cmake --fresh -B "$build" \
        "-DCUDAToolkit_ROOT=$toolkit" --preset "$@") ||
        fault "CMake could not configure the project" "$log/configure.log"
}

build_tool() {
    tool_is_current && return 0
    say "building the tool (about a minute on two cores the first time) ..."
    logged build.log ninja -C "$build" lab || fault "the tool did not build" "$log/build.log"
}

# logged NAME COMMAND ARGS...: its output goes to $log/NAME, and is shown only if it fails.
logged() {
    log_name=$1
    shift
    "$@" >"$log/$log_name" 2>&1 </dev/null
}

# fault WHAT [LOG]: our own failure, or the machine's. Does not return.
fault() {
    say "$1."
    if [ -f "${2-}" ]; then
        tail -n 15 "$2" | sed 's/^/    /' >&2
        say "The whole log: $2"
    fi
    disk_full "${2-}" ||
        say "This is a fault of CUDA Labs or of this machine's set-up, not of your work."
    exit 5
}

# Under 20 MB free, or the log says so (a quota does not show in df).
disk_full() {
    free_kib=$(df -Pk "$root" | awk 'NR == 2 { print $4 }')
    [ -d "$build" ] && free_kib=$(df -Pk "$build" | awk 'NR == 2 { print $4 }')
    [ "${free_kib:-0}" -lt 20000 ] ||
        grep -qiE 'no space left|quota exceeded' "${1:-/dev/null}" || return 1
    say "The disk that holds $build is full ($((free_kib / 1024)) MB free; about 400 MB are needed)."
    say "Free some space and run the same command again, or build elsewhere with LAB_BUILD=DIR."
}
