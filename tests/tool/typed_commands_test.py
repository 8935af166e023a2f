#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every command that README.md and docs/ print to be typed has a command and options that its program knows.

usage: typed_commands_test.py SOURCE PROGRAM...
"""

import os
import pathlib
import re
import shlex
import sys

failures = []


def typed(text):
    """Commands in blocks and between backquotes."""
    text = text.replace("\\\n", " ")
    for block in re.findall(r"^    (.+)$|^\$ (.+)$|`([^`\n]+)`", text, re.MULTILINE):
        code = "".join(block).split("   #")[0].split("  # ")[0]
        yield from re.split(r"&&|\|\||[;|](?= )|\$\(|\)", code)


def main():
    source = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(source / "manual"))
    sys.dont_write_bytecode = True
    import help_text

    known = {}
    for path in sys.argv[2:]:
        for command in help_text.commands_of(os.path.abspath(path), os.path.basename(path)):
            known[command.full_name] = {name for option in command.options for name in option.names}
    count = 0
    for document in [source / "README.md", *sorted((source / "docs").glob("*.md"))]:
        for code in typed(document.read_text(encoding="utf-8")):
            found = re.search(r"(?:^|[ /])(skampi-(?:run|merge|report)) (.*)", code)
            if not found or found.group(1) not in known or code.strip().startswith("bench/"):  # which starts it itself
                continue
            try:
                words = shlex.split(found.group(2).replace("...", ""))
            except ValueError:  # a piece of a longer line
                continue
            name = " ".join([found.group(1), *words[:1]])
            options = known.get(name, known[found.group(1)])
            count += 1
            for word in words:
                option = word.split("=")[0]
                if re.fullmatch(r"--[a-z][a-z-]*", option) and option not in options:
                    failures.append(f"{document.name}: {code.strip()}: {name} has no {option}")
    if count == 0:
        failures.append(f"found no command, expected many")
    for script in ("demo", "test"):
        if not os.access(source / "scripts" / script, os.X_OK):
            failures.append(f"scripts/{script} cannot be started")
    print("\n".join(failures))
    print(f"{count} commands")
    return 1 if failures else 0


sys.exit(main())
