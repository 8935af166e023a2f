// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/figure.hpp"

#include <functional>
#include <string>

namespace skampi {

/// Finds the anchor of a section by its title; empty = none.
using AnchorOf = std::function<std::string(const std::string& title)>;

/// A figure drawn for a page: an SVG drawing per panel (they stand below one another where the page is
/// narrow), the legend, and the values behind the drawing in tables that can be opened. Complete without a
/// script; html_page.js finds in it what it needs to show values under the pointer, to zoom and to
/// switch series. Small multiples link to their suites. Pure.
[[nodiscard]] std::string figure_html(const Figure& figure, const AnchorOf& anchor_of);

} // namespace skampi
