// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// A page around its body: style, script and a Content-Security-Policy that lets nothing else act and nothing
/// be loaded. @p body and @p behind_script are HTML, the title is text.
struct HtmlShell {
    std::string title;
    std::string body;
    std::string behind_script;                        ///< further <script> elements
    std::vector<std::string_view> script_hashes = {}; ///< of those with their text in the page
    bool script_files = false;                        ///< whether scripts from files next to the page may run
};
[[nodiscard]] std::string html_shell(const HtmlShell& shell);

/// What a page has besides its document.
struct PageData {
    std::string links; ///< HTML: where the data are; empty = nowhere
    std::string back;  ///< the page this one belongs to, as a relative address; empty = none
};

/// The document's page: HTML 5 with its style, its drawings and its script inside, and nothing from the
/// network. Without the script it shows everything. Pure.
[[nodiscard]] std::string html_page(const Document& document, const PageData& data = {});

/// What a page holds at most of a CSV file: it must not be most of the page, whose plots and tables hand out
/// their values, too.
inline constexpr std::size_t most_csv_bytes_in_page = std::size_t{1} << 17;

/// A link that holds the text of a CSV file; empty where that is too long for a page.
[[nodiscard]] std::string csv_link(const std::string& csv);

/// A directory `output` that works from file://: index.html and the data as result.csv and result.json. It
/// appears whole or not at all. A directory of that name is replaced only if skampi-report made it or it is
/// empty.
/// @param csv,json the texts of the data files
/// @throws InputError when something else stands there, SystemError when the disk fails
void write_html_folder(const Document& document, const std::string& csv, const std::string& json,
                       const std::string& output);

} // namespace skampi
