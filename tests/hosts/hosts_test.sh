#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# skampi-run on several hosts with real TCP between them, whose truth is known: clocks, rates and cables are ours.
# Usage: hosts_test.sh SKAMPI_RUN CLOCK_TRUTH FALSE_CLOCK PATIENT MPIEXEC [CASE...]. Exit status 77 where this machine cannot.
# After a failure its folder stays.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
skampi_run=$(realpath "$1") clock_truth=$(realpath "$2") patient=$(realpath "$4")
SKAMPI_FALSE_CLOCK=$(realpath "$3") SKAMPI_HOSTS_MPIEXEC=$5 SKAMPI_HOSTS=skampi-$$
export SKAMPI_FALSE_CLOCK SKAMPI_HOSTS_MPIEXEC SKAMPI_HOSTS
shift 5
hosts=$here/hosts

skip() {
    echo "skipped: $1"
    exit 77
}
why=$("$hosts" possible) || skip "$why"
command -v python3 > /dev/null || skip 'there is no program python3'
"$SKAMPI_HOSTS_MPIEXEC" --version 2>&1 | grep HYDRA > /dev/null || skip "$SKAMPI_HOSTS_MPIEXEC is not MPICH's"

failures=0
folder=$(mktemp -d)
end() {
    "$hosts" down
    if [ "$failures" -eq 0 ]; then
        rm -rf "$folder"
    else
        echo "kept: $folder"
    fi
}
trap end EXIT
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

plan() { # name; the measurements are read
    { echo '@MEASUREMENTS'; cat; } > "$1.skampi"
}

# Where the machine is busy values may lack; where ranks hung in MPI_Finalize the status is the launcher's matter, and what
# is stored must be whole all the same.
measured() { # name, command...: measures what its plan says into name.db
    local name=$1
    shift
    timeout 120 "$@" > "$name.out" 2> "$name.err"
    local status=$?
    [ $status -eq 0 ] || { [ $status -eq 1 ] && grep -qE ' no value \(|no time was left' "$name.err"; } ||
        grep -q 'MPI_Finalize did not return' "$name.err" || {
        fail "$name: exit status $status"
        cat "$name.out" "$name.err"
    }
}

measure() { # ranks, name
    measured "$2" "$hosts" mpi "$1" "$skampi_run" "$2.skampi" -d "$2.db" --progress off
}

checks() { # name: a Python program about the rows of its database, which asserts
    {
        echo 'import sqlite3, sys'
        echo 'def rows(sql): return sqlite3.connect(sys.argv[1]).execute(sql).fetchall()'
        echo 'suites = rows("SELECT name, state, reason FROM suite")'
        echo 'assert all(ended for ended, in rows("SELECT ended_utc FROM run"))'
        echo 'assert all(state == "finished" for _, state, _ in suites), suites'
        cat
    } > "$1.py"
    python3 "$1.py" "$1.db" || fail "$1: what its database says"
}

# --- cases

bound_of_the_clock() {
    "$hosts" up 2
    for clock in '0 0' '3.25 5e-5' '-1.5 -2e-5'; do
        # shellcheck disable=SC2086
        "$hosts" clock n2 $clock
        rm -f truth.out
        timeout 60 "$hosts" mpi 2 "$clock_truth" 2.5 truth.out
        tail -n 1 truth.out | grep ': held$' || {
            fail "the clock's bound, with $clock on the second host"
            cat truth.out
        }
    done
}

