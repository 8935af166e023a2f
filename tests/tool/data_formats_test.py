#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the programs write for other programs: every JSON output is as its schema says and holds nothing that the schema
does not name, one name has one value in each of them, the script of docs/data-formats.md runs, and the formats of other
tools keep these tools' rules.

usage: data_formats_test.py SOURCES SAMPLE-PROGRAM SKAMPI-REPORT [SKAMPI-RUN MPIEXEC]"""

import contextlib
import csv
import io
import json
import math
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

BASE = "file:///schemas/"
NUMBER = r"-?(?:[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|inf)"
# As the specification of the exposition format has them, with the three escapes that a label has.
SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)\{([a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*")*)\} '
                    + NUMBER)


def run(*command, status=0):
    done = subprocess.run(command, capture_output=True)
    assert done.returncode == status, (command, done.returncode, done.stderr.decode())
    return done.stdout


def strict(schema, root):
    """A schema that allows no other members than those it names. Those of a definition that it adds members to are its
    own, for what a definition does not name it does not allow either."""
    if isinstance(schema, list):
        return [strict(each, root) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and "properties" in schema:
        base = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        schema = {**base, "properties": base["properties"] | schema["properties"],
                  "required": base["required"] + schema["required"]}
    made = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            made[key] = {name: strict(each, root) for name, each in value.items()}
        else:
            made[key] = strict(value, root) if key in ("items", "anyOf", "oneOf", "additionalProperties") else value
    if "properties" in schema and "additionalProperties" not in schema:
        made["additionalProperties"] = False
    return made


class Schemas:
    def __init__(self, folder):
        self.schemas = {path.name: json.loads(path.read_text()) for path in folder.glob("*.schema.json")}
        installed = set(re.findall(r"'([\w-]+\.schema\.json)'", (folder / "meson.build").read_text()))
        assert installed == set(self.schemas), installed ^ set(self.schemas)
        self.validated = set()
        for schema in self.schemas.values() if jsonschema else ():
            jsonschema.Draft202012Validator.check_schema(schema)
        self.store = {BASE + name: strict(schema, schema) for name, schema in self.schemas.items()}

    def validate(self, name, value, definition=""):
        name += ".schema.json"
        self.validated.add(name)
        if not jsonschema:
            return
        schema = {"$ref": BASE + name + definition}
        resolver = jsonschema.RefResolver(BASE, schema, store=self.store)
        errors = list(jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(value))
        if errors:
            worst = jsonschema.exceptions.best_match(errors)
            raise AssertionError(f"{name}: {list(worst.absolute_path)}: {worst.message[:300]}")


def number(text):
    return None if text in ("", None) else float(text)


def same(values, where):
    first = values[0]
    for value in values[1:]:
        equal = value == first or (isinstance(value, float) and isinstance(first, float) and
                                   math.isclose(value, first, rel_tol=1e-14))
        assert equal, (where, values)


def check_one_name_one_value(report, database):
    """CSV, JSON, lines of JSON, --table and, where the values are those of one run, the view of the database."""
    run(report, database, "-o", "x.csv")
    run(report, database, "-o", "x.json")
    run(report, database, "-o", "x.jsonl")
    run(report, database, "--table", "*", "-o", "table.csv")
    with open("x.csv", newline="", encoding="utf-8") as text:
        rows = {(row["suite"], int(row["argument"])): row for row in csv.DictReader(text)}
    with open("table.csv", newline="", encoding="utf-8") as text:
        table = {(row["suite"], int(row["argument"])): row for row in csv.DictReader(text)}
    subject = json.loads(pathlib.Path("x.json").read_text())["subjects"][0]
    points = {(suite["name"], point["argument"]): point for suite in subject["suites"] for point in suite["points"]}
    lines = {(line["suite"], line["argument"]): line for line in map(json.loads, open("x.jsonl", encoding="utf-8"))}
    assert rows.keys() == table.keys() == points.keys() == lines.keys() and rows
    view = {}
    with sqlite3.connect(database) as db:
        db.row_factory = sqlite3.Row
        if db.execute("SELECT count(*) FROM run").fetchone()[0] == 1:
            view = {(row["suite"], row["argument"]): row for row in db.execute("SELECT * FROM result")}
            assert view.keys() == rows.keys()
    kinds = set()
    for key, row in rows.items():
        others = [view[key]] if view else []
        for name in ("value_s", "median_s", "low", "high", "interval_confidence", "bandwidth"):
            same([number(row[name]), number(table[key][name]), points[key][name], lines[key][name]] +
                 [other[name] for other in others], (key, name))
        same([number(row["bus_bandwidth"]), points[key]["bus_bandwidth"], lines[key]["bus_bandwidth"]] +
             [other["bus_bandwidth"] for other in others], (key, "bus_bandwidth"))
        same([row["error"], table[key]["error"], points[key]["error"], lines[key]["error"]] +
             [other["error"] for other in others], (key, "error"))
        same([row["flags"], table[key]["flags"], ",".join(points[key]["flags"])], (key, "flags"))
        kinds.add(row["error"])
    # A CSV that is read again says the same.
    run(report, "x.csv", "-o", "again.csv")
    with open("again.csv", newline="", encoding="utf-8") as text:
        for row in csv.DictReader(text):
            old = rows[row["suite"], int(row["argument"])]
            for name in ("value_s", "low", "high", "error", "interval_confidence", "median_s"):
                assert row[name] == old[name], (name, row, old)
    return kinds


def check_json_outputs(report, schemas):
    for database in ("one.db", "row.db", "range.db", "study.db", "session.db", "nasty.db"):
        run(report, database, "-o", "x.json")
        schemas.validate("report", json.loads(pathlib.Path("x.json").read_text()))
        for line in run(report, database, "-o", "-", "--format", "jsonl").splitlines():
            schemas.validate("result-line", json.loads(line))
    run(report, "interval.db", "row.db", "-o", "x.json")
    compared = json.loads(pathlib.Path("x.json").read_text())
    assert compared["comparisons"][0]["suites"]
    schemas.validate("report", compared)
    run(report, "compare", "interval.db", "row.db", "-o", "x.json")
    schemas.validate("report", json.loads(pathlib.Path("x.json").read_text()))
    pathlib.Path("contract.txt").write_text("MPI_Allreduce 8 B: time > 1 ns\nMPI_Bcast 8 B on 3 ranks: time < 1 s\n")
    run(report, "accept", "contract.txt", "row.db", "-o", "x.json", status=4)
    accepted = json.loads(pathlib.Path("x.json").read_text())
    assert {promise["verdict"] for promise in accepted["contract"]} == {"kept", "open"}
    schemas.validate("report", accepted)
    turns = json.loads(run(report, "turns", "session.db"))
    assert turns["variants"]
    schemas.validate("turns", turns)
    schemas.validate("algorithms", json.loads(run(report, "algorithms", "one.db")))
    run(report, "history", "row.db", "one.db", "-o", "x.json")
    schemas.validate("history", json.loads(pathlib.Path("x.json").read_text()))
    run(report, "one.db", "-o", "x.stat")
    schemas.validate("wait-states", json.loads(run(report, "x.stat", "x.stat", "-o", "-", "--format", "json")))
    for database in ("one.db", "row.db", "nasty.db"):
        bmf = json.loads(run(report, database, "-o", "-", "--format", "bmf"))
        schemas.validate("bmf", bmf)
        hyperfine = json.loads(run(report, database, "-o", "-", "--format", "hyperfine.json"))
        schemas.validate("hyperfine", hyperfine)
        assert [each["command"] for each in hyperfine["results"]] == list(bmf)
        for each in hyperfine["results"]:
            assert each["min"] <= each["median"] <= each["max"] and len(each["times"]) == len(each["exit_codes"])
        assert len(hyperfine["results"][0]["times"]) == (6 if database == "row.db" else 1)
    run(report, "row.db", "-o", "x.json")
    points = json.loads(pathlib.Path("x.json").read_text())["subjects"][0]["suites"][0]["points"]
    bmf = json.loads(run(report, "row.db", "-o", "-", "--format", "bmf.json"))
    latency = bmf[f"MPI_Send-MPI_Recv/{points[3]['argument']}"]["latency"]
    assert math.isclose(latency["value"], 1e9 * points[3]["value_s"])
    assert math.isclose(latency["lower_value"], 1e9 * points[3]["low"])


def check_outputs_of_runs(skampi_run, mpiexec, report, schemas):
    choices = json.loads(run(mpiexec, "-n", "1", skampi_run, "algorithms", "--json"))
    schemas.validate("library-algorithms", choices)
    can_choose = choices["algorithms"] and not choices["refusal"]
    pathlib.Path("p.skampi").write_text(
        "@MEASUREMENTS\nSend { Type = MPI_Send-MPI_Recv; End_Argument = 64; Max_Repetition = 20; }\n"
        "Bcast { Type = MPI_Bcast; End_Argument = 8; Max_Steps = 3; Max_Repetition = 20; " +
        ("Algorithm = all; }\n" if can_choose else "}\n"))
    progress = []
    for _ in range(5):
        progress += run(mpiexec, "-n", "2", skampi_run, "p.skampi", "-d", "real.db", "--progress", "json").splitlines()
    events = [json.loads(line) for line in progress if line.startswith(b"{")]
    assert {"start", "suite", "point", "line", "suite_end", "end"} <= {event["event"] for event in events}
    for event in events:
        schemas.validate("progress", event)
    schemas.validate("list", json.loads(run(mpiexec, "-n", "1", skampi_run, "list", "--json")))
    schemas.validate("status", json.loads(run(skampi_run, "status", "real.db", "--json")))
    schemas.validate("status", json.loads(run(skampi_run, "status", "session.db", "--json")))
    algorithms = json.loads(run(report, "algorithms", "real.db"))
    assert not can_choose or algorithms["operations"][0]["points"]
    schemas.validate("algorithms", algorithms)
    run(report, "real.db", "-o", "x.json")
    schemas.validate("report", json.loads(pathlib.Path("x.json").read_text()))
    check_one_name_one_value(report, "real.db")
    run(skampi_run, "status", "row.db", "--openmetrics", "row.prom")
    assert pathlib.Path("row.prom").read_bytes() == run(report, "row.db", "-o", "-", "--format", "prom")
    assert not list(pathlib.Path(".").glob("row.prom?*"))  # written whole by rename
    few = check_metrics(pathlib.Path("row.prom").read_text())
    run(skampi_run, "status", "row.db", "--openmetrics", "row.db", status=2)
    run(skampi_run, "status", "row.db", "--openmetrics", "row.prom", "--full")
    all_points = check_metrics(pathlib.Path("row.prom").read_text())
    assert few.items() <= all_points.items() and len(few) <= 200 < len(all_points), (len(few), len(all_points))


def check_metrics(text):
    """The rules of the exposition format; promtool says more where it is installed."""
    assert text.endswith("\n# EOF\n")
    samples, families, typed = {}, [], set()
    for line in text[:-len("# EOF\n")].split("\n")[:-1]:
        if line.startswith("# HELP "):
            families.append(line.split(" ")[2])
        elif line.startswith("# TYPE "):
            assert line.split(" ")[2:] == [families[-1], "gauge"], line
            typed.add(families[-1])
        else:
            found = SAMPLE.fullmatch(line)  # nothing behind the value: no time stamp
            assert found, line
            assert found.group(1) == families[-1] in typed, line
            key, value = line.rsplit(" ", 1)
            assert key not in samples, line
            samples[key] = float(value)
    assert len(families) == len(set(families))
    if shutil.which("promtool"):
        checked = subprocess.run(["promtool", "check", "metrics"], input=text.encode(), capture_output=True)
        assert checked.returncode == 0 and not checked.stderr, checked.stderr.decode()
    return samples


def read_extra_p(text):
    """By the grammar of Extra-P's documentation: {region: {point: values}}, and the parameters."""
    parameters, points, regions, region = [], [], {}, None
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        word, rest = line.split(" ", 1)
        if word == "PARAMETER":
            assert not points
            parameters += rest.split(" ")
        elif word == "POINTS":
            assert re.fullmatch(r"\([0-9 ]+\)( \([0-9 ]+\))*", rest)
            points += [tuple(map(int, point.split(" "))) for point in re.findall(r"\(([0-9 ]+)\)", rest)]
        elif word == "REGION":
            assert "->" not in rest and rest not in regions
            region = regions[rest] = []
        elif word == "METRIC":
            assert rest == "time"
        else:
            assert word == "DATA" and re.fullmatch(r"[0-9]+\.[0-9]+( [0-9]+\.[0-9]+)*", rest), line
            region.append([float(value) for value in rest.split(" ")])
    assert all(len(point) == len(parameters) for point in points) and len(points) == len(set(points))
    assert all(len(values) == len(points) for values in regions.values())
    return parameters, {name: dict(zip(points, values)) for name, values in regions.items()}


