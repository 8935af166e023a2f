#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The programs of OSU and IMB as a site's check calls them: the text on standard output, read by the expressions of such
# checks, and nothing else there.
# usage: drop_in_test.sh SKAMPI-DROP-IN MPIEXEC "NAME NAME ..."    (the names of the installed links)
set -u
program=$(realpath "$1")
mpiexec=$2
names=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
# launch STATUS NAME OPTION...: with 2 ranks, into out and err
launch() {
    wanted=$1
    shift
    "$mpiexec" -n "${ranks-2}" "./$@" >out 2>err
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: status $status, expected $wanted: $(cat err)"
}
# says PATTERN: standard output has a line like this
says() {
    grep -qE "$1" out || fail "expected a line like '$1', found: $(cat out)"
}
# rows N COLUMNS: so many lines that begin with a digit, with so many words each, and the last line is one of them
rows() {
    found=$(grep -cE '^[0-9]' out)
    [ "$found" -eq "$1" ] || fail "found $found rows, expected $1: $(cat out)"
    wrong=$(grep -E '^[0-9]' out | awk -v n="$2" 'NF != n')
    [ -z "$wrong" ] || fail "expected $2 columns, found: $wrong"
    tail -n 1 out | grep -qE '^[0-9]' || fail 'something follows the table'
}

for name in $names; do
    ln -s "$program" "$name"
done

# Every installed name is known, and every known name is installed.
ln -s "$program" osu_unknown
./osu_unknown 2>err
known=$(tr -d ',' <err | tr ' ' '\n' | grep -E '^(osu_[a-z_]+|IMB-MPI1)$' | grep -v osu_unknown | sort)
installed=$(echo "$names" | tr ' ' '\n' | sort)
[ "$known" = "$installed" ] || fail "installed and known names differ: $installed; $known"

launch 0 osu_hello
says '^This is a test with 2 processes$'

launch 0 osu_latency -c -m 1:8 -i 20 --no-database
rows 4 3
[ "$(sed -n 1,2p out)" = "
# OSU MPI Latency Test v7.4" ] || fail "osu_latency begins with $(sed -n 1,2p out)"
says '^8.*Pass'
[ ! -e osu_latency.db ] || fail 'osu_latency --no-database leaves a database'

launch 0 osu_allreduce -m 4:64 -i 20
rows 5 2
says '^# Size       Avg Latency\(us\)$'
grep -q osu_allreduce.db err || fail "osu_allreduce does not say where the results are: $(cat err)"
[ -s osu_allreduce.db ] || fail 'osu_allreduce leaves no database'
launch 0 osu_allreduce --full --tail-lat=50,99 --message-size=4:8 --iterations 20 --database x.db D D
rows 2 7
[ -s x.db ] || fail 'osu_allreduce --database x.db leaves none'

launch 0 osu_iallreduce -m 4:16 -f -i 10 --no-database
rows 3 10
launch 0 osu_bw -m 1:4 -i 10 --no-database
rows 3 2
launch 0 osu_mbw_mr -m 1:4 -i 10 --no-database
rows 3 3
says '^# \[ pairs: 1 \] \[ window size: 64 \]$'
launch 0 osu_put_latency -m 1:4 -i 10 --no-database
rows 3 2
launch 0 osu_put_bw -m 1:4 -i 10 --no-database
rows 3 2
launch 0 osu_barrier -f -i 10 --no-database
[ "$(tail -n 1 out | awk '{print NF, $4}')" = '4 10' ] || fail "osu_barrier says $(cat out)"

launch 0 IMB-MPI1 PingPong allreduce -npmin 2 -msglog 0:3 -iter 20 -no-database
says '^# Benchmarking Allreduce $'
says '^# #processes = 2 $'
says '^       #bytes #repetitions  t_min\[usec\]  t_max\[usec\]  t_avg\[usec\]$'
[ "$(grep -cE '^ +[0-9]' out)" -eq 8 ] || fail "IMB-MPI1 has other lengths than 0 1 2 4 8 and 0 4 8: $(cat out)"

# Refused, with the name of what is.
launch 2 osu_latency -f
grep -q -- '-f' err || fail "osu_latency -f says $(cat err)"
launch 2 IMB-MPI1 -off_cache -1
ranks=1 launch 2 osu_latency -m 1:8
[ ! -s out ] || fail "osu_latency with one rank prints $(cat out)"
exit "$failures"
