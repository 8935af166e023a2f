#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What skampi-run reads is never written, whichever option names it.
# usage: inputs_test.sh SKAMPI-RUN
set -u
run=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# refuses COMMAND...: ends at once with status 2 and one line that says so, and changes no file
refuses() {
    "$run" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status, said $(cat out err)"
    grep -q 'is an input\|is written twice' err || fail "$*: said $(cat err)"
    cmp -s plan.json plan || fail "$*: changed the parameter file"
    cmp -s options.json options || fail "$*: changed the file of options"
    cmp -s tuning.env tuning || fail "$*: changed the tuning file"
}

cat >plan <<'END'
@TIMESUITEDEFAULT 0.1 s
@MEASUREMENTS
Bcast { Type = MPI_Bcast; Scale = Fixed_log; Start_Argument = 1KiB; End_Argument = 2KiB; Algorithm = all; }
END
sed '1i @LOGFILE log.txt' plan >logged
echo 'fresh' >options
echo 'MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial' >tuning
cp plan plan.json
cp options options.json
cp tuning tuning.env
cp plan rules.json.md
cp options v.db.verify.skampi
ln -s plan.json soft.json
ln plan.json hard.json

for name in plan.json ./plan.json soft.json hard.json; do
    refuses tune plan.json -n 2 -o "$name"
    refuses compare plan.json -n 2 --against A=1 -o "$name"
done
refuses tune rules.json.md -n 2 -o rules.json
refuses --config options.json compare plan.json -n 2 --against A=1 -o options.json
refuses --config options.json tune plan.json -n 2 -o options.json
refuses compare plan.json -n 2 --against A=1 -d x.json -o x.json
refuses compare logged -n 2 --against A=1 -o log.txt
refuses verify tuning.env -n 2 -o tuning.env
refuses --config v.db.verify.skampi verify tuning.env -n 2 -d v.db

[ "$failures" -eq 0 ]
