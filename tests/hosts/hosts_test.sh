#!/usr/bin/env bash
# skampi-run on several hosts with real TCP between them, whose truth is known: clocks, rates and cables are ours.
# Usage: hosts_test.sh SKAMPI_RUN CLOCK_TRUTH FALSE_CLOCK MPIEXEC [CASE...]. Exit status 77 where this machine cannot.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
skampi_run=$(realpath "$1") clock_truth=$(realpath "$2")
SKAMPI_FALSE_CLOCK=$(realpath "$3") SKAMPI_HOSTS_MPIEXEC=$4 SKAMPI_HOSTS=skampi-$$
export SKAMPI_FALSE_CLOCK SKAMPI_HOSTS_MPIEXEC SKAMPI_HOSTS
shift 4
hosts=$here/hosts

skip() {
    echo "skipped: $1"
    exit 77
}
why=$("$hosts" possible) || skip "$why"
command -v python3 > /dev/null || skip 'there is no program python3'
"$SKAMPI_HOSTS_MPIEXEC" --version 2>&1 | grep HYDRA > /dev/null || skip "$SKAMPI_HOSTS_MPIEXEC is not MPICH's"

folder=$(mktemp -d)
cd "$folder" || exit 1
trap '"$hosts" down; rm -rf "$folder"' EXIT
failures=0
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

plan() { # name; the measurements are read
    { echo '@MEASUREMENTS'; cat; } > "$1.skampi"
}

measure() { # ranks, name: as its plan says, into name.db
    timeout 60 "$hosts" mpi "$1" "$skampi_run" "$2.skampi" -d "$2.db" --progress off > "$2.out" 2> "$2.err"
    local status=$?
    [ $status -eq 0 ] || {
        fail "$2: exit status $status"
        cat "$2.out" "$2.err"
    }
}

checks() { # name: a Python program about the rows of its database, which asserts
    {
        echo 'import sqlite3, sys'
        echo 'def rows(sql): return sqlite3.connect(sys.argv[1]).execute(sql).fetchall()'
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
        timeout 30 "$hosts" mpi 2 "$clock_truth" 2.5 > truth.out || {
            fail "the clock's bound, with $clock on the second host"
            cat truth.out
        }
        tail -n 1 truth.out
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
for clocks, sights, baseline_s, bound_s, growth, drift, held in estimates:
    assert clocks == 2 and sights >= 11 and baseline_s >= 1 and held == 1, estimates
    assert 0 < bound_s < 1e-3, bound_s
    assert abs(drift - 5e-5) <= growth, (drift, growth)
(offset_s, drift, bound_s), = rows("SELECT clock_offset_s, clock_drift, clock_bound_s FROM rank WHERE rank = 1")
assert offset_s > 3.25 and abs(drift - 5e-5) < 1e-5 and 0 < bound_s < 1e-3, (offset_s, drift, bound_s)
# A round of TCP takes some 10 us here. Clocks 3.25 s apart, or 50 us more each second, would show.
for suite, value_s in rows("SELECT suite, value_s FROM result"):
    assert 1e-6 < value_s < 1e-2, (suite, value_s)
late, = rows("SELECT sum(late), sum(length(durations_s) / 4) FROM batch JOIN stretch ON stretch.id = stretch "
             "WHERE synchronization = 'window'")
print("windows missed: %d, kept: %d" % late)
assert late[1] > 0, late
END
}

table_of_ranks_and_partners() {
    "$hosts" up 2 # ranks 0 and 2 are on the first
    plan partners << 'END'
far { Type = 1; End_Argument = 64; Scale = Fixed_log; Stepwidth = 64; Max_Repetition = 50; Time_Suite = 1s; Passes = 1; }
near { Type = 1; End_Argument = 64; Scale = Fixed_log; Stepwidth = 64; Max_Repetition = 50; Time_Suite = 1s; Passes = 1; Partner = nearest; }
Bcast { Type = MPI_Bcast; Variation = No_Variation; Max_Repetition = 20; Time_Suite = 1s; Passes = 1; }
END
    SKAMPI_HOSTS_TRANSPORTS=tcp,self,sm measure 3 partners
    checks partners << 'END'
ranks = rows("SELECT processor, clock_bound_s FROM rank ORDER BY rank")
assert [host for host, _ in ranks] == ["n1", "n2", "n1"], ranks
assert ranks[0][1] == ranks[2][1] == 0 < ranks[1][1], ranks # those of one host share its clock
assert rows("SELECT DISTINCT clocks FROM clock_estimate") == [(2,)]
partner = dict(rows("SELECT suite.name, value FROM suite_fact JOIN suite ON suite.id = suite "
                    "WHERE suite_fact.name = 'partner'"))
assert partner == {"far": "1", "near": "2"}, partner
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
        [ $status -eq 2 ] || fail "a mistake in the parameter file ends three hosts with status $status (try $try)"
        grep -q 'wrong.skampi:2:12: found "MPI_Bcas"' wrong.err || fail "said $(cat wrong.err)"
    done
}

one_gigabit() {
    "$hosts" up 2 1gbit
    plan gigabit << 'END'
pp { Type = 1; Scale = Fixed_log; Start_Argument = 1048576; End_Argument = 4194304; Stepwidth = 4; Max_Repetition = 12; Time_Suite = 4s; Passes = 1; }
END
    measure 2 gigabit
    checks gigabit << 'END'
# The shortest times: no rate is exceeded, whatever else keeps the cores busy.
values = rows("SELECT message_bytes, minimum_s / 2 FROM result ORDER BY message_bytes")
(short, short_s), (long, long_s) = values[0], values[-1]
ns_per_byte = 1e9 * (long_s - short_s) / (long - short)
print("one way at one gigabit: %.2f ns per byte" % ns_per_byte)
assert 7.6 <= ns_per_byte <= 10, ns_per_byte # 8, headers, and what two ranks leave of two cores to the network
END
}

a_pulled_cable() {
    "$hosts" up 2
    plan cable << 'END'
first { Type = 1; End_Argument = 64; Scale = Fixed_log; Stepwidth = 8; Max_Repetition = 100; Passes = 1; }
second { Type = MPI_Bcast; End_Argument = 4096; Scale = Fixed_log; Stepwidth = 2; Min_Repetition = 2000; Passes = 1; }
END
    # The supervisor tells of the first point, then the cable is pulled; it tells that the job ends, then it is put back.
    mkfifo lines
    timeout 100 "$skampi_run" cable.skampi -d cable.db -n 2 --hang-after 3s --progress json \
        --launch "$hosts mpi {n}" > lines 2>&1 &
    local supervisor=$! pulled= mended= line
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
    [ $status -eq 0 ] || {
        fail "the run whose cable was pulled and put back ends with status $status"
        cat cable.out
    }
    checks cable << 'END'
kinds = {kind for kind, in rows("SELECT kind FROM event")}
assert kinds & {"hang", "crash", "mpi-error"}, kinds # what the library and its launcher say of it first
assert rows("SELECT state FROM suite") == [("finished",), ("finished",)], rows("SELECT name, state, reason FROM suite")
END
}

for case in "${@:-bound_of_the_clock windows_between_clocks table_of_ranks_and_partners a_job_that_ends_at_once one_gigabit a_pulled_cable}"; do
    for name in $case; do
        begin=$SECONDS
        "$name"
        "$hosts" down
        echo "$name: $((SECONDS - begin)) s"
    done
done
[ $failures -eq 0 ]
