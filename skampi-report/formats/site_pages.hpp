#pragma once

#include "subject.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skampi {

/// What the index of a site says of one database. All texts are plain, of any content.
struct SiteRow {
    std::string name;     ///< of its page's file, without its ending: letters, digits, '.', '_', '-'
    std::string label;    ///< the database's file name
    std::string database; ///< its path
    bool gone = false;    ///< the database is no longer there
    std::string machine, library, hosts;
    int ranks = 0;
    std::string started_utc, ended_utc;
    std::int64_t launches = 0;
    std::int64_t suites = 0;
    std::int64_t points = 0;
    std::int64_t settled = 0;
    std::string latency, bandwidth; ///< headlines
};
[[nodiscard]] SiteRow site_row(const Subject& subject);

/// The index: a table with links to the pages, complete without a script; with it it is searched, filtered
/// and sorted, and two results are chosen for the page of comparisons. Pure.
[[nodiscard]] std::string index_page(const std::string& title, const std::vector<SiteRow>& rows);

/// The page of comparisons: draws two results over one another, which it loads as scripts (a page opened from
/// disk may load nothing else). Pure.
[[nodiscard]] std::string comparison_page(const std::string& title);

/// The list of results as a script for that page.
[[nodiscard]] std::string results_script(const std::vector<SiteRow>& rows);
/// One result as a script for that page: suites with arguments, times and their intervals.
[[nodiscard]] std::string result_script(const SiteRow& row, const Subject& subject);

/// Names everything the pages look like: another one, and they are to be made anew.
[[nodiscard]] std::string pages_made_by();

} // namespace skampi
