// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/history/history.hpp"
#include "launches/subject.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skampi {

/// A row of the index: one database. All texts are plain, of any content.
struct SiteRow {
    std::string name;     ///< of its page's file, without its ending: letters, digits, '.', '_', '-'
    std::string label;    ///< the database's file name
    std::string database; ///< its path
    bool gone = false;    ///< the database is no longer there
    std::string machine, node, network, library, hosts;
    int ranks = 0;
    std::vector<std::string> operations; ///< that it measured, each once
    std::string started_utc;
    std::int64_t launches = 0;      ///< that values rest on
    std::int64_t launches_made = 0; ///< with those that do not count
    std::int64_t points = 0;
    std::int64_t settled = 0;       ///< points; -1 = not known, as of one launch
    std::string doubts;             ///< run_doubts() of it
    std::string answer;             ///< of a session: which variant is faster; else empty
    bool tunes = false;             ///< launches of tune or verify: they try settings, and are no result
    std::string latency, bandwidth; ///< headlines, a peak with its place
    std::string long_bandwidth;     ///< of the longest message, where the peak is elsewhere
    std::string latency_doubts, bandwidth_doubts; ///< why a reader should not rely on them
};
/// An entry of the index: runs over time.
struct SiteHistory {
    std::string name; ///< of its page's file, without its ending
    std::string title;
    std::string answer; ///< the first sentence of its page
    std::int64_t runs = 0;
    std::vector<std::string> made_from; ///< names of the results whose runs it shows
};
/// The same for all runs of one series.
[[nodiscard]] std::string history_page_name(const RunRecord& record);
/// Machine (else the last run's hosts), ranks, variant and suites. @pre there are runs
[[nodiscard]] std::string history_title(const HistorySeries& series);

[[nodiscard]] SiteRow site_row(const Subject& subject);

/// The index: a table with links to the pages, complete without a script; with it it is searched, filtered
/// and sorted, and two results are chosen for the page of comparisons. Pure.
[[nodiscard]] std::string index_page(const std::string& title, const std::vector<SiteRow>& rows,
                                     const std::vector<SiteHistory>& histories);

/// The page of comparisons: draws two results over one another (#A,B), or one operation of all results with a
/// line for each machine (#operation=MPI_Bcast). It loads them as scripts (a page opened from disk may load
/// nothing else). Pure.
[[nodiscard]] std::string comparison_page(const std::string& title);
/// The list of results as a script for that page.
[[nodiscard]] std::string results_script(const std::vector<SiteRow>& rows);
/// One result as a script for that page: suites with arguments, times and their intervals.
[[nodiscard]] std::string result_script(const SiteRow& row, const Subject& subject);

/// Names everything the pages look like: another one, and they are to be made anew.
[[nodiscard]] std::string pages_made_by();

} // namespace skampi
