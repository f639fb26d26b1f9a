#!/bin/sh
# Builds the site, warnings as errors, and checks it.
# Usage: site_test.sh ROOT SITE      exits with 77 where Sphinx cannot be installed: skipped
set -u
root=$1 site=$2
rm -rf "$site" "$site.cache"
"$root/docs/site/build" --out "$site"
case $? in
0) ;;
5) exit 77 ;;
*) exit 1 ;;
esac
exec "${LAB_PYTHON:-python3}" "$root/docs/tests/check_site.py" "$site"
