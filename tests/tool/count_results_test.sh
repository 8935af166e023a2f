#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The counting of scripts/test, on invented logs. Argument: the script.
set -euo pipefail

count=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

expect() { # expect TITLE STATUS TEXT LOG: the log's results, separated by blanks
    local status=0 text
    : > "$folder/log"
    for result in $4; do
        echo "{\"name\": \"a, \\\"failed\\\" test\", \"result\": \"$result\"}" >> "$folder/log"
    done
    text=$("$count" "$folder/log" 2> "$folder/errors") || status=$?
    if [ "$status" != "$2" ] || [ "$text" != "$3" ]; then
        echo "$1: found status $status, \"$text\"; expected $2, \"$3\"" >&2
        failures=$((failures + 1))
    fi
}

expect 'all passed' 0 '2 passed, 0 failed' 'OK OK'
expect 'an expected failure is a pass' 0 '1 passed, 0 failed' 'EXPECTEDFAIL'
expect 'every kind of failure counts' 1 '1 passed, 5 failed' 'OK FAIL ERROR TIMEOUT INTERRUPT UNEXPECTEDPASS'
expect 'skipped tests are counted apart' 0 '1 passed, 0 failed, 2 skipped' 'SKIP OK SKIP'
expect 'nothing run is no success' 1 '0 passed, 0 failed' ''
expect 'a result nobody knows is a failure' 1 '1 passed, 1 failed' 'OK NEW'

for broken in '{' '[]' '{"name": "x"}'; do
    echo "$broken" > "$folder/broken"
    if "$count" "$folder/broken" > /dev/null 2>&1; then
        echo "a broken log passed: $broken" >&2
        failures=$((failures + 1))
    fi
done
if "$count" "$folder/none" > /dev/null 2>&1; then
    echo 'a missing log passed' >&2
    failures=$((failures + 1))
fi
exit "$((failures > 0))"
