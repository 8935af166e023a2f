// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "formats/format.hpp"
#include "links/link_findings.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A run that measured pairs.
struct LinksShown {
    std::string path;
    Run run;
    LinkInput input;
    std::vector<LengthFinding> findings;
};

/// Whether the newest run of a database is one of `skampi-run links`. False for other files.
[[nodiscard]] bool has_links(const std::string& path);
/// Its runs that measured pairs, oldest first. @throws InputError where it has none
[[nodiscard]] std::vector<LinksShown> read_links(const std::string& path);

/// A report on pairs of nodes: what is slow, and a map of all pairs.
class LinksSource : public ReportSource {
public:
    /// @param databases at least one   @param title empty = a fitting one
    LinksSource(const std::vector<std::string>& databases, std::string title);

    Document document(Medium medium) override;
    /// A row for each pair.
    std::string csv(std::size_t most_bytes) override;
    std::string json() override;

    [[nodiscard]] const std::vector<LinksShown>& shown() const { return shown_; }

private:
    std::string title_;
    std::vector<LinksShown> shown_;
};

} // namespace skampi
