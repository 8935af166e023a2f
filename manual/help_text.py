# SPDX-License-Identifier: GPL-2.0-or-later
"""What a program says of itself with --help, as data: CLI11's texts, read back.

Pages of the manual and completions are made of it, so that both have the commands and options of the program.
"""

import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Option:
    """An option, or a word without one (names empty)."""
    names: list
    argument: str = ""  # what its value is called; empty = it takes none
    choices: list = field(default_factory=list)  # its only values
    several: bool = False  # it takes further words
    limits: str = ""  # "1 to 1000", "not with --against", ...
    text: str = ""


@dataclass
class Command:
    program: str
    name: str = ""  # empty = the program without one
    about: list = field(default_factory=list)  # lines
    usage: str = ""
    words: list = field(default_factory=list)
    options: list = field(default_factory=list)
    commands: dict = field(default_factory=dict)  # with what each does
    end: str = ""  # exit statuses

    @property
    def full_name(self):
        return f"{self.program} {self.name}".strip()


def option_of(head, text):
    """@param head "-n,--ranks INT:INT in [1 - 9] Excludes: --x"; of a word "FILE TEXT ..." """
    head = re.sub(r"^(-\w),\s*(--)", r"\1,\2", head)
    name, _, rest = head.partition(" ")
    limits = []
    for word, found in re.findall(r"\b(Needs|Excludes): ((?:-\S+ ?)+)", rest):
        limits.append(("needs " if word == "Needs" else "not with ") + ", ".join(found.split()))
    rest = re.split(r"\b(?:Needs|Excludes):|\(Env:", rest)[0].replace("REQUIRED", "").strip()
    option = Option(name.split(",") if name.startswith("-") else [], text=text)
    option.several = rest.endswith("...")
    kind, _, check = rest.removesuffix("...").strip().partition(":")
    option.argument = kind if option.names else name
    if choices := re.match(r"\{([^}]*)\}", check):
        option.choices = choices.group(1).split(",")
    if span := re.search(r"in \[(\S+) - (\S+)\]", check):
        limits.insert(0, f"{span.group(1)} to {span.group(2)}")
    if default := re.search(r"=(\S+)$", check):
        limits.insert(0, f"default {default.group(1)}")
    option.limits = "; ".join(limits)
    return option


def entries(lines):
    """The two columns of a section; a text goes on in further lines."""
    column = 30  # of the texts, where only one blank precedes it
    found = []
    for line in lines:
        if not re.match(r" {1,4}\S", line):
            found[-1][1] += " " + line.strip()
            continue
        line = re.sub(r"^( +-\w), +(--)", r"\1,\2", line)
        head, _, text = line.strip().partition("  ")
        if not text and line[column - 1:column] == " ":
            head, text = line[:column], line[column:]
        found.append([head.strip(), text.strip()])
    return [(head, text.strip()) for head, text in found]


def read_help(program, text, name=""):
    command = Command(program, name)
    section, parts = "about", {}
    for line in text.splitlines():
        if begin := re.match(r"Usage: (.*)", line, re.IGNORECASE):
            command.usage, section = begin.group(1), ""
        elif begin := re.match(r"(Positionals|Options|Subcommands):", line, re.IGNORECASE):
            section = begin.group(1).lower()
        elif line.startswith("Exit status:"):
            section = "end"
            parts["end"] = [line.partition(":")[2]]
        elif line.strip() and section:
            parts.setdefault(section, []).append(line)
    command.about = parts.get("about", [])
    command.words = [option_of(*entry) for entry in entries(parts.get("positionals", []))]
    command.options = [option_of(*entry) for entry in entries(parts.get("options", []))]
    command.commands = dict(entries(parts.get("subcommands", [])))
    for line in command.about:  # programs whose commands have command lines of their own
        if row := re.match(rf"  {program} ([a-z]+) .*?  +(.*)", line):
            command.commands[row.group(1)] = row.group(2)
    command.end = " ".join(line.strip() for line in parts.get("end", []))
    return command


def commands_of(path, program):
    """The program without a command, and each of its commands."""
    def ask(*words):
        return subprocess.run([path, *words, "--help"], check=True, capture_output=True, text=True).stdout

    main = read_help(program, ask())
    return [main] + [read_help(program, ask(name), name) for name in main.commands]