windows_between_clocks() {
    "$hosts" up 2
    "$hosts" clock n2 3.25 5e-5
    plan windows << 'END'
Bcast { Type = MPI_Bcast; Scale = Fixed_log; Start_Argument = 8; End_Argument = 4096; Stepwidth = 22; Time_Suite = 2s; }
Allreduce { Type = MPI_Allreduce; Variation = No_Variation; Time_Suite = 2s; }
END
    measure 2 windows
    checks windows << 'END'
estimates = rows("SELECT clocks, sights, baseline_s, bound_s, growth, drift, held FROM clock_estimate")
assert estimates, "no estimate of the clock is stored"
# How small bound and growth are is the messages' matter: where ranks wait for busy cores they are some milliseconds.
for clocks, sights, baseline_s, bound_s, growth, drift, held in estimates:
    assert clocks == 2 and sights >= 2 and baseline_s >= 1 and held == 1, estimates
    assert 0 < bound_s < 0.1, bound_s
    assert abs(drift - 5e-5) <= growth, (drift, growth)
(offset_s, drift, bound_s), = rows("SELECT clock_offset_s, clock_drift, clock_bound_s FROM rank WHERE rank = 1")
assert offset_s > 3.25 and abs(drift - 5e-5) <= estimates[-1][4] and 0 < bound_s < 0.1, (offset_s, drift, bound_s)
# Clocks 3.25 s apart would show. The shortest times: whatever else keeps the cores busy makes none shorter.
for suite, minimum_s in rows("SELECT suite, minimum_s FROM result WHERE minimum_s IS NOT NULL"):
    assert 1e-6 < minimum_s < 0.1, (suite, minimum_s)
(late, kept), = rows("SELECT sum(late), sum(length(durations_s) / 4) FROM batch JOIN stretch ON stretch.id = stretch "
                     "WHERE synchronization = 'window'")
(instead,), = rows("SELECT count(*) FROM batch JOIN stretch ON stretch.id = stretch WHERE synchronization != 'window'")
print("windows missed: %d, kept: %d; batches without: %d" % (late, kept, instead))
assert kept > 0 or late > 0 and instead > 0, (late, kept, instead) # ranks that wait for cores miss them all
END
}

# Three ranks have two cores here: the first two of one host are to be on both, or the network is what is near.
plan_of_partners() {
    plan partners << 'END'
far { Type = 1; End_Argument = 64; Scale = Fixed_log; Stepwidth = 64; Max_Repetition = 50; Time_Suite = 1s; Passes = 1; }
near { Type = 1; End_Argument = 64; Scale = Fixed_log; Stepwidth = 64; Max_Repetition = 50; Time_Suite = 1s; Passes = 1; Partner = nearest; }
Bcast { Type = MPI_Bcast; Variation = No_Variation; Default_Message_length = 1MiB; Max_Repetition = 20; Time_Suite = 10s; Passes = 1; }
END
}

check_partners() { # the hosts of ranks 0, 1, and 2; the second's rank is far away
    {
        echo "hosts = '$*'.split()"
        cat << 'END'
far, near = hosts.index("n2"), hosts.index("n1", 1)
ranks = rows("SELECT processor, clock_bound_s FROM rank ORDER BY rank")
assert [host for host, _ in ranks] == hosts, ranks
assert ranks[0][1] == ranks[near][1] == 0 < ranks[far][1], ranks # those of one host share its clock
assert rows("SELECT DISTINCT clocks FROM clock_estimate") == [(2,)]
def facts(name):
    return dict(rows("SELECT suite.name, value FROM suite_fact JOIN suite ON suite.id = suite "
                     "WHERE suite_fact.name = '%s'" % name))
assert facts("partner") == {"far": str(far), "near": str(near)}, facts("partner")
places = facts("partner''s place")
assert places["far"] == "crosses the network, from n1 to n2", places
assert places["near"].startswith("shares ") and "n1" in places["near"], places
END
    } | checks partners
}

table_of_ranks_and_partners() {
    "$hosts" up 2
    plan_of_partners
    SKAMPI_HOSTS_TRANSPORTS=tcp,self,sm measured partners \
        "$hosts" mpi 3 -bind-to core "$skampi_run" partners.skampi -d partners.db --progress off
    check_partners n1 n2 n1
}

hosts_of_one_name() {
    "$hosts" up 2
    plan namesakes << 'END'
far { Type = 1; Variation = No_Variation; Max_Repetition = 20; Time_Suite = 1s; Passes = 1; Partner = other node; }
near { Type = 1; Variation = No_Variation; Max_Repetition = 20; Time_Suite = 1s; Passes = 1; Partner = rank 1; }
END
    SKAMPI_HOSTS_NAME=box measure 2 namesakes
    checks namesakes << 'END'
ranks = rows("SELECT processor FROM rank ORDER BY rank")
assert ranks == [("box",), ("box (2)",)], ranks
places = rows("SELECT DISTINCT value FROM suite_fact WHERE name = 'partner''s place'")
assert places == [("crosses the network, from box to box (2)",)], places
END
}

