#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/skampi.service under a systemd of its own, in namespaces of its own: stopped, killed, started again, done.
# Usage: systemd_test.sh SKAMPI_RUN MPIEXEC UNIT_FILE. Exit status 77 where this machine cannot do that.
set -u
skampi_run=$(realpath "$1") mpiexec=$2 unit=$3

skip() {
    echo "skipped: $1"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "not root"
systemd=/lib/systemd/systemd
[ -x $systemd ] || skip "systemd is not installed"
for program in unshare nsenter systemctl; do
    command -v $program >/dev/null || skip "$program is not installed"
done
hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$hierarchy" ] || skip "no cgroup2 hierarchy"
cgroup=$hierarchy/skampi-systemd-test-$$
mkdir "$cgroup" 2>/dev/null || skip "cannot create a control group"

folder=$(mktemp -d)
manager=
clean_up() {
    [ -z "$manager" ] || kill -KILL "$manager" 2>/dev/null
    for step in 1 2 3 4 5 6 7 8 9 10; do
        find "$cgroup" -depth -type d -exec rmdir {} \; 2>/dev/null
        [ -d "$cgroup" ] || break
        sleep 0.2
    done
    rm -rf "$folder"
}
trap clean_up EXIT
fail() {
    echo "FAILED: $1"
    "$skampi_run" status "$folder/lib/skampi.db"
    cat "$folder/unit.log" "$folder/systemd.log"
    exit 1
}
eventually() { # seconds, command...
    left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || return 1
        sleep 0.2
    done
}

# The unit as it is shipped, but for where things are, how often it runs and how soon it is started again.
mkdir "$folder/units" "$folder/lib"
cat >"$folder/units/skampi-test.target" <<END
[Unit]
Description=Nothing but what this test needs
END
sed -e "s,^User=.*,User=root," -e "s,^StateDirectory=.*,," -e "s,^WorkingDirectory=.*,WorkingDirectory=$folder/lib," \
    -e "s,^ExecStart=[^ ]*,ExecStart=$skampi_run," -e "s,/etc/skampi/,$folder/," -e "s,/var/lib/skampi/,$folder/lib/," \
    -e "s,-n 4 --runs 28 --every 6h,-n 2 --runs 2 --launch '$mpiexec -n {n}'," \
    -e "s,^RestartSec=.*,RestartSec=1," \
    -e "s,^Type=exec,&\nDefaultDependencies=no\nStandardOutput=append:$folder/unit.log\nStandardError=append:$folder/unit.log," \
    "$unit" | sed -e "s,^DefaultDependencies=no$,," >"$folder/units/skampi.service"
sed -i -e "s,^\[Unit\]$,&\nDefaultDependencies=no," -e "/^After=/d" -e "/^Wants=/d" "$folder/units/skampi.service"
grep -q -- "--runs 2 " "$folder/units/skampi.service" || fail "the unit file no longer is what this test expects"
# Four suites of 3 s: the error asked for is never reached.
{
    echo "@MEASUREMENTS"
    for name in one two three four; do
        echo "$name
{ Type = MPI_Ssend-MPI_Recv; Variation = Length; Scale = Fixed_linear; Start_Argument = 1000; End_Argument = 2000;
  Stepwidth = 1000; Max_Repetition = Invalid_Value; Standard_error = 0.00001; Time_Measurement = 0.025;
  Time_Suite = 0.05; }"
    done
} >"$folder/plan.skampi"

sh -c 'echo $$ > "$1/cgroup.procs" && exec unshare --pid --fork --kill-child --mount --cgroup --ipc --uts sh -c "
    mount -t proc proc /proc && mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /etc/systemd/system || exit 1
    umount -R /sys/fs/cgroup 2>/dev/null
    mount -t cgroup2 cgroup2 /sys/fs/cgroup && cp $2/units/* /etc/systemd/system/ || exit 1
    exec env -i container=skampi-test PATH=/usr/bin:/bin $3 --system --unit=skampi-test.target --log-target=console
"' sh "$cgroup" "$folder" $systemd >"$folder/systemd.log" 2>&1 &
unshare_pid=$!
trap 'clean_up; wait' EXIT
find_manager() {
    manager=$(cat /proc/$unshare_pid/task/$unshare_pid/children 2>/dev/null | tr -d ' ')
    [ -n "$manager" ] && [ "$(readlink /proc/"$manager"/exe)" = "$(readlink -f $systemd)" ]
}
eventually 10 find_manager || skip "no systemd of its own comes up here: $(cat "$folder/systemd.log")"
ctl() {
    nsenter --target "$manager" --all systemctl "$@"
}
active() { [ "$(ctl show --property=ActiveState --value skampi)" = "$1" ]; }
measuring() { "$skampi_run" status --json "$folder/lib/skampi.db" | grep -q '"in_progress": true'; }
result() { ctl show --property=Result --value skampi; }
main_pid() { ctl show --property=MainPID --value skampi; }
eventually 10 ctl is-system-running --wait || eventually 10 ctl list-units || skip "systemd does not answer"

echo "started: it measures"
ctl start skampi || fail "the unit does not start"
eventually 120 measuring || fail "it does not measure"

echo "hung up: a daemon has no terminal to lose"
nsenter --target "$manager" --all kill -HUP "$(main_pid)"
active active || fail "hung up, and no longer active"

echo "stopped: it ends after its current measurement, as a success, without blaming a suite"
ctl stop skampi
active inactive || fail "stopped, but not inactive"
[ "$(result)" = success ] || fail "stopped, but the result is $(result)"
# Of two signals the one that came first is taken first, and noted when it ends the daemon.
grep -q SIGHUP "$folder/unit.log" && fail "a hang-up ends it"
grep -q SIGTERM "$folder/unit.log" || fail "stopped, but nothing is said of it"
measuring && fail "a suite is still in progress"
"$skampi_run" status --json "$folder/lib/skampi.db" | grep -q '"state": "put off"' && fail "a suite was blamed"

echo "killed: systemd starts it again, and it goes on"
ctl start skampi
eventually 120 measuring || fail "it does not measure again"
before=$(main_pid)
nsenter --target "$manager" --all kill -KILL "$before"
restarted() { now=$(main_pid) && [ "$now" != 0 ] && [ "$now" != "$before" ]; }
eventually 60 restarted || fail "not started again after a kill"

echo "done: all runs are there, and it is not started again"
eventually 400 active inactive || fail "it does not come to its end"
[ "$(result)" = success ] || fail "the result is $(result)"
status=$("$skampi_run" status --json "$folder/lib/skampi.db")
[ "$(echo "$status" | grep -c '"ended_utc": "2')" = 2 ] || fail "not two runs that ended"
[ "$(echo "$status" | grep -c '"state": "finished"')" = 8 ] || fail "not all suites finished"
ls "$folder"/lib | grep -v '^skampi.db$' && fail "files are left over"
echo "passed"
