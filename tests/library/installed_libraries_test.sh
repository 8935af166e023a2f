#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs everything into a temporary prefix, builds the examples against it as their first lines say, with each
# compiler that is there, and runs them: alone, killed in the middle and gone on with, merged and reported.
#   installed_libraries_test.sh MESON BUILD SOURCE [MPIEXEC MPICXX MPIFORT]     (MPIFORT: a path or "none")
set -euo pipefail

meson=$1 build=$2 source=$3 mpiexec=${4-} mpicxx=${5-} mpifort=${6-none}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

DESTDIR=$work/root "$meson" install -C "$build" --no-rebuild --quiet > "$work/install.log" 2>&1 ||
    { cat "$work/install.log"; fail 'meson install'; }
pc=$(find "$work/root" -name skalib.pc)
[ -n "$pc" ] || fail 'no skalib.pc was installed'
# Programs are built with the prefix that the files were installed for moved to where they are.
export PKG_CONFIG_PATH=${pc%/*}
prefix=$work/root$(pkg-config --variable=prefix skalib)
package() { pkg-config --define-variable=prefix="$prefix" "$@"; }
library_folder=$(package --variable=libdir skalib)
export LD_LIBRARY_PATH=$library_folder
export PATH=$prefix/bin:$PATH
cd "$work"

for library in skalib skampi; do
    [ "$(package --modversion $library)" = "$(package --modversion skalib)" ] || fail "$library.pc has another version"
    [ -e "$library_folder/lib${library}.a" ] || fail "no static $library"
    [ -L "$library_folder/lib${library}.so" ] || fail "no shared $library"
done

# What a shared library shows is what its headers declare.
for library in skalib skampi skampi-mpi; do
    [ -e "$library_folder/lib$library.so" ] || continue # there is no skampi-mpi without an MPI library
    headers=("$prefix/include/${library%-mpi}"/*.h*)
    shown=$(nm -DC --defined-only "$library_folder/lib$library.so" | awk '$2 == "T"' | cut -d' ' -f3-)
    [ -n "$shown" ] || fail "lib$library.so shows nothing"
    while read -r symbol; do
        name=${symbol%%[(\[]*}
        grep -qw "${name##*::}" "${headers[@]}" || fail "lib$library.so shows more than its headers: $symbol"
    done <<< "$shown"
done

for file in share/skampi/{default.skampi,skampi.sbatch,skampi.cron,skampi.service,nightly} \
    share/doc/skampi/{README.md,LICENSE,docs/skalib.md,examples/halo.cpp}; do
    [ -s "$prefix/$file" ] || fail "$file was not installed"
done

compilers='g++:gcc'
if command -v clang++ > /dev/null && command -v clang > /dev/null; then
    compilers+=' clang++:clang'
else
    echo 'no clang here: the examples are built with g++ only'
fi
warnings='-Wall -Wextra -Wpedantic -Werror'

# The same plans in less time.
sed 's/Time_Suite = [0-9]* s/Time_Suite = 0.3 s/; s/Max_Steps = [0-9]*/Max_Steps = 5/' "$source/examples/sequential.skampi" > sequential.skampi
sed 's/Time_Suite = [0-9]* s/Time_Suite = 0.5 s/; s/Max_Steps = [0-9]*/Max_Steps = 4/' "$source/examples/halo.skampi" > halo.skampi

# Runs a program: status 0, or 1 where the machine was so busy that some points got no value.
run() {
    local status=0
    "$@" > out 2> err || status=$?
    [ $status -le 1 ] || { cat out err; fail "$* ended with $status"; }
    grep -q '^SKAMPI: ' out || { cat out err; fail "$* said nothing of its end"; }
}
for pair in $compilers; do
    cxx=${pair%:*} cc=${pair#*:}
    # shellcheck disable=SC2046,SC2086
    {
        $cxx -std=c++20 -O2 $warnings "$source/examples/measure_a_function.cpp" $(package --cflags --libs skalib) -o measure_a_function
        $cxx -std=c++20 -O2 $warnings "$source/examples/sequential.cpp" $(package --cflags --libs skampi) -o sequential
        $cc -O2 $warnings "$source/examples/mechanisms.c" $(package --cflags --libs skalib) -o mechanisms
        $cc -O2 $warnings "$source/examples/sequential.c" $(package --cflags --libs skampi) -o sequential_c
    }
    for program in sequential sequential_c; do
        ldd $program | grep -q libmpi && fail "$program needs an MPI library"
        rm -f $program.db
        run ./$program sequential.skampi -d $program.db
    done
done
# What pkg-config --static names suffices where there is no shared library.
mkdir static
cp "$library_folder"/libska*.a static
for pair in skalib:measure_a_function skampi:sequential; do
    library=${pair%:*} program=${pair#*:}
    needed=$(package --static --libs "$library")
    # shellcheck disable=SC2086
    if g++ -std=c++20 "$source/examples/$program.cpp" $(package --cflags "$library") \
        ${needed/-L$library_folder/-L$PWD/static} -o "static/$program" 2> err; then
        ldd "static/$program" | grep -q libska && fail "static/$program needs a shared library of ours"
    elif missing=$(grep -o 'cannot find -l[a-z]*' err); then
        echo "static $library was not tried: $missing, which a library it needs asks for"
    else
        cat err
        fail "pkg-config --static --libs $library does not suffice"
    fi
done
./mechanisms > out || fail 'mechanisms.c ended with an error'
grep -q '^ *4096 .* 3 runs' out || { cat out; fail 'mechanisms.c merged no 4096 numbers of 3 runs'; }
if command -v gfortran > /dev/null; then
    # shellcheck disable=SC2046
    gfortran -O2 "$prefix/include/skalib/skalib.f90" "$source/examples/mechanisms.f90" $(package --libs skalib) -o mechanisms_f
    ./mechanisms_f > out || fail 'mechanisms.f90 ended with an error'
    grep -q '^merged: *899$' out || { cat out; fail 'mechanisms.f90 did not merge to 899'; }
    [ "$(grep -c ' times$' out)" -ge 5 ] || { cat out; fail 'mechanisms.f90 refined nothing'; }
else
    echo 'no gfortran here: mechanisms.f90 was not built'
fi
./measure_a_function | grep -q '^ *16384 ' || fail 'measure_a_function measured no 16384 elements'
./sequential list | grep -q 'std::sort' || fail 'list names no function'
./sequential check sequential.skampi | grep -q '^2 suites' || fail 'check shows no plan'
status=0
./sequential > out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'expected a parameter file' out || fail "without a file: $status $(cat out)"

# In the middle of a suite it is killed; the next start goes on with the same run.
awk '/^copying/ { found = 1; sub(/{/, "{ Standard_error = 0.0001 %; Max_Repetition = Invalid_Value;") }
     found { sub(/Time_Suite = [0-9.]* s/, "Time_Suite = 60 s") } 1' sequential.skampi > long.skampi
./sequential long.skampi --progress json -d killed.db > progress 2>&1 &
victim=$!
timeout 60 sh -c 'until grep -q copying progress; do sleep 0.1; done' || fail 'copying never began'
kill -KILL $victim
wait $victim 2> /dev/null || true
./sequential long.skampi --progress json -d killed.db > out 2> err &
victim=$!
timeout 60 sh -c 'until grep -q copying out; do sleep 0.1; done' || fail 'copying was not gone on with'
# Twice, as `timeout` does, which signals its child and then the group: that is one wish.
kill -TERM $victim
kill -TERM $victim 2> /dev/null || true
status=0
wait $victim || status=$?
[ $status = 143 ] && grep -q 'SKAMPI: STOPPED' out || { cat out err; fail "SIGTERM was not heeded: $status"; }
python3 - <<'END' || fail 'the killed run was not gone on with'
import sqlite3
database = sqlite3.connect('killed.db')
threads, = database.execute('select hardware_threads from run').fetchone()
assert threads > 0, 'the hardware threads of the host are not known'
assert database.execute('select count(*) from run').fetchone() == (1,)
texts = [row[0] for row in database.execute('select text from event')]
assert 'the run goes on' in texts, texts
END

# Two runs of one program merge and are reported like any other.
run ./sequential sequential.skampi -d sequential.db
skampi-merge sequential.db -o merged.db > out 2>&1 || { cat out; fail 'skampi-merge'; }
if command -v skampi-report > /dev/null; then
    skampi-report merged.db -o merged.csv > out 2>&1 || { cat out; fail 'skampi-report'; }
    grep -q 'std::sort' merged.csv || fail 'the report names no function'
fi
# Another build measures another series.
status=0
skampi-merge sequential.db sequential_c.db -o both.db > out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'program' out || { cat out; fail "two programs were merged: $status"; }

[ -n "$mpiexec" ] || exit 0
[ -L "$library_folder/libskampi-mpi.so" ] || fail 'no shared skampi-mpi'
for pair in $compilers; do
    # shellcheck disable=SC2046,SC2086
    MPICH_CXX=${pair%:*} OMPI_CXX=${pair%:*} $mpicxx -std=c++20 -O2 $warnings "$source/examples/halo.cpp" $(package --cflags --libs skampi-mpi) -o halo
done
programs=halo
if [ "$mpifort" != none ]; then
    # shellcheck disable=SC2046
    "$mpifort" -O2 "$(package --variable=includedir skampi-mpi)/skampi/mpi.f90" "$source/examples/halo.f90" $(package --libs skampi-mpi) -o halo_f
    programs+=' halo_f'
else
    echo 'no Fortran compiler for this MPI library: halo.f90 was not built'
fi
for program in $programs; do
    run "$mpiexec" -n 2 ./$program halo.skampi -d $program.db
    python3 - $program.db <<'END' || fail "$program measured nothing, or wrong data"
import sqlite3, sys
rows = sqlite3.connect(sys.argv[1]).execute('select suite, flags from result').fetchall()
assert {row[0] for row in rows} == {'halo by derived datatypes', 'halo packed into buffers'}, rows
assert not any('wrong_result' in row[1] for row in rows), rows
END
done
