#!/bin/sh
# The folders of a component include each other in one direction only.
#
#     layers_test.sh [-r] ROOT PREFIX FOLDER...
#
# FOLDERs lie in ROOT/PREFIX, lowest first; "." is ROOT/PREFIX itself, without its folders. A file may
# include "PREFIX/FOLDER/..." of its own folder and of those before it. Where ROOT itself has the folders,
# PREFIX is "". A folder elsewhere is NAME=PATH: included by that name, found at that path from ROOT/PREFIX.
# Every folder with headers or sources must be named. Tests may include everything: *_test.cpp, and all
# in a folder tests/. With -r a FOLDER is meant with the folders in it.
set -eu
within='[^/"]*' depth='-maxdepth 1'
if [ "$1" = -r ]; then
    within='[^"]*' depth=''
    shift
fi
root=$1 prefix=${2:+$2/}
shift 2
[ $# -gt 0 ] || { echo "layers_test.sh: no folders" >&2; exit 2; }
cd "$root"

sources() { # sources PATH [FIND OPTIONS]: its headers and sources
    path=$prefix$1
    shift
    find "$path" "$@" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) \
        ! -name '*_test.cpp' ! -path '*/tests/*' ! -path 'tests/*' | sort
}

failed=''
later=$*
for folder in "$@"; do
    # shellcheck disable=SC2086  # two words or none
    files=$(sources "${folder#*=}" $depth)
    [ -n "$files" ] || { echo "$prefix$folder: no source files"; failed=yes; }
    later=${later#"$folder"}
    later=${later# }
    for above in $later; do
        name=${above%%=*}/
        [ "$name" != ./ ] || name=''
        # shellcheck disable=SC2086  # our own files have no spaces in their names
        if grep -nHE "^ *# *include \"${prefix}${name}$within\"" $files; then failed=yes; fi
    done
done
for file in $(sources .); do
    folder=$(dirname "${file#"$prefix"}")
    folder=${folder#./}
    [ -n "$depth" ] || folder=${folder%%/*}
    case " $* " in
        *" $folder "*) ;;
        *) echo "${file#./}: its folder has no place in the order"; failed=yes ;;
    esac
done
[ -z "$failed" ] && exit
echo "These includes point up, or folders are missing. The order, lowest first: $*"
exit 1