a_job_that_ends_at_once() {
    "$hosts" up 3
    plan wrong << 'END'
x { Type = MPI_Bcas; }
END
    for try in 1 2 3; do
        timeout 20 "$hosts" mpi 3 "$skampi_run" wrong.skampi -d wrong.db > wrong.out 2> wrong.err
        local status=$?
        # Ranks that do not come out of MPI_Finalize end without it; Hydra may lose its proxies then, and says so, or
        # dies of the broken pipe to one.
        [ $status -eq 2 ] || { [ $status -eq 255 ] && grep -q 'process manager error' wrong.err; } ||
            [ $status -eq $((128 + $(kill -l PIPE))) ] ||
            fail "a mistake in the parameter file ends three hosts with status $status (try $try)"
        grep -q 'wrong.skampi:2:12: found "MPI_Bcas"' wrong.err || fail "said $(cat wrong.err)"
    done
}

network_rate() { # rate, its nanoseconds per byte, how often that a message may take at most, repetitions
    plan rate << END
pp { Type = 1; Scale = Fixed_log; Start_Argument = 1048576; End_Argument = 4194304; Stepwidth = 4; Max_Repetition = $4; Time_Suite = 8s; Passes = 1; }
END
    "$hosts" up 2 "$1" 1mb # 8 ms: beside other work much is late
    rm -f rate.db
    measure 2 rate
    "$hosts" down
    checks rate << END
# The shortest times. Nothing is faster than the network but what its bucket holds, whatever else keeps the cores busy.
values = rows("SELECT message_bytes, minimum_s / 2 FROM result WHERE minimum_s IS NOT NULL ORDER BY message_bytes")
(short, short_s), (long, long_s) = values[0], values[-1]
print("one way at $1: %.2f ns per byte, %.2f for each further one" %
      (1e9 * long_s / long, 1e9 * (long_s - short_s) / (long - short)))
bucket = 1048576
assert 1e9 * long_s >= $2 * (long - bucket), long_s
assert 1e9 * long_s <= $3 * $2 * long, long_s # 0.8 of it without other load
END
}

rates_of_the_network() {
    network_rate 1gbit 8 3 20 # two ranks and the network's own work share two cores
    network_rate 100mbit 80 1.3 4
}

# A run of two suites whose second host's cable is pulled in the second, of many short points, and put back when the job
# ends or is ended.
pull_cable() { # command...: prints the supervisor's lines; measures cable.skampi into cable.db
    plan cable << 'END'
first { Type = 1; Variation = No_Variation; Max_Repetition = 20; Time_Suite = 1s; Passes = 1; }
second { Type = MPI_Bcast; End_Argument = 5000; Scale = Fixed_linear; Stepwidth = 10; Max_Steps = 500; Max_Repetition = 200; Time_Suite = 4s; Passes = 1; }
END
    mkfifo lines
    timeout 100 "$@" > lines 2>&1 &
    local supervisor=$! pulled='' mended='' line
    while read -r line; do
        echo "$line" >> cable.out
        if [ -z "$pulled" ] && [[ $line == *'"suite":"second"'* || $line == *second*argument* ]]; then
            "$hosts" cut n2
            pulled=yes
        elif [ -n "$pulled" ] && [ -z "$mended" ] && [[ $line == *'ending the job'* || $line == *'job 1 ended'* ]]; then
            "$hosts" mend n2
            mended=yes
        fi
    done < lines
    wait "$supervisor"
    local status=$?
    [ -n "$pulled" ] || fail 'the job with a cable to be pulled did not begin'
    [ -n "$mended" ] || fail 'nobody told of the job behind the pulled cable'
    [ $status -eq 0 ] || { [ $status -eq 1 ] && grep -qE ' no value \(|no time was left' cable.out; } || {
        fail "the run whose cable was pulled and put back ends with status $status"
        cat cable.out
    }
    checks cable << 'END'
kinds = {kind for kind, in rows("SELECT kind FROM event")}
assert kinds & {"hang", "crash", "mpi-error"}, kinds # what the library and its launcher say of it first
END
}

a_pulled_cable() {
    "$hosts" up 2
    pull_cable "$skampi_run" cable.skampi -d cable.db -n 2 --hang-after 5s --progress json --launch "$hosts mpi {n}"
}

