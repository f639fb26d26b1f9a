#!/bin/sh
# Executes the notebook with the first Python that has what it needs: Debian's packages are for /usr/bin/python3.
# Usage: notebook_test.sh ROOT BUILD      exits with 77 where there is none: skipped
set -u
for python in "${LAB_PYTHON:-python3}" /usr/bin/python3; do
    "$python" -c 'import ipykernel, nbclient' 2>/dev/null && break
done
PYTHONDONTWRITEBYTECODE=1 exec "$python" "$1/docs/tests/notebook_test.py" "$@"
