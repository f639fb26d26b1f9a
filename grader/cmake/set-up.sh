# The slow half of ./lab: from a bare machine to a built tool. Sourced by it, never run by hand.
#
#   set_up ARGS       packages, nvcc, CMake, and what the command ARGS needs; leaves $nvcc set
#   set_up_prebuilt ARGS   nvcc and its host compiler, if the command ARGS compiles; the same
#   run_tests ARGS    the same for the project's own tests, then ctest; does not return
#
# No failure here is the student's fault: it exits 5 and says so.
# shellcheck shell=sh
# shellcheck disable=SC2154  # root, build, programs, ready, settings: ./lab sets them

log=$build/log

. "$root/grader/cmake/progress.sh"
. "$root/grader/cmake/packages.sh"
. "$root/grader/cmake/toolkit.sh"

set_up() {
    for_class=
    case ${1-} in
    batch | chunk | mark | report) for_class=yes ;;
    esac
    get_what_is_missing
    configure
    build_for "$@"
    printf '%s\n%s\n' "$settings" "$nvcc" >"$ready" || fault "cannot write $ready"
    exec 9>&-
}

# In a prebuilt package.
set_up_prebuilt() {
    require_machine
    case ${1-} in
    grade | watch | step | profile | review | picture | bench | vgpu | nvcc | verify) ;;
    *)
        find_nvcc
        nvcc=${nvcc:-$wheels_nvcc}
        return 0
        ;;
    esac
    get_what_is_missing
    require_open_folder
    write_editor_flags
    printf '%s\n%s\n' "$settings" "$nvcc" >"$ready" || fault "cannot write $ready"
    exec 9>&-
}

# How clangd reads the labs' files, as CMake writes it in a checkout (Editors.cmake). As there, a build
# folder elsewhere leaves this one as it is.
write_editor_flags() {
    [ -f "$programs/editors.json" ] && [ "${build%/*}" = "$root/build" ] || return 0
    mkdir -p "$root/build/editors" &&
        sed -e "s|@ROOT@|$(for_sed "$root")|g" -e "s|@TOOLKIT@|$(for_sed "$toolkit")|g" \
            "$programs/editors.json" >"$root/build/editors/compile_commands.json" ||
        fault "cannot write $root/build/editors"
}

for_sed() { printf '%s\n' "$1" | sed 's/[&|\\]/\\&/g'; }

# Without namespaces, what root starts runs as nobody, who must be able to load the bundled libraries.
require_open_folder() {
    [ "$(id -u)" = 0 ] && [ "${LAB_SANDBOX-}" != off ] || return 0
    setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$programs/made-for" 2>/dev/null && return 0
    bwrap --unshare-user --unshare-pid --proc /proc --ro-bind / / true 2>/dev/null && return 0
    say "other users cannot read $root, and without namespaces the virtual GPU runs as one of them (nobody)."
    say "Move the folder, for example to /opt, and run the same command there."
    exit 2
}

# Whether the programs of a prebuilt package run here. Sets $made_for_cuda.
require_machine() {
    . "$programs/made-for"
    here="$(uname -s) $(uname -m)"
    if [ "$here" != "Linux $made_for_machine" ]; then
        say "this package is for Linux on $made_for_machine, and here is $here."
        say "Get the package for this machine. On Windows and macOS: docs/install-wsl.md, docs/install-mac.md."
        exit 2
    fi
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null)
    glibc=${glibc#glibc }
    case $glibc in
    *.*) [ "$(number_of "$glibc")" -lt "$(number_of "$made_for_glibc")" ] || glibc=new-enough ;;
    esac
    if [ "$glibc" != new-enough ]; then
        say "this package needs the GNU C library $made_for_glibc or newer, and this system has ${glibc:-another C library}."
        exit 2
    fi
    # The C++ library, too, may be too old.
    words=$("$programs/bin/lab" --help 2>&1 >/dev/null) && return 0
    say "the programs of this package do not run here: $words"
    say "They need the C++ library of GCC 12 or newer."
    exit 2
}

