#!/bin/sh
# The virtual GPU builds without what surrounds it: a copy of its folder, far from the rest, is
# configured, and what is quick to compile is built there: the public headers and the cost model.
#
#     alone_test.sh SOURCE CMAKE [CMAKE OPTIONS]
set -eu
source=$1
cmake=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$source" "$folder/vgpu"

configure() { "$cmake" -S "$folder/vgpu" -B "$folder/build" -G Ninja "$@"; }
build() { "$cmake" --build "$folder/build" --target vgpu_public_headers vgpu_model; }
if ! { configure "$@" && build; } >"$folder/log" 2>&1; then
    cat "$folder/log"
    exit 1
fi
