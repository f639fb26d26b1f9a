#!/bin/sh
# Commands that run the work of others refuse to do it without a sandbox, before they read anything.
#
#     class_needs_sandbox_test.sh LAB-CLASS ROOT BUILD
set -u
class=$1
export LAB_ROOT="$2" LAB_BUILD="$3" LAB_SANDBOX=off
failed=0
for command in "batch /no/class" "chunk /no/chunk.json"; do
    # shellcheck disable=SC2086  # two words
    said=$("$class" $command 2>&1)
    code=$?
    expected="./lab ${command%% *} needs a sandbox: it runs the work of others, and LAB_SANDBOX=off is for your own code only.
With a sandbox: unset LAB_SANDBOX"
    if [ $code != 2 ] || [ "$said" != "$expected" ]; then
        echo "FAILED: $command: exit code $code, and"
        echo "$said"
        failed=1
    fi
done
exit $failed
