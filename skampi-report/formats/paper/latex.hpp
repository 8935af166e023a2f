// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"

#include <string>
#include <string_view>

namespace skampi {

/// With this every document begins.
inline constexpr std::string_view made_by_skampi_report = "% Made by skampi-report";

/// The document as LaTeX. Figures are expected as figure_directory/ID.tex. With \skampidraft defined each
/// figure is an empty box of its size, so that page numbers can be found before the figures are drawn.
/// Needs nothing beyond texlive-latex-base, -latex-recommended and -fonts-recommended.
[[nodiscard]] std::string latex_document(const Document& document, const std::string& figure_directory);

/// A first table of contents (.toc) with the right lines and invented page numbers: with it the first pass of
/// LaTeX already breaks pages as the last one will, and a second pass is enough.
[[nodiscard]] std::string latex_contents(const Document& document);

} // namespace skampi
