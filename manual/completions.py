# SPDX-License-Identifier: GPL-2.0-or-later
"""Completions for shells: commands, options, values, and the operations and suites that there are."""

import re

SUITE_OPTIONS = {"--suite", "--plot", "--table", "--versus"}
FILE_ARGUMENTS = {"TEXT", "FILE", "DB", "DIR", "TUNING"}


def kind(option):
    """What a value is: "none" (the option has none), "words", "suite", "operation", "file" or "other"."""
    if not option.argument:
        return "none"
    if option.choices:
        return "words"
    if SUITE_OPTIONS.intersection(option.names):
        return "suite"
    if "--operation" in option.names or option.argument == "OPERATION":
        return "operation"
    return "file" if option.argument.split()[0] in FILE_ARGUMENTS else "other"


def function(program):
    return "_" + program.replace("-", "_")


# Names that the programs know: of operations, and of suites in the files of the command line.
SOURCES = """
{name}_operations() {{
    skampi-run list --json 2>/dev/null | sed -n 's/.*"name": "\\(.*\\)".*/\\1/p'
}}
{name}_suites() {{
    for file in "$@"; do
        if [ -f "$file" ]; then skampi-run list "$file" 2>/dev/null; fi
    done
}}
"""


def bash(commands):
    program = commands[0].program
    name = function(program)
    values, options = {}, []
    for command in commands:
        for option in command.options:
            what = f"'{' '.join(option.choices)}'" if option.choices else kind(option)
            values.setdefault(what, []).extend(f"'{command.name} {each}'" for each in option.names)
        names = " ".join(each for option in command.options for each in option.names)
        options.append(f"            '{command.name}') words='{names}' ;;")
    after = {"suite": f'{name}_offer "$({name}_suites "${{COMP_WORDS[@]:1}}")"; return',
             "operation": f'{name}_offer "$({name}_operations)"; return', "other": "return", "none": ":",
             "file": "compopt -o default; return"}
    cases = [f"        {'|'.join(patterns)}) {after.get(what) or f'{name}_offer {what}; return'} ;;"
             for what, patterns in values.items() if what != "none"]
    with_operations = [f"'{each.name}'" for each in commands if any(map(lambda word: kind(word) == "operation", each.words))]
    if with_operations:
        operations = f"    case $command in {'|'.join(with_operations)}) {name}_offer \"$({name}_operations)\" ;; esac\n"
    else:
        operations = ""
    names = " ".join(commands[0].commands)
    return f"""# bash completion for {program}, made from its --help
{SOURCES.format(name=name)}
# Offers what begins as the present word; a candidate is a line or a word of the text.
{name}_offer() {{
    local IFS=$'\\n' each
    [[ $1 == *$'\\n'* ]] || IFS=$' \\n'
    for each in $1; do
        [[ $each != "$present"* ]] || COMPREPLY+=("$(printf %q "$each")")
    done
}}
{name}() {{
    local present=${{COMP_WORDS[COMP_CWORD]}} former=${{COMP_WORDS[COMP_CWORD - 1]}} command= words= word
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case " {names} " in *" $word "*) command=$word; break ;; esac
    done
    if [[ $present == = ]]; then present=; elif [[ $former == = ]]; then former=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
    case "$command $former" in
{chr(10).join(cases)}
    esac
    if [[ $present == -* ]]; then
        case $command in
{chr(10).join(options)}
        esac
        {name}_offer "$words"
        return
    fi
    [[ -n $command ]] || {name}_offer '{names}'
{operations}    compopt -o default
}}
complete -F {name} {program}
"""


def zsh(commands):
    program = commands[0].program
    name = function(program)

    def quoted(text):
        return text.replace("'", "'\\''")

    def described(text):
        return quoted(re.sub(r"([\[\]:])", r"\\\1", text))

    actions = {"none": "", "suite": f":suite:{name}_suite", "operation": f":operation:{name}_operation",
               "file": ":file:_files", "other": ":value: "}
    lines = []
    for command in commands:
        lines.append(f"        '{command.name}')\n            specs=(")
        for option in command.options:
            action = f":value:({' '.join(option.choices)})" if option.choices else actions[kind(option)]
            several = "*" if option.several or "several times" in option.text else ""
            for each in option.names:
                lines.append(f"                '{several}{each}[{described(option.text)}]{action}'")
        word = ("operation" if any(kind(each) == "operation" for each in command.words) else "file")
        lines.append(f"                '*:{word}:{actions[word].split(':')[-1]}') ;;")
    rows = "\n".join(f"        '{each}:{quoted(text)}'" for each, text in commands[0].commands.items())
    return f"""#compdef {program}
# made from {program} --help
{SOURCES.format(name=name)}
{name}_suite() {{
    local -a found=("${{(@f)$({name}_suites "${{(@Q)words}}")}}")
    compadd -a found
}}
{name}_operation() {{
    local -a found=("${{(@f)$({name}_operations)}}")
    compadd -a found
}}
{name}() {{
    local command= word
    local -a specs commands=(
{rows}
    )
    for word in "${{(@)words[2,CURRENT-1]}}"; do
        if (( ${{commands[(I)$word:*]}} )); then command=$word; break; fi
    done
    case $command in
{chr(10).join(lines)}
    esac
    if [[ -z $command && ${{#commands}} -gt 0 && $words[CURRENT] != -* ]]; then _describe command commands; fi
    _arguments -s -S $specs
}}
{name} "$@"
"""


def fish(commands):
    program = commands[0].program
    name = "_" + function(program)
    names = " ".join(commands[0].commands)

    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    values = {"none": "", "suite": f" -x -a '({name}_suites)'", "operation": f" -x -a '({name}_operations)'",
              "file": " -r", "other": " -x"}
    lines = []
    for command in commands:
        seen = f"__fish_seen_subcommand_from {command.name}" if command.name else \
            f"not __fish_seen_subcommand_from {names}" if names else "true"
        start = f"complete -c {program} -n '{seen}'"
        for option in command.options:
            letters = "".join(f" -s {each[1:]}" if len(each) == 2 else f" -l {each[2:]}" for each in option.names)
            value = f" -x -a {quoted(' '.join(option.choices))}" if option.choices else values[kind(option)]
            lines.append(f"{start}{letters}{value} -d {quoted(option.text)}")
        if any(kind(each) == "operation" for each in command.words):
            lines.append(f"{start} -a '({name}_operations)'")
    for each, text in commands[0].commands.items():
        lines.append(f"complete -c {program} -n __fish_use_subcommand -a {each} -d {quoted(text)}")
    return f"""# fish completion for {program}, made from its --help
function {name}_operations
    skampi-run list --json 2>/dev/null | string match -r -g '"name": "(.*)"'
end
function {name}_suites
    for file in (commandline -opc)
        test -f $file; and skampi-run list $file 2>/dev/null
    end
end
{chr(10).join(lines)}
"""
