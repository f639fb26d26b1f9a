#!/bin/sh
# Unpacks the packages that CUDA Labs builds on into a folder, for a machine that has neither them nor
# a network nor anybody with rights: a cluster, a rented GPU. Run it where apt-get works:
#
#     grader/cmake/carry-packages.sh deps          # nothing is installed; about 20 MB
#
# then take `deps` along and say where it is:      LAB_DEPS=$PWD/deps/usr ./lab grade 02
#
# The other machine needs g++ 12 or newer, CMake 3.25, ninja, and a C library at least as new as here.
set -eu

[ $# = 1 ] || { echo "Usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
root=$(cd "$(dirname "$0")/../.." && pwd -P)
build=$(mktemp -d) # where packages.sh would keep its logs
trap 'rm -rf "$build"' EXIT
log=$build
. "$root/grader/cmake/packages.sh"

# What is needed to build, the libraries behind the -dev packages, and the sandbox.
packages="libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libtomlplusplus3 libfmt-dev libzstd-dev
    libzstd1 liblz4-dev liblz4-1 libseccomp-dev libseccomp2 bubblewrap libcap2"