# 2.36 as 2036.
number_of() { echo $((${1%%.*} * 1000 + ${1#*.})); }

run_tests() {
    case ${1-} in
    -h | --help)
        echo "Usage: ./lab test [CTEST OPTIONS]      for example ./lab test -R vgpu"
        echo "Builds the project and its tests in build/dev, warnings as errors, and runs them."
        exit 0
        ;;
    esac
    if ! [ -d "$root/solutions" ]; then
        say "this is a release for students, which has no tests of the project's own."
        say "To test your work:  ./lab grade LAB"
        exit 2
    fi
    build=$root/build/dev log=$root/build/dev/log for_class=
    # Where nothing may be installed, the rest is tested all the same.
    may_install && for_class=yes
    get_what_is_missing
    cd "$root" || exit 5
    { is_configured && knows_class; } || configure_as dev -DLAB_BUILD_ONCE=ON
    say "building everything and its tests in build/dev (10 minutes the first time) ..."
    build "Building the tests" all || fault "the project or its tests did not build" "$log/build.log"
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
    is_configured && [ "$was_nvcc" = "$nvcc" ] && knows_class && return 0
    configure_as default
}

# Whether a build that is there has what this command needs: packages of a class may have come later.
knows_class() { [ -z "$for_class" ] || grep -q '^build lab-class:' "$build/build.ninja"; }

# configure_as PRESET [-DSETTING ...]
configure_as() {
    say "configuring ..."
    (cd "$root" && logged configure.log cmake --fresh -B "$build" \
        "-DCUDAToolkit_ROOT=$toolkit" --preset "$@") ||
        fault "CMake could not configure the project" "$log/configure.log"
}

# build_for COMMAND [LAB]: the tool, and what that command will need, all in one go, so that both
# cores are busy to the end.
build_for() {
    tool_is_current "$@" && return 0
    say "building (once; about five minutes on two cores) ..."
    [ -n "$for_class" ] || say "Meanwhile you can read labs/01-thread-indexing/README.md, or docs/book/execution-model.md."
    # shellcheck disable=SC2046  # a list of targets
    build Building lab $(targets_for "$@") || fault "the tool did not build" "$log/build.log"
}

# build WHAT TARGETS...
build() {
    what=$1
    shift
    NINJA_STATUS='[%f/%t] ' with_progress "$what" "$log/build.log" follow_ninja ninja -C "$build" "$@"
}

# The targets of a grading, and the one lab that the word can mean. The tool itself builds the rest.
targets_for() {
    case ${1-} in
    grade | watch | step | profile | review | picture | bench) ;;
    batch | chunk | mark | report) echo lab-class && return 0 ;;
    *) return 0 ;;
    esac
    [ -e /dev/nvidiactl ] || echo vgpu-device vgpu_cudart runner_vgpu
    case ${2-} in
    -* | '') return 0 ;;
    [0-9]) set -- "$root/labs/0$2-"*/ ;;
    [0-9][0-9]) set -- "$root/labs/$2-"*/ ;;
    *) set -- "$root/labs/"*"$2"*/ ;;
    esac
    [ $# = 1 ] && [ -d "$1" ] || return 0
    name=$(basename "$1")
    echo "grader-$name" "entry-object-$name"
}

# logged NAME COMMAND ARGS...: its output goes to $log/NAME, and is shown only if it fails.
logged() {
    log_name=$1
    shift
    "$@" >"$log/$log_name" 2>&1 </dev/null
}

# fault WHAT [LOG]: our own failure, or the machine's. Does not return.
fault() {
    if [ -f "${2-}" ] && no_network "$2"; then
        say "no network: $1. Connect this machine, then run the same command again."
        say "Without a network: docs/install.md, \"Packages without rights\". The whole log: $2"
        exit 5
    fi
    say "$1."
    if [ -f "${2-}" ]; then
        # From the first step that failed on, or else the end.
        if grep -q '^FAILED: ' "$2"; then sed -n '/^FAILED: /,$p' "$2" | head -n 40; else tail -n 15 "$2"; fi |
            sed 's/^/    /' >&2
        say "The whole log: $2"
    fi
    disk_full "${2-}" ||
        say "This is a fault of CUDA Labs or of this machine's set-up, not of your work."
    exit 5
}

no_network() {
    grep -qE 'Temporary failure (resolving|in name resolution)|Could not (resolve|connect)|Network is unreachable|NewConnectionError|Failed to establish a new connection|Name or service not known' "$1"
}

free_mib() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }'; }

# Says which disk has under 20 MB free, or that the log says so (a quota does not show in df).
disk_full() {
    for folder in "$build" "$root" "${TMPDIR:-/tmp}" /var/cache/apt; do
        [ -d "$folder" ] || continue
        free=$(free_mib "$folder")
        [ "${free:-20}" -lt 20 ] || continue
        say "The disk that holds $folder is full ($free MB free; about 400 MB are needed)."
        case $folder in
        "$build" | "$root") say "Free some space and run the same command again, or build elsewhere with LAB_BUILD=DIR." ;;
        "${TMPDIR:-/tmp}") say "Free some space there, or use another temporary folder (TMPDIR=DIR), and run the same command again." ;;
        *) say "Free some space there (sudo apt-get clean), and run the same command again." ;;
        esac
        return 0
    done
    grep -qiE 'no space left|quota exceeded' "${1:-/dev/null}" || return 1
    say "A disk is full, or your quota is used up: see df -h and quota. $build needs about 400 MB."
    say "Free some space and run the same command again, or build elsewhere with LAB_BUILD=DIR."
}