def check_extra_p(report, schemas):
    run(report, "study.db", "-o", "x.extrap")
    parameters, regions = read_extra_p(pathlib.Path("x.extrap").read_text())
    assert parameters == ["p", "m"] and set(regions) == {"MPI_Bcast", "MPI_Reduce"}
    run(report, "study.db", "-o", "x.json")
    truth = {}
    for subject in json.loads(pathlib.Path("x.json").read_text())["subjects"]:
        for suite in subject["suites"]:
            for point in suite["points"]:
                if point["argument"] > 0:
                    truth[suite["name"], (point["ranks"], point["argument"])] = list(point["launches"].values())
    found = {(name, point): values for name, points in regions.items() for point, values in points.items()}
    assert found.keys() == truth.keys() and len({point[0] for _, point in found}) == 5
    for key, values in found.items():
        assert len(values) == len(truth[key]) == 5
        assert all(math.isclose(*pair, abs_tol=6e-16) for pair in zip(values, truth[key])), key
    run(report, "study.db", "-o", "x.extrap.jsonl")
    lines = [json.loads(line) for line in open("x.extrap.jsonl", encoding="utf-8")]
    for line in lines:
        schemas.validate("extrap-line", line)
        assert list(line) == ["params", "callpath", "metric", "value"]
    assert {(line["callpath"], tuple(line["params"].values())): line["value"] for line in lines} == truth
    # Suites that share no point with others, or that vary something else, are named.
    done = subprocess.run([report, "one.db", "-o", "x.extrap"], capture_output=True, text=True)
    assert done.returncode == 1 and "MPI_Wtime" in done.stderr and "MPI_Barrier" in done.stderr
    parameters, regions = read_extra_p(pathlib.Path("x.extrap").read_text())
    assert parameters == ["m"] and "MPI_Bcast" in regions
    run(report, "nasty.db", "-o", "x.extrap")
    assert len(read_extra_p(pathlib.Path("x.extrap").read_text())[1]) == 4
    run(report, "one.db", "--suite", "MPI_Wtime", "-o", "x.extrap", status=2)


