# SPDX-License-Identifier: GPL-2.0-or-later
# Reads docs/adding-an-operation.md, then ping_pong.cpp: writes the latter with the page's code added where the page
# says.
FNR == 1 { ++file }
file == 1 && /^```cpp / { block = $2; next }
file == 1 && /^```/ { block = ""; next }
file == 1 && block != "" { text[block] = text[block] $0 "\n"; next }
file == 1 { next }
/^} \/\/ namespace$/ && !(functions_done++) { printf "%s\n", text["functions"] }
{ print }
/rows = {$/ && !(row_done++) { printf "%s", text["row"] }
