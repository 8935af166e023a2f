#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a report prints to be typed next is what was typed, and works: of skampi-run and of a program of one's own.
# usage: printed_command_test.sh SKAMPI-REPORT PROGRAM...
set -u
report=$(realpath "$1")
shift
from=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

cat >plan.skampi <<'END'
@MEASUREMENTS
reduce { Type = MPI_Reduce; Variation = Length; Start_Argument = 8; End_Argument = 64; Max_Steps = 3; Max_Repetition = 20; Time_Suite = 1 s; }
barrier { Type = MPI_Barrier; Variation = No_Variation; Max_Repetition = 20; Time_Suite = 1 s; }
END

cat >halo.skampi <<'END'
@MEMORY 1 MiB
@MEASUREMENTS
halo { Type = Halo_2D-Isend; End_Argument = 1MiB; }
END
"$(cd "$from" && realpath "$1")" check halo.skampi -n 4 | grep -q 'arguments end at [0-9]* instead of 1048576' ||
    fail "check does not say where a halo ends"

for program in "$@"; do
    program=$(cd "$from" && realpath "$program")
    rm -f a*.db
    "$program" plan.skampi --suite 'red*' -n 2 -d a.db >out 2>&1 || [ $? -eq 1 ] || fail "$program: $(cat out)" # 1: no time for all points
    "$report" a.db >text || fail "no report"
    # four more, or, where other work disturbed the first, five into another file
    command=$(grep -o "[^ ]*$(basename "$program") plan.skampi.* --launches [45] .*-d a.*db" text)
    [ -n "$command" ] || fail "$program: no command in $(cat text)"
    sh -c "$command" >out 2>&1 || [ $? -eq 1 ] || fail "$command: $(cat out)"
    database=${command##* }
    runs=$("$program" status --json "$database" | grep -o "\"suites\"" | wc -l)
    [ "$runs" -eq 5 ] || fail "$command: $runs runs, expected 5: $("$program" status "$database")"
    "$report" a.db --full | grep -q "^Trust" || fail "--full does not show all"
done
exit "$failures"
