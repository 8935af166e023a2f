#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes C++ constants of text files: each as it stands (or several behind one
another) but for the line that names its license, and the hash by which a
Content-Security-Policy names it.

usage: embed.py OUTPUT.hpp NAME=FILE[,FILE]...
"""
import base64
import hashlib
import re
import sys

output, *files = sys.argv[1:]
lines = ['#pragma once', '', '#include <string_view>', '', 'namespace skampi::embedded {', '']
for each in files:
    name, paths = each.split('=', 1)
    text = ''
    for path in paths.split(','):
        with open(path, encoding='utf-8', newline='') as file:
            text += re.sub(r'\A.*SPDX-License.*\n', '', file.read())
    assert ')embedded"' not in text, paths + ': holds the end of a raw string'
    digest = base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')
    lines.append(f'inline constexpr std::string_view {name} = R"embedded({text})embedded";')
    lines.append(f'inline constexpr std::string_view {name}_hash = "sha256-{digest}";')
    lines.append('')
lines.append('} // namespace skampi::embedded')
with open(output, 'w', encoding='utf-8', newline='') as file:
    file.write('\n'.join(lines) + '\n')
