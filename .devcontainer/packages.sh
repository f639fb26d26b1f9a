# Installs the packages that ./lab would install at its first start (grader/cmake/packages.sh), without
# building anything. As root, in the image's Dockerfile.
set -eu
root=$(dirname "$0") build=$root/build
# shellcheck disable=SC2034  # the sourced files read them
ready=$build/ready settings='' nvcc=''
say() { printf 'lab: %s\n' "$*" >&2; }
mkdir -p "$build/log"
. "$root/grader/cmake/set-up.sh"
set +eu # as ./lab runs it
need_packages