def check_document(report, schemas, document):
    run(report, "row.db", "-o", "x.json")
    script = re.search(r"```python-points\n(.*?)```", document, re.S).group(1)
    assert len(script.splitlines()) <= 10
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script, {})
    points = [point for suite in json.loads(pathlib.Path("x.json").read_text())["subjects"][0]["suites"]
              for point in suite["points"] if point["value_s"] is not None]
    assert len(printed.getvalue().splitlines()) == len(points) > 500
    sample = json.loads(re.search(r"```json-point\n(.*?)```", document, re.S).group(1))
    schemas.validate("report", sample, "#/$defs/point")
    unknown = sample.keys() - points[0].keys()
    assert not unknown, unknown
    for name in schemas.schemas:
        assert name in document, name


def main(sources, sample, report, skampi_run=None, mpiexec=None):
    sources = pathlib.Path(sources).resolve()
    sample, report = os.path.abspath(sample), os.path.abspath(report)
    skampi_run = skampi_run and os.path.abspath(skampi_run)
    schemas = Schemas(sources / "schemas")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(sample, folder)
        kinds = set()
        for database in ("one.db", "row.db", "interval.db", "range.db"):
            kinds |= check_one_name_one_value(report, database)
        assert kinds >= {"repeatability", "interval_in_a_row", "interval", "range"}, kinds
        check_json_outputs(report, schemas)
        check_extra_p(report, schemas)
        check_metrics(run(report, "nasty.db", "-o", "-", "--format", "prom").decode())
        check_document(report, schemas, (sources / "docs" / "data-formats.md").read_text(encoding="utf-8"))
        if skampi_run:
            check_outputs_of_runs(skampi_run, mpiexec, report, schemas)
            assert schemas.validated == set(schemas.schemas), set(schemas.schemas) - schemas.validated
        os.chdir("/")
    if not jsonschema:
        print("no python3-jsonschema: nothing was compared with the schemas")
        return 77
    return 0


sys.exit(main(*sys.argv[1:]))
