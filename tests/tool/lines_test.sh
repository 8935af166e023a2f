#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Without a terminal a run writes its values to standard output, a line each: one launch, several, and launches until
# values are known.
# usage: lines_test.sh SKAMPI-RUN MPIEXEC
set -u
run=$(realpath "$1")
mpiexec=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

cat >plan.skampi <<'END'
@MEASUREMENTS
wall clock { Type = MPI_Wtime; Max_Repetition = 20; Passes = 1; }
memcpy { Type = memcpy; Scale = Fixed_log; Stepwidth = 64; End_Argument = 64KiB; Max_Repetition = 20; Passes = 1; }
END

# holds ERROR COMMAND...: one header, then a line for each of the five points, with this kind of error
holds() {
    wanted=$1
    shift
    "$@" >out 2>err || [ $? -eq 1 ] || { echo "FAILED: $*: $(cat err)"; failures=$((failures + 1)); }
    awk -v wanted="$wanted" '
        /^SKAMPI: / { last = NR; next }
        $1 == "suite" { headers++; columns = NF; next }
        NF != columns { print "a line of " NF " words, expected " columns ": " $0; bad = 1 }
        $1 != "wall_clock" && $1 != "memcpy" { print "another line: " $0; bad = 1 }
        $3 != "nan" && !($3 > 0 && ($4 == "nan" || $4 <= $3 && $3 <= $5) && ($8 == wanted || $8 == "none")) { print "no value: " $0; bad = 1 }
        { points++; seen[$1, $2]++ }
        $8 == wanted { known++ }
        END {
            if (headers != 1) { print headers " headers, expected 1"; bad = 1 }
            if (points != 5 || seen["memcpy", 4096] != 1) { print points " points, expected 5"; bad = 1 }
            if (last != NR) { print "the last line is none for scripts"; bad = 1 }
            if (known < 1) { print "no value has an error of the kind " wanted; bad = 1 }
            exit bad
        }' out || { echo "FAILED: $*"; cat out; failures=$((failures + 1)); }
}

holds repeatability "$mpiexec" -n 1 "$run" plan.skampi -d one.db
holds repeatability "$run" -n 1 plan.skampi -d supervised.db
holds range "$run" -n 1 plan.skampi -d several.db --launches 3
holds interval_in_a_row "$run" -n 1 plan.skampi -d until.db --until 50% --time 60s
exit "$failures"
