#pragma once

#include "document.hpp"
#include "formats/pdf.hpp"

#include <string>

namespace skampi {

/// The document's page: HTML 5 without scripts and without anything from the network; figures are
/// figures/ID.svg. Pure.
[[nodiscard]] std::string html_page(const Document& document);

/// A directory `output` that works from file://: index.html, figures/*.svg, and the data as result.csv and
/// result.json. It appears whole or not at all. A directory of that name is replaced only if skampi-report
/// made it or it is empty.
/// @param csv,json the texts of the data files
/// @throws InputError when something else stands there, SystemError when gnuplot or the disk fails
Rendered write_html(const Document& document, const std::string& csv, const std::string& json,
                    const std::string& output, const RenderOptions& options);

} // namespace skampi
