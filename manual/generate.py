#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes pages of the manual and completions.

generate.py commands PROGRAM VERSION OUTDIR [COMMAND...]     pages of a program and its commands; bash, zsh, fish
generate.py document NAME VERSION DOCUMENT PAGE              a page of section 5 from a document in Markdown
"""

import pathlib
import sys

import completions
import help_text
import man_page


def write_commands(path, version, folder, *expected):
    program = pathlib.Path(path).name
    commands = help_text.commands_of(path, program)
    names = [command.name for command in commands[1:]]
    if sorted(names) != sorted(expected):
        sys.exit(f"generate.py: {program} has the commands {' '.join(names)}, expected {' '.join(expected)} "
                 "(manual/meson.build)")
    folder = pathlib.Path(folder)
    for command in commands:
        page = folder / (command.full_name.replace(" ", "-") + ".1")
        page.write_text(man_page.command_page(command, version, names), encoding="utf-8")
    (folder / program).write_text(completions.bash(commands), encoding="utf-8")
    (folder / ("_" + program)).write_text(completions.zsh(commands), encoding="utf-8")
    (folder / (program + ".fish")).write_text(completions.fish(commands), encoding="utf-8")


def write_document(name, version, document, page):
    text = pathlib.Path(document).read_text(encoding="utf-8")
    pathlib.Path(page).write_text(man_page.document_page(name, 5, version, text), encoding="utf-8")


if len(sys.argv) < 5:
    sys.exit(__doc__.strip())
{"commands": write_commands, "document": write_document}[sys.argv[1]](*sys.argv[2:])