# A helper takes the core of rank 1 for 100 us every 10 ms: 1 % of it. What both cores lose alike, such as timer
# interrupts (0.7 % of a virtual machine's), is no helper's. Other work only adds: the smallest of ten measurements
# counts. It is kept off by real-time ranks, but for the 50 ms of a second that the kernel keeps for it: the longest
# detour. In turns (--rr), for a rank that starts looks at the other's core, too.
detours_of_a_planted_helper() {
    chrt --rr 10 true 2> /dev/null || {
        echo 'skipped: real-time priority is refused here'
        return
    }
    cat > helper.py << 'END'
import time
begin = time.monotonic()
while True:
    begin += 0.01
    time.sleep(max(0, begin - time.monotonic()))
    while time.monotonic() < begin + 100e-6:
        pass
END
    chrt --fifo 50 taskset --cpu-list 1 python3 helper.py &
    local helper=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        # shellcheck disable=SC2016
        measured detours "$SKAMPI_HOSTS_MPIEXEC" -n 2 sh -c 'exec chrt --rr 10 taskset --cpu-list "$PMI_RANK" "$@"' sh \
            "$skampi_run" links -d detours.db --members ranks --lengths 8 --passes 1
    done
    kill $helper
    checks detours << 'END'
shares = [[(lost - longest) / (watched - longest) for watched, lost, longest in
           rows("SELECT watched_s, lost_s, longest_s FROM detour WHERE rank = %d ORDER BY run" % rank)] for rank in (0, 1)]
for rank in (0, 1):
    print("rank %d loses %s" % (rank, ", ".join("%.2f %%" % (100 * share) for share in shares[rank])))
assert len(shares[1]) == 10 and abs(min(shares[1]) - min(shares[0]) - 0.01) <= 0.0015, shares
END
}

# --- a Slurm whose nodes are two hosts

slurm() { # or says what is missing
    for program in slurmctld slurmd srun salloc munged; do
        command -v $program > /dev/null || {
            echo "skipped: there is no program $program"
            return 1
        }
    done
    "$hosts" up 2
    "$hosts" slurm || fail 'Slurm does not come up'
}

partners_in_slurm() {
    slurm || return
    plan_of_partners
    UCX_TLS=tcp,self,sm measured partners "$hosts" run n1 salloc --quiet --nodes=2 --ntasks=3 \
        "$skampi_run" partners.skampi -d partners.db -n 3 --progress off --launch 'srun --cpu-bind=cores -n {n}'
    check_partners n1 n1 n2
    checks partners << 'END'
facts = dict(rows("SELECT name, value FROM run_fact"))
assert facts["env SLURM_JOB_NODELIST"] == "n[1-2]", facts
END
}

a_pulled_cable_in_slurm() {
    slurm || return
    UCX_TLS=tcp,self pull_cable "$hosts" run n1 salloc --quiet --nodes=2 --ntasks=2 "$skampi_run" cable.skampi -d cable.db \
        -n 2 --hang-after 5s --progress json --launch 'srun --cpu-bind=none -n {n}'
}

links() { # name
    measured "$1" "$hosts" mpi 6 -genv LD_PRELOAD "$patient" "$skampi_run" links -d "$1.db"
    grep -E '^n[0-9]' "$1.out" | sed 's/ bandwidth.*//' > "$1.slow"
}

a_slow_host_and_a_slow_route() {
    "$hosts" up 6 1gbit
    links clean
    [ ! -s clean.slow ] || fail "slow, and is not: $(cat clean.slow)"
    "$hosts" rate n3 200mbit
    "$hosts" route n2 n5 400mbit
    links slow
    [ "$(cat slow.slow)" = "$(printf 'n3 is slow with 5 of 5 partners:\nn2 - n5:')" ] || {
        fail 'the slow host and the slow route, and nothing else'
        cat slow.out
    }
}

cases='bound_of_the_clock windows_between_clocks table_of_ranks_and_partners hosts_of_one_name a_job_that_ends_at_once
    rates_of_the_network a_pulled_cable detours_of_a_planted_helper a_slow_host_and_a_slow_route
    partners_in_slurm a_pulled_cable_in_slurm'
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $cases
for name; do
    begin=$SECONDS
    mkdir "$folder/$name"
    cd "$folder/$name" || exit 1
    "$name"
    "$hosts" down
    echo "$name: $((SECONDS - begin)) s"
done
[ $failures -eq 0 ]
