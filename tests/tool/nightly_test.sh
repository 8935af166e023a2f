#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The nightly script as it is installed, with invented programs around it: when is there a mail, and with what status
# does it end? Usage: nightly_test.sh SCRIPT
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/my measure"
cp "$1" "$folder/my measure/nightly"
chmod +x "$folder/my measure/nightly"

program() { # name, status of the environment's variable
    cat >"$folder/bin/$1" <<END
#!/bin/sh
printf '%s\n' "$1:" "\$@" >>"\$CALLS"
[ "$1" != mail ] || cat >>"\$CALLS"
[ "$1" != skampi-report ] || printf '%s' "\${SAYS:-}"
exit \${$2:-0}
END
    chmod +x "$folder/bin/$1"
}
program skampi-run MEASURED
program skampi-report CHECKED
program mail MAILED
failed=0
expect() { # what, wanted, found
    [ "$2" = "$3" ] || { failed=1 && echo "FAILED: $1: expected \"$2\", found \"$3\""; }
}
night() { # measured, checked, what the check says; sets status, mails and checks
    : >"$folder/calls"
    env -u SLURM_NTASKS MEASURED="$1" CHECKED="$2" SAYS="${3:-}" CALLS="$folder/calls" PATH="$folder/bin:/usr/bin:/bin" \
        "$folder/my measure/nightly"
    status=$?
    mails=$(grep -c '^mail:$' "$folder/calls")
    checks=$(grep -c '^skampi-report:$' "$folder/calls")
}

for row in "0 0 0 0 1" "0 1 1 1 1" "0 2 2 1 1" "1 0 0 0 1" "1 1 1 1 1" "2 1 2 1 0" "3 1 3 1 0" "143 1 143 1 0"; do
    # shellcheck disable=SC2086
    set -- $row
    night "$1" "$2"
    expect "status where measuring ends with $1 and the check with $2" "$3" "$status"
    expect "mails where measuring ends with $1 and the check with $2" "$4" "$mails"
    expect "checks where measuring ends with $1" "$5" "$checks"
done
night 0 1
expect "gates" 2 "$(grep -c '^--fail-if$' "$folder/calls")"
expect "ranks" 1 "$(grep -A1 '^-n$' "$folder/calls" | grep -c '^2$')"
expect "files beside the script" "night.txt nightly" "$(ls "$folder/my measure" | tr '\n' ' ' | sed 's/ $//')"

slower="skampi-report: --fail-if 'significantly slower': MPI_Bcast, 8 B has become slower since 2026-11-27 08:38 UTC"
faster="skampi-report: --fail-if 'significantly faster': MPI_Scan, 8 B has become faster since 2026-11-27 08:38 UTC"
line='
'
for row in "$slower$line$faster$line:slower" "$faster$line:faster" "SKAMPI: FAILED$line:part"; do
    night 0 1 "${row%:*}"
    expect "mails with the subject $row" 1 "$(grep -c "^MPI on .* ${row##*:}" "$folder/calls")"
    expect "options in the mail" 0 "$(grep -c "skampi-report:.*--fail-if\|SKAMPI:" "$folder/calls")"
done
night 0 1 "$slower$line"
expect "counted as slower" 1 "$(grep -c ': 1 slower, 0 faster' "$folder/my measure/night.txt")"
warning="skampi-report: warning: --fail-if 'significantly slower': MPI_Scan, 8 B: a step is in doubt"
night 0 1 "$slower$line$warning$line"
expect "counted beside a warning" 1 "$(grep -c ': 1 slower, 0 faster' "$folder/my measure/night.txt")"
expect "lines of the mail that say what" 1 "$(grep -c '^MPI_Bcast, 8 B has become slower since' "$folder/calls")"

mkdir "$folder/few"
ln -s "$(command -v dirname)" "$folder/bin/skampi-run" "$folder/bin/skampi-report" "$folder/few"
: >"$folder/calls"
refusal=$(CALLS="$folder/calls" PATH="$folder/few" "$folder/my measure/nightly" 2>&1)
expect "status where nobody can send the mail" 3 $?
expect "lines of that refusal" 1 "$(printf '%s\n' "$refusal" | grep -c 'no program mail')"
expect "what was called before it" "" "$(cat "$folder/calls")"

sed -i -e 's/^mail_to=[^ ]*/mail_to=/' -e "s/^launch= /launch='srun -n {n}' /" "$folder/my measure/nightly"
night 0 1
expect "status without a mail" 1 "$status"
expect "mails without an address" 0 "$mails"
expect "the launcher, as one word" 1 "$(grep -c '^srun -n {n}$' "$folder/calls")"
[ $failed = 0 ] && echo passed
exit $failed
