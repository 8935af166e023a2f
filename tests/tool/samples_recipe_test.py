#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the recipe of docs/database.md that reads single measurements with numpy, and compares what it reads, and what the
view sample_flat decodes in SQL, with Python's own reading of the floats.

usage: samples_recipe_test.py docs/database.md PROGRAM, which writes a database with the given name"""

import contextlib
import io
import os
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile


def main(document, program):
    try:
        import numpy
    except ImportError:
        print("no numpy")
        return 77
    program = os.path.abspath(program)
    with open(document, encoding="utf-8") as text:
        recipe = re.search(r"```python-samples\n(.*?)```", text.read(), re.S).group(1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([program, "x.db"], check=True)
        with sqlite3.connect("x.db") as db:
            suite = db.execute("SELECT name FROM suite ORDER BY id").fetchone()[0]
            blobs = db.execute(
                "SELECT suite.name, argument, batch.ordinal, node_ranks, durations_s FROM batch "
                "JOIN measurement ON measurement.id = batch.measurement "
                "JOIN suite ON suite.id = measurement.suite").fetchall()
            flat = db.execute("SELECT suite, argument, batch, coalesce(rank, -1), n, duration_s FROM sample_flat").fetchall()
        truth = {}
        for name, argument, batch, node_ranks, blob in blobs:
            count = len(blob) // 4 // (1 + node_ranks)
            for place, (duration_s,) in enumerate(struct.iter_unpack("<f", blob)):
                truth[name, argument, batch, place // count - 1, place % count] = duration_s
        assert any(key[3] == 1 for key in truth), "no node times"
        assert len(truth) > 50, len(truth)
        assert {row[:5]: row[5] for row in flat} == truth, "sample_flat differs"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(recipe.replace('"Ping"', repr(suite)), {})
        counted = sum(int(line.split()[1]) for line in printed.getvalue().splitlines())
        expected = sum(key[0] == suite and key[3] == -1 for key in truth)
        assert counted == expected, (counted, expected)
        print(f"{len(truth)} single measurements, {counted} through the recipe")
        # Numbers that no measurement gives: the decoder in SQL takes them, too.
        numbers = [0.0, 1.0, 1.5, 2.0 ** -149, 2.0 ** -126, 3.0e-9, 3.4e38, 0.1, 65536.25]
        with sqlite3.connect("x.db") as db:
            batch = db.execute("SELECT min(id) FROM batch WHERE node_ranks = 0").fetchone()[0]
            db.execute("UPDATE batch SET durations_s = ? WHERE id = ?",
                       [struct.pack(f"<{len(numbers)}f", *numbers), batch])
            where = db.execute("SELECT suite.name, argument, batch.ordinal FROM batch "
                               "JOIN measurement ON measurement.id = batch.measurement "
                               "JOIN suite ON suite.id = measurement.suite WHERE batch.id = ?", [batch]).fetchone()
            decoded = [row[0] for row in db.execute(
                "SELECT duration_s FROM sample_flat WHERE suite = ? AND argument = ? AND batch = ? AND rank IS NULL "
                "ORDER BY n", where)]
        wanted = [struct.unpack("<f", struct.pack("<f", number))[0] for number in numbers]
        assert decoded == wanted, (decoded, wanted)
    return 0


sys.exit(main(*sys.argv[1:]))
