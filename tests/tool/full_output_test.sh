#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Whoever reads nothing of a tool's words must be told so by its exit status: standard output to a full device
# and a closed one.
# usage: full_output_test.sh SKAMPI-RUN SKAMPI-MERGE [SKAMPI-REPORT]
set -u
run=$1
merge=$2
report=${3-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# refuses STATUS COMMAND...: ends with this status and one line that names standard output
refuses() {
    wanted=$1
    shift
    for where in '>/dev/full' '>&-'; do
        eval '"$@" '"$where"' 2>"$folder/err"'
        status=$?
        [ "$status" -eq "$wanted" ] || fail "$* $where: status $status, expected $wanted"
        [ "$(grep -c '^skampi-[a-z]*: standard output cannot be written: ' "$folder/err")" -eq 1 ] ||
            fail "$* $where: said $(cat "$folder/err")"
    done
}

cat >"$folder/plan.skampi" <<'END'
@MEASUREMENTS
Wtime { Type = MPI_Wtime; Max_Repetition = 20; }
END
"$run" "$folder/plan.skampi" -d "$folder/x.db" >/dev/null 2>&1 || fail "no result to work with"

refuses 3 "$run" list
refuses 3 "$run" list --json
refuses 3 "$run" check "$folder/plan.skampi"
refuses 3 "$run" status "$folder/x.db"
refuses 3 "$run" status --json "$folder/x.db"
refuses 3 "$run" --help
refuses 3 "$run" --version
refuses 3 "$run" status --help
refuses 3 "$merge" --help
refuses 3 "$merge" --version
# The result is there, only the words are not.
refuses 1 "$run" --fresh "$folder/plan.skampi" -d "$folder/x.db"
refuses 1 "$merge" --overwrite "$folder/x.db" -o "$folder/merged.db"
if [ -n "$report" ]; then
    refuses 3 "$report" --help
    refuses 3 "$report" --version
    refuses 1 "$report" "$folder/x.db" -o "$folder/x.json"
fi

# Errors that nobody reads: the status says what happened, and no file becomes standard error.
"$run" check "$folder/none.skampi" 2>&-
[ $? -eq 2 ] || fail "check of a missing file 2>&-: not status 2"
"$run" "$folder/none.skampi" -d "$folder/y.db" 2>&-
[ $? -eq 2 ] || fail "a job with a missing file 2>&-: not status 2"
"$run" "$folder/plan.skampi" -d "$folder/y.db" >"$folder/out" 2>&- || fail "a job 2>&-: status $?"
"$run" status "$folder/y.db" >/dev/null || fail "the database of a job 2>&- is damaged"
exit "$failures"
