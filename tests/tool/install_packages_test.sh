#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/install-packages among invented programs: it must ask apt for exactly what is missing. Argument: the script.
set -euo pipefail

script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

check() { # check TITLE COMMAND...
    if ! "${@:2}"; then
        echo "not so: $1" >&2
        sed 's/^/    /' "$folder/out" >&2
        failures=$((failures + 1))
    fi
}

program() { # program NAME: its text on standard input
    { echo '#!/bin/bash'; cat; } > "$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}

# Only these programs exist for the script.
system() {
    rm -rf "$folder/bin" "$folder/calls"
    mkdir "$folder/bin"
    : > "$folder/calls"
    local name
    for name in bash env dirname grep cat; do
        ln -s "$(command -v "$name")" "$folder/bin/$name"
    done
    program id <<< "echo ${user_id-0}"
}

debian() {
    system
    program dpkg-query <<'END'
for package; do :; done
case $package in gnuplot-nox | doctest-dev) exit 1 ;; mpich) echo config-files ;; *) echo installed ;; esac
END
    program apt-get <<END
echo "apt-get \$*" >> '$folder/calls'
[ "\$1" != "\${FAIL-}" ]
END
}

run() {
    status=0
    env -i PATH="$folder/bin" ${fail:+FAIL="$fail"} "$folder/bin/bash" "$script" "$@" > "$folder/out" 2>&1 || status=$?
}

debian
run build
check 'status 0 when apt could install' [ "$status" = 0 ]
check 'only what is missing is installed, removed packages with their settings left count as missing' \
    grep -qx 'apt-get install --yes --no-install-recommends mpich gnuplot-nox' "$folder/calls"
debian
run test
check 'the tests need more' grep -q 'mpich gnuplot-nox doctest-dev' "$folder/calls"

debian
fail=install run build
check 'status 3 when apt could not install' [ "$status" = 3 ]
debian
fail=update run build
check 'old package lists may do' [ "$status" = 0 ]

debian
program dpkg-query <<< 'echo installed'
run test
check 'nothing missing, nothing done' [ "$status" = 0 ]
check 'nothing missing, apt not called' [ ! -s "$folder/calls" ]

user_id=1000 debian
run build
check 'without sudo a user is told what root must do' [ "$status" = 3 ]
check 'the command for root is named' grep -q 'apt-get install .*mpich gnuplot-nox' "$folder/out"
user_id=1000 debian
program sudo <<< "echo sudo >> '$folder/calls'; exec \"\$@\""
run build
check 'a user gets it through sudo' [ "$status" = 0 ]
check 'sudo was used for both calls' [ "$(grep -c '^sudo$' "$folder/calls")" = 2 ]

system
run build
check 'without apt it stops' [ "$status" = 3 ]
check 'and names what is needed' grep -q 'SQLite' "$folder/out"
system
for name in g++ meson ninja pkg-config mpiexec gnuplot pdflatex; do
    program "$name" <<< 'exit 0'
done
run build
check 'with all programs there the build may try' [ "$status" = 0 ]

run sideways
check 'wrong usage is refused' [ "$status" = 2 ]
exit "$((failures > 0))"
