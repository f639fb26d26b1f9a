#!/bin/sh
# Searches the site as a reader does who opened it from the disk, in a browser without a window.
# Usage: search_test.sh SITE      exits with 77 where there is no browser: skipped
set -u
site=$1
[ -f "$site/search.html" ] || { echo "SKIPPED: there is no site" && exit 77; }
browser=
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$name && break
done
if [ -z "$browser" ]; then
    echo "SKIPPED: no chromium, so nobody has searched the site from a file"
    exit 77
fi
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

# found WORDS: the titles of the pages that the search finds.
found() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$profile" --virtual-time-budget=8000 \
        --dump-dom "file://$site/search.html?q=$1" 2>/dev/null | grep -o '<li class="kind-[^>]*><a [^>]*>[^<]*' | sed 's/.*>//'
}

failed=0
expect() {
    if ! found "$1" | grep -qx "$2"; then
        echo "searching for \"$1\" does not find \"$2\", but:"
        found "$1" | sed 's/^/    /'
        failed=1
    fi
}
expect barrier Synchronisation
expect occupancy 'Launch and occupancy'
expect pinned 'Streams and timing'
[ -z "$(found nosuchwordanywhere)" ] || { echo "a word that stands nowhere is found" && failed=1; }
exit $failed
