#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody else's file starts and loads nothing that the user did not ask for: neither the variables of a tuning file
# nor the variants of a parameter file.
# usage: foreign_files_test.sh SKAMPI-RUN MPIEXEC
set -u
run=$(realpath "$1")
mpiexec=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# refuses WORDS COMMAND...: ends with status 2 and one line with these words, and starts no launcher
refuses() {
    words=$1
    shift
    "$run" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || fail "$*: status $status, said $(cat out err)"
    grep -q -e "$words" err || fail "$*: said $(cat err), expected $words"
    [ "$(wc -l <err)" -eq 1 ] || fail "$*: said more than a line: $(cat err)"
    [ ! -e started ] || fail "$*: started the launcher"
    rm -f started
}

cat >launcher <<END
#!/bin/sh
touch "$folder/started"
exec "$mpiexec" "\$@"
END
chmod +x launcher
launch="$folder/launcher -n {n}"

for variable in LD_PRELOAD PATH OMPI_MCA_mca_base_component_path; do
    for first in MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial OMPI_MCA_coll_tuned_bcast_algorithm=1; do
        printf '%s\n%s=/tmp/none.so\n' "$first" "$variable" >foreign.env
        refuses foreign.env verify foreign.env -n 2 --launch "$launch"
    done
done

cat >plan.skampi <<'END'
@VARIANTS
usual { }
other { Program = /opt/none/skampi-run; Launch = /opt/none/mpiexec -n {n}; }
@MEASUREMENTS
Wtime { Type = MPI_Wtime; Max_Repetition = 20; }
END
for command in "" compare daemon; do
    refuses 'program=/opt/none/skampi-run.*expected --variants' $command plan.skampi -n 2 --launch "$launch"
done
refuses '/opt/none/skampi-run' plan.skampi -n 2 --launch "$launch" --variants
refuses 'variants' plan.skampi -n 2 --launch "$launch" --variants --against A=1
"$run" check plan.skampi >out || fail "check: status $?"
grep -q 'program=/opt/none/skampi-run' out || fail "check does not show what would be started"

[ "$failures" -eq 0 ]
