// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

struct RenderOptions {
    int jobs = 1;                    ///< programs at a time, >= 1
    std::optional<std::string> keep; ///< directory for scripts, data and sources
};

struct Rendered {
    std::size_t figures = 0;
    int pages = 0; ///< 0 = the format has none
};

/// Draws the figures and sets the document: gnuplot and pdflatex as children in a directory of their own.
/// @throws SystemError in one line when a program is missing or fails; nothing is left under `output` then
Rendered write_pdf(Document document, const std::string& output, const RenderOptions& options);

/// What write_pdf() keeps in a directory; empty = none.
[[nodiscard]] std::vector<std::string> sources_of_pdf(const std::string& keep);

/// The document's sources: `output` and, next to it, a directory STEM-figures with scripts and drawings.
/// @throws SystemError
Rendered write_tex(Document document, const std::string& output, const RenderOptions& options);

/// What write_tex() writes besides `output`, and keeps in a directory; empty = none.
[[nodiscard]] std::vector<std::string> other_tex_sources(const std::string& output, const std::string& keep);

} // namespace skampi
