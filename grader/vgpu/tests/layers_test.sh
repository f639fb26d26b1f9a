#!/bin/sh
# The folders of a component include each other in one direction only.
#
#     layers_test.sh ROOT PREFIX FOLDER...
#
# FOLDERs lie in ROOT/PREFIX, lowest first; "." is ROOT/PREFIX itself, without its folders. A file may
# include "PREFIX/FOLDER/..." of its own folder and of those before it. Where ROOT itself has the folders,
# PREFIX is "". A folder elsewhere is NAME=PATH: included by that name, found at that path from ROOT/PREFIX.
# Every folder with headers or sources must be named. Tests (*_test.cpp) may include everything.
set -eu
root=$1 prefix=${2:+$2/}
shift 2
[ $# -gt 0 ] || { echo "layers_test.sh: no folders" >&2; exit 2; }
cd "$root"

sources() { # sources PATH [FIND OPTIONS]: its headers and sources
    path=$prefix$1
    shift
    find "$path" "$@" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) ! -name '*_test.cpp' | sort
}

failed=''
later=$*
for folder in "$@"; do
    files=$(sources "${folder#*=}" -maxdepth 1)
    [ -n "$files" ] || { echo "$prefix$folder: no source files"; failed=yes; }
    later=${later#"$folder"}
    later=${later# }
    for above in $later; do
        name=${above%%=*}/
        [ "$name" != ./ ] || name=''
        # shellcheck disable=SC2086  # our own files have no spaces in their names
        if grep -nHE "^ *# *include \"${prefix}${name}[^/\"]*\"" $files; then failed=yes; fi
    done
done
for file in $(sources .); do
    folder=$(dirname "${file#"$prefix"}")
    case " $* " in
        *" ${folder#./} "*) ;;
        *) echo "${file#./}: its folder has no place in the order"; failed=yes ;;
    esac
done
[ -z "$failed" ] && exit
echo "These includes point up, or folders are missing. The order, lowest first: $*"
exit 1
