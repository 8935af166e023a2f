// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sstream>
#include <string>

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Without its line ends, which stand where the terminal is full.
inline std::string flowing(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

/// The first line of a text that holds a part; empty = none does.
inline std::string first_line_with(const std::string& text, const std::string& part) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (contains(line, part))
            return line;
    return {};
}
