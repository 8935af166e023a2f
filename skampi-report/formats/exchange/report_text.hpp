// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// A report that is one text.
struct ReportText {
    std::string text;
    std::size_t figures = 0;
    std::vector<std::string> missing = {}; ///< what the text lacks, one line each
    std::vector<std::string> notes = {};   ///< what a reader of it must know, one line each
};

} // namespace skampi
