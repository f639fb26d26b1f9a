#!/bin/sh
# Checks that the folders of a component include each other in one direction only.
#
#     layers_test.sh ROOT PREFIX FOLDER...
#
# FOLDERs are those of ROOT/PREFIX, lowest first; "." is ROOT/PREFIX itself, without its folders. A file
# of a folder may include "PREFIX/FOLDER/..." of its own folder and of those before it, and of no other.
# Tests (*_test.cpp) may include everything.
set -eu

root=$1 prefix=$2
shift 2
[ $# -gt 0 ] || { echo "layers_test.sh: no folders" >&2; exit 2; }
cd "$root"

# Prints the includes of the folder's files that are not among the allowed ones: "file:line: ...".
upward() { # upward FOLDER ALLOWED
    files=$(find "$prefix/$1" -maxdepth 1 -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) \
                 ! -name '*_test.cpp' | sort)
    [ -n "$files" ] || { echo "$prefix/$1: no source files"; return; }
    # shellcheck disable=SC2086  # our own files have no spaces in their names
    grep -nH "^ *# *include \"$prefix/" $files |
        grep -vE "include \"$prefix/($2)" || true
}

found='' allowed=''
for folder in "$@"; do
    case $folder in
        .) own='[^/]*"' ;;
        *) own="$folder/" ;;
    esac
    allowed=${allowed:+$allowed|}$own
    bad=$(upward "$folder" "$allowed")
    [ -z "$bad" ] || found=$found$bad'
'
done
[ -z "$found" ] && exit
printf '%s' "$found"
echo "These includes point up. The order of the folders, lowest first: $*"
exit 1
