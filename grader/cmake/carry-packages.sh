#!/bin/sh
# Unpacks the packages that CUDA Labs needs into a folder, for a machine without them, without the
# right to install them, and perhaps without a network: a cluster, a rented GPU. Run it where
# apt-get works, with any rights; it installs nothing:
#
#     grader/cmake/carry-packages.sh deps
#
# Take `deps` along and say where it is:     LAB_DEPS=$PWD/deps/usr ./lab grade 02
#
# The machine that builds needs g++ 12 or newer, CMake 3.25 or newer and ninja of its own, and a C
# library no older than this machine's.
set -eu

[ $# = 1 ] || {
    echo "Usage: $0 FOLDER" >&2
    exit 2
}
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
# shellcheck source=grader/cmake/packages.sh
. "$(dirname "$0")/packages.sh"

debs=$(mktemp -d)
trap 'rm -rf "$debs"' EXIT
cd "$debs"

# The packages with headers, and the sandbox; then the libraries behind the headers. Without those
# of a class, whose libraries need many more: classes are graded where packages can be installed.
# shellcheck disable=SC2154  # packages.sh sets it
headers=$(echo "$needs" | sed -n '/ class$/d; s/ *header .*//p' | grep -v '^catch2$')
# shellcheck disable=SC2086  # a list of names
apt_apart "" download $headers bubblewrap >/dev/null
catch2_source=
from_backports catch2 && catch2_source=$(backports_source)
apt_apart "$catch2_source" download catch2 >/dev/null

libraries_behind() {
    for deb; do
        dpkg-deb --field "$deb" Depends | tr ',' '\n' | sed -n 's/^ *\([^ ]*\) (= .*/\1/p'
    done
}
# shellcheck disable=SC2046  # lists of names
apt_apart "" download $(libraries_behind ./*-dev_*.deb) >/dev/null
# Debian's catch2 is empty and depends on the one with the headers; Ubuntu's is the one.
case $(dpkg-deb --field catch2_*.deb Depends) in
*libcatch2-dev*) apt_apart "$catch2_source" download libcatch2-dev >/dev/null ;;
esac

for deb in *.deb; do
    dpkg-deb --extract "$deb" "$folder"
done
rm -rf "${folder:?}/etc" "$folder/usr/share/doc" "$folder/usr/share/man" "$folder/usr/share/lintian"
echo "Unpacked $(echo *.deb | wc -w) packages, $(du -sm "$folder" | cut -f 1) MB. To build with them:"
echo "    LAB_DEPS=$folder/usr ./lab grade 02"
