#!/bin/sh
# The yardsticks are built where a GPU is, so a program that they include can vanish unnoticed elsewhere.
set -eu
cd "$(dirname "$0")"
missing=0
for file in *.cu; do
    for included in $(sed -n 's/^#include "\(\.\.\/[^"]*\)"$/\1/p' "$file"); do
        [ -f "$included" ] && continue
        echo "solutions/yardsticks/$file includes $included, which is not there"
        missing=1
    done
done
exit $missing
