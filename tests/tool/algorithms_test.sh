#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The list of the MPI library's algorithms, as a user types it.
# usage: algorithms_test.sh SKAMPI-RUN MPIEXEC
set -u
run=$1
mpiexec=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME="$folder/cache"
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

"$run" algorithms bcast --json >"$folder/first.json" || fail "algorithms bcast --json: status $?"
grep -q '"word": "binomial"' "$folder/first.json" || fail "no binomial for MPI_Bcast: $(cat "$folder/first.json")"
grep -q '"may_be_incomplete": false' "$folder/first.json" || fail "may be incomplete"
grep '"operation"' "$folder/first.json" | grep -qv '"MPI_Bcast"' && fail "other operations than MPI_Bcast"

# the second time from what was kept, and as a rank
"$run" algorithms bcast --json >"$folder/second.json" || fail "the second time: status $?"
cmp -s "$folder/first.json" "$folder/second.json" || fail "the second list is another one"
"$mpiexec" -n 2 "$run" algorithms bcast --json >"$folder/ranks.json" || fail "two ranks: status $?"
[ "$(grep -c '"library"' "$folder/ranks.json")" -eq 1 ] || fail "two ranks print more than one list"

# where nothing can be kept
HOME=/proc/none XDG_CACHE_HOME=/proc/none "$run" algorithms bcast --json >"$folder/third.json" ||
    fail "without a place to keep words: status $?"
cmp -s "$folder/first.json" "$folder/third.json" || fail "without a place to keep words the list is another one"

"$run" algorithms '*all*' MPI_Barrier >"$folder/text" || fail "a glob: status $?"
for operation in MPI_Allgather MPI_Allreduce MPI_Barrier; do
    grep -q "^$operation " "$folder/text" || fail "no row of $operation"
done
"$run" algorithms MPI_Bcats >"$folder/out" 2>"$folder/err"
[ $? -eq 2 ] || fail "an unknown operation: not status 2"
grep -q 'MPI_Bcast' "$folder/err" || fail "an unknown operation: no near name in $(cat "$folder/err")"

# A word that MPICH does not know keeps it from telling anything; other libraries do not read the variable.
if grep -q '"library": "MPICH' "$folder/first.json"; then
    MPIR_CVAR_BCAST_INTRA_ALGORITHM=nonsense "$run" algorithms bcast >"$folder/out" 2>"$folder/err"
    [ $? -eq 3 ] || fail "a wrong word in the environment: not status 3"
fi

[ "$failures" -eq 0 ]
