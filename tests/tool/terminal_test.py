#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person sees on a terminal: nothing goes beyond its last column, and messages stand on lines of their own.

usage: terminal_test.py SKAMPI-RUN [SKAMPI-REPORT]
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

PLAN = """@MEASUREMENTS
a-call-without-any-communication { Type = MPI_Wtime; Max_Repetition = 20; }
needs-another-rank { Type = MPI_Send-MPI_Recv; End_Argument = 8; }
memcpy { Type = memcpy; Scale = Fixed_log; Stepwidth = 64; End_Argument = 64KiB; Max_Repetition = 20; }
"""
CLEAR_LINE = "\r\x1b[K"
failures = []


def check(holds, what, text):
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}:\n{text!r}")


def shown(columns, arguments):
    """What a terminal is given, and the exit status."""
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.environ["TERM"] = "xterm"
        os.execvp(arguments[0], arguments)
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the terminal is closed
            break
        if not part:
            break
        text += part
    os.close(terminal)
    return text.decode().replace("\r\n", "\n"), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def visible(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def skip_without_terminals():
    """Exit status 77: Meson counts the test as skipped, and shows why."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print(f"skipped: no terminal can be made here (/dev/pts): {error}")
        sys.exit(77)


def main():
    skip_without_terminals()
    run = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "plan.skampi")
        with open(plan, "w") as file:
            file.write(PLAN)
        databases = [os.path.join(folder, name) for name in ("a.db", "b.db")]
        for database in databases:
            columns = 44
            text, status = shown(columns, [run, plan, "-d", database])
            check(status == 1, "a ping-pong on one rank fails", text)
            lines = [line.split(CLEAR_LINE) for line in text.split("\n")]
            parts = [part for line in lines for part in line]
            bars = [part for part in parts if part.startswith("[")]
            check(len(bars) >= 1, "there is a bar", text)
            for bar in bars:
                check(len(bar) < columns and "skampi-run:" not in bar, "the bar is alone on its line", bar)
            check(sum(part.startswith("skampi-run: warning: ") for part in parts) >= 1, "there is a warning", text)
            check(any(line.startswith('skampi-run: suite "needs-another-rank" failed') for line in parts),
                  "the failure is told", text)
            rows = [part for part in parts if part and not part.startswith(("[", "skampi-run: ", "SKAMPI: "))]
            table = "\n".join(rows)
            for line in rows:
                check(len(line) <= columns or "skampi-report " in line or "skampi-run " in line, f"{columns} columns", line)
            for name in ("a-call-without-any-communication", "needs-another-rank", "memcpy"):
                check(name in table, f"{name} is recognised", table)
            printed = [row.split(":", 1)[1].strip() for row in rows if row.startswith("All values:")]
            check(len(printed) == 1, "a command shows all values", table)
            if len(sys.argv) > 2:
                path = os.path.dirname(os.path.abspath(sys.argv[2])) + os.pathsep + os.environ["PATH"]
                done = subprocess.run(printed[0], shell=True, env={**os.environ, "PATH": path}, capture_output=True, text=True)
                check(done.returncode == 0 and "\nTrust" in done.stdout, "the command works", done.stdout + done.stderr)

        if len(sys.argv) > 2:
            for columns in (40, 60, 80, 100):
                for chosen in (databases[:1], databases):
                    text, status = shown(columns, [sys.argv[2], *chosen])
                    check(status == 0 and "MPI performance" in text, "a report", text)
                    for line in visible(text).split("\n"):
                        # Commands are not broken: in pieces they would run in pieces.
                        command = any(name in line for name in ("skampi-run ", "skampi-report "))  # as it was typed, unbroken
                        check(len(line) <= columns or command, f"{columns} columns", line)
            with_none = subprocess.run([sys.argv[2], databases[0]], check=True, capture_output=True, text=True)
            check("\x1b" not in with_none.stdout, "no colours in a pipe", with_none.stdout)
    return 1 if failures else 0


sys.exit(main())
