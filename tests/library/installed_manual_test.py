#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Installs into a temporary folder: pages of the manual and completions are there and work.

usage: installed_manual_test.py MESON BUILD
What needs man, fish or zsh is left out where these are not installed, and says so.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

PLAN = "@MEASUREMENTS\nwall clock { Type = MPI_Wtime; }\nmemcpy { Type = memcpy; }\n"
failures = []


def check(holds, what, text=""):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}: {text}")


def have(program):
    if shutil.which(program):
        return True
    print(f"no {program} here: what needs it is not tested")
    return False


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, **more)


def after_tab(script, typed, folder, environment):
    """What an interactive bash shows when a line is typed and the tabulator pressed twice."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment)
    text = ""

    def read_until(wanted):
        nonlocal text
        end = time.monotonic() + 60
        while wanted not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 65536).decode(errors="replace")

    os.write(terminal, f"bind 'set bell-style none'; source '{script}'; PS1='re''ady> '\n".encode())
    read_until("ready> ")
    text = ""
    os.write(terminal, typed.encode() + b"\t\t\x01#\x05 complete\n")  # a comment: nothing is started
    read_until("ready> ")
    os.close(terminal)
    os.waitpid(process, 0)
    return text


def main():
    meson, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        done = run(meson, "install", "-C", build, "--no-rebuild", "--quiet", env={**os.environ, "DESTDIR": name})
        check(done.returncode == 0, "meson install", done.stdout + done.stderr)
        files = {path.name: path for path in root.rglob("*") if path.is_file()}
        programs = [each for each in ("skampi-run", "skampi-merge", "skampi-report") if f"{each}.1" in files]
        pages = [path for path in root.rglob("man?/*") if path.is_file()]
        check(len(pages) >= (8 if "skampi-run" in programs else 3), "pages are installed", pages)
        check({"skampi.5", "skampi-db.5"} <= files.keys(), "the files have pages")
        if have("man"):
            for page in pages:
                shown = run("man", "--warnings", "-l", str(page), env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
                check(shown.returncode == 0 and not shown.stderr, f"{page.name} without a warning", shown.stderr)
                check("NAME" in shown.stdout and len(shown.stdout.splitlines()) > 15, f"{page.name} is a page", shown.stdout)

        scripts = {"bash": "bash-completion/completions/{}", "zsh": "zsh/site-functions/_{}",
                   "fish": "fish/vendor_completions.d/{}.fish"}
        share = files["default.skampi"].parents[1]
        for shell, place in scripts.items():
            if not have(shell):
                continue
            for program in programs:
                parsed = run(shell, "-n", str(share / place.format(program)))
                check(parsed.returncode == 0 and not parsed.stderr, f"{shell} reads what completes {program}", parsed.stderr)
        if "skampi-run" not in files:
            return 1 if failures else 0
        binaries = share.parent / "bin"
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "TERM": "dumb", "HOME": name}
        (root / "my.skampi").write_text(PLAN)
        cases = [("skampi-run ch", "check"), ("skampi-run --progress js", "json"),
                 ("skampi-run check --ra", "--ranks"), ("skampi-run my.sk", "my.skampi"),
                 ("skampi-run my.skampi --suite mem", "memcpy"), ("skampi-run my.skampi --suite wa", "wall clock"),
                 ("skampi-run tune --operation MPI_Allreduc", "MPI_Allreduce"),
                 ("skampi-run algorithms MPI_Allreduc", "MPI_Allreduce")]
        if shutil.which("fish"):
            fish = share / scripts["fish"].format("skampi-run")
            for typed, wanted in cases:
                shown = run("fish", "-c", f"source {fish}; complete -C '{typed}'", env=environment, cwd=name)
                found = [line.split("\t")[0] for line in shown.stdout.splitlines()]
                check(any(wanted in each.replace("\\", "") for each in found), f"fish completes {typed}",
                      shown.stdout + shown.stderr)
        try:
            os.close(pty.openpty()[0])
        except OSError as error:
            print(f"no terminal here, so nothing is completed: {error}")
            return 1 if failures else 0
        for typed, wanted in cases:
            shown = after_tab(share / scripts["bash"].format("skampi-run"), typed, name, environment)
            check(wanted in shown.replace("\\", ""), f"bash completes {typed}", repr(shown))
    return 1 if failures else 0


sys.exit(main())
