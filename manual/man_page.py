# SPDX-License-Identifier: GPL-2.0-or-later
"""Pages of the manual in roff: of commands, and of documents in the Markdown that docs/ uses."""

import re


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def words(text):
    """A line of text with the marks of Markdown: `word`, **bold**, *emphasis*, [text](link)."""
    text = re.sub(r"\[([^\]]*)\]\((https?:[^)]*)\)", r"\1 (\2)", text)
    text = re.sub(r"\[((?:[^\]`]|`[^`]*`)*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(`[^`]+`|\*\*[^*]+\*\*|(?<!\*)\*[^*\s][^*]*\*(?!\*))", text.replace("\\|", "|"))
    line = ""
    for part in parts:
        if re.fullmatch(r"`[^`]+`|\*\*[^*]+\*\*", part):
            line += "\\fB" + escaped(part.strip("`*")).removeprefix("\\&") + "\\fR"
        elif re.fullmatch(r"\*[^*]+\*", part):
            line += "\\fI" + escaped(part.strip("*")).removeprefix("\\&") + "\\fR"
        else:
            line += escaped(part) if not line else escaped(part).removeprefix("\\&")
    return line


def head(name, section, version, summary):
    return [f'.TH "{name.upper()}" "{section}" "" "SKaMPI {version}" "SKaMPI"', ".SH NAME",
            f"{escaped(name)} \\- {words(summary)}"]


def entry(option):
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in option.names)
    dots = " ..." if option.several else ""
    argument = f"\\fI{escaped(option.argument)}\\fR{dots}" if option.argument else ""
    text = escaped(option.text)
    if option.choices:
        text += f" ({escaped(', '.join(option.choices))})"
    if option.limits:
        text += f" ({escaped(option.limits)})"
    return [".TP", f"{names} {argument}".strip(), text]


def command_page(command, version, others):
    """@param others names of all commands of the program"""
    first = command.about[0].strip()
    summary = re.split(r"[.:]( |$)", first)[0]
    page = head(command.full_name.replace(" ", "-"), 1, version, summary[0].lower() + summary[1:])
    page += [".SH SYNOPSIS", f"\\fB{escaped(command.full_name)}\\fR" +
             escaped(command.usage.removeprefix(command.full_name))]
    page += [".SH DESCRIPTION"]
    for line in command.about:
        page += [".br"] if line.startswith(" ") or page[-1].startswith("\\ ") else []
        page += [("\\ " * (len(line) - len(line.lstrip()))) + escaped(line.strip())]
    for title, options in (("ARGUMENTS", command.words), ("OPTIONS", command.options)):
        page += [f".SH {title}"] if options else []
        for option in options:
            page += entry(option)
    if command.commands:
        page += [".SH COMMANDS"]
    for name, text in command.commands.items():
        page += [".TP", f"\\fB{escaped(name)}\\fR", f"{escaped(text)}: \\fB{escaped(command.program)}\\-{name}\\fR(1)"]
    page += [".SH EXIT STATUS", escaped(command.end)]
    other = [command.program] if command.name else [f"{command.program}-{name}" for name in others]
    other += [name for name in ("skampi-run", "skampi-merge", "skampi-report") if name not in other and name != command.program]
    page += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(name)}\\fR(1)" for name in other) + ",",
             "\\fBskampi\\fR(5), \\fBskampi\\-db\\fR(5)"]
    return "\n".join(page) + "\n"


def cells(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def table(rows):
    """Each row is an entry: its first cell, then the others, with their headings from the third on."""
    headings = cells(rows[0])
    page = []
    for row in rows[2:]:
        first, *others = cells(row)
        texts = [(heading, cell) for heading, cell in zip(headings[1:], others) if cell]
        page += [".TP 7", words(first) or "\\&"]
        page += [" ".join((f"{words(heading[:1].upper() + heading[1:])}: " if i and heading else "") +
                          words(cell) + ("" if cell.endswith(".") else ".") for i, (heading, cell) in enumerate(texts))]
    return page + [".PP"]


def document_page(name, section, version, markdown):
    lines = [line for line in markdown.splitlines() if not line.startswith("<!--")]
    title = lines[0].removeprefix("# ").removeprefix("The ").removeprefix("the ")
    page = head(name, section, version, title + " of SKaMPI") + [".SH DESCRIPTION"]
    at = 1
    while at < len(lines):
        line = lines[at]
        begin = at
        at += 1
        if line.startswith("```"):
            while not lines[at].startswith("```"):
                at += 1
            page += [".PP", ".RS 4", ".nf", *map(escaped, lines[begin + 1:at]), ".fi", ".RE", ".PP"]
            at += 1
        elif line.startswith("    "):
            page += [".PP", ".RS 4", ".nf", escaped(line.strip()), ".fi", ".RE", ".PP"]
        elif line.startswith("|"):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            page += table(lines[begin:at])
        elif heading := re.match(r"(#+) (.*)", line):
            text = words(heading.group(2).replace("`", ""))
            page += [f".SH {text.upper()}" if len(heading.group(1)) == 2 else f".SS {text}"]
        elif line.startswith("- "):
            page += [".IP \\(bu 2", words(line[2:])]
        else:
            page += [words(line.strip()) if line.strip() else ".PP"]
    page = [line for line, after in zip(page, page[1:] + [".SH"])  # no paragraph before what begins one
            if not (line == ".PP" and re.match(r"\.(PP|SH|SS|TP|IP)", after))]
    page = [line for line, before in zip(page, [""] + page) if not (line == ".PP" and re.match(r"\.S[HS]", before))]
    return "\n".join(page + [".SH SEE ALSO", "\\fBskampi\\-run\\fR(1), \\fBskampi\\-report\\fR(1)"]) + "\n"
