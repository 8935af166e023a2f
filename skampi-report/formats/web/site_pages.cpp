// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/web/site_pages.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "analysis/trust/value_error.hpp"
#include "drawing/plot_points.hpp"
#include "formats/web/html.hpp"
#include "html_embedded.hpp"
#include "launches/library_name.hpp"
#include "words/doubt_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

/// In a script: ASCII only, so that no character ends a line where a text goes on.
std::string in_script(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string hosts_in_short(const Run& run) {
    std::set<std::string> names;
    for (const RankFacts& rank : run.rank_facts)
        if (!rank.processor.empty())
            names.insert(rank.processor);
    if (names.empty())
        return run.host;
    const std::string first = *names.begin();
    return names.size() == 1 ? first
                             : fmt::format("{} and {}{} more", first,
                                           all_ranks_stored(run) ? "" : "at least ", names.size() - 1);
}

/// "2026-11-21 10:00"
std::string minute_of(const std::string& utc) {
    std::string text = utc.substr(0, std::string_view("2026-11-21T10:00").size());
    std::ranges::replace(text, 'T', ' ');
    return text;
}

/// "39 of 200"
std::string launches_cell(const SiteRow& row) {
    return row.launches < row.launches_made ? fmt::format("{} of {}", row.launches, row.launches_made)
                                            : std::to_string(row.launches);
}

Json row_json(const SiteRow& row) {
    return {{"name", row.name},
            {"label", row.label},
            {"machine", row.machine},
            {"library", row.library},
            {"hosts", row.hosts},
            {"ranks", row.ranks},
            {"node", row.node},
            {"network", row.network},
            {"operations", row.operations},
            {"measured", minute_of(row.started_utc)},
            {"launches", launches_cell(row)}};
}

std::string cell(const std::string& text, const char* kind = "text") {
    return fmt::format("<td class=\"{}\">{}</td>", kind, for_html(text));
}

/// Why a reader should not rely on a value or a run: behind it, in the words of the report.
std::string in_doubt(const std::string& doubts) {
    return doubts.empty() ? "" : fmt::format(" <span class=\"doubts\">({})</span>", for_html(doubts));
}

std::string headline_cell(const std::string& value, const std::string& doubts,
                          const std::string& below = {}) {
    return fmt::format("<td class=\"number\">{}{}{}{}</td>", for_html(value), in_doubt(doubts),
                       below.empty() ? "" : "<br>", for_html(below));
}

/// As encodeURIComponent() of a browser.
std::string for_url(const std::string& text) {
    std::string url;
    for (const char c : text)
        url += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.'
                   ? std::string(1, c)
                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return url;
}

/// How two databases' suites are matched (matching_curve): same name, operation and variation.
std::string key_of(const Curve& curve) {
    const Suite& suite = curve.suite();
    return suite.name + "\n" + suite.operation.name + "\n" + std::string(to_text(suite.varied));
}

} // namespace

std::string history_page_name(const RunRecord& record) {
    const std::string end = "\n";
    const std::uint32_t hash = Fnv1a()
                                   .add(record.machine + end)
                                   .add(record.variant + end)
                                   .add(static_cast<std::uint64_t>(record.ranks))
                                   .folded();
    return for_file_name(fmt::format(
        "{}-{}-{:08x}", record.machine.empty() ? "runs" : shortened(record.machine, 40), record.ranks, hash));
}

std::string history_title(const HistorySeries& series) {
    std::string machine = series.machine;
    if (const auto& facts = series.runs.back().facts; machine.empty() && facts.contains("Hosts"))
        machine = facts.at("Hosts");
    std::vector<std::string> suites; // by which plans are known
    for (const HistoryLine& line : series.lines)
        if (!line.headline && std::ranges::find(suites, line.suite) == suites.end())
            suites.push_back(line.suite);
    const std::size_t more = suites.size() > 1 ? suites.size() - 1 : 0;
    return fmt::format("{}{}{}{}{}",
                       machine.empty() ? "no machine named" : shortened(printable(machine), 60),
                       series.ranks == 0 ? "" : ", " + count_of(series.ranks, "rank"),
                       series.variant.empty() ? "" : ", " + shortened(printable(series.variant), 40),
                       suites.empty() ? "" : ", " + shortened(printable(suites.front()), 40),
                       more == 0 ? "" : fmt::format(" and {}", count_of(more, "more suite")));
}

SiteRow site_row(const Subject& subject) {
    SiteRow row;
    row.database = subject.path;
    if (subject.run) {
        const Run& run = *subject.run;
        row.hosts = shortened(hosts_in_short(run), 60);
        row.machine = shortened(run.machine.empty() ? run.host : run.machine, 60);
        row.node = shortened(run.node, 60);
        row.network = shortened(run.network, 60);
        if (!is_sequential(run)) {
            row.library = shortened(library_name(run), 60);
            row.ranks = run.ranks;
        }
        row.started_utc = run.started_utc;
        row.doubts = doubts_text(run_doubts(subject));
    }
    for (const Curve& curve : subject.curves)
        if (const std::string name = shortened(curve.suite().operation.name, 90);
            std::ranges::find(row.operations, name) == row.operations.end())
            row.operations.push_back(name);
    const Trust trust = assess(subject);
    row.launches = static_cast<std::int64_t>(trust.launches);
    row.launches_made = static_cast<std::int64_t>(std::max(trust.launches, trust.launches_merged));
    row.points = trust.points;
    row.settled = trust.settled + trust.unsettled > 0 ? trust.settled : -1;
    for (const Headline& headline : headlines(subject)) {
        if (headline.kind == HeadlineKind::latency) {
            row.latency = headline_value_at(headline);
            row.latency_doubts = headline_doubt(headline);
        }
        if (headline.kind == HeadlineKind::peak_bandwidth) {
            row.bandwidth = headline_value_at(headline);
            row.bandwidth_doubts = headline_doubt(headline);
        }
        if (headline.kind == HeadlineKind::long_bandwidth)
            row.long_bandwidth = headline_value_at(headline);
    }
    return row;
}

std::string index_page(const std::string& title, const std::vector<SiteRow>& rows,
                       const std::vector<SiteHistory>& histories) {
    const auto results = std::ranges::count(rows, false, &SiteRow::tunes);
    std::string text = fmt::format("<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n", for_html(title),
                                   count_of(results, "result"));
    text += "<main>\n<div id=\"controls\" class=\"controls\"></div>\n"
            "<div class=\"scroll\" tabindex=\"0\"><table id=\"results\">\n<thead><tr>";
    for (const auto& [name, kind] :
         std::initializer_list<std::pair<const char*, const char*>>{{"result", "text"},
                                                                    {"latency", "number"},
                                                                    {"peak bandwidth", "number"},
                                                                    {"machine", "text"},
                                                                    {"MPI library", "text"},
                                                                    {"ranks", "number"},
                                                                    {"measured (UTC)", "text"},
                                                                    {"launches", "number"},
                                                                    {"settled", "number"},
                                                                    {"node", "text"},
                                                                    {"network", "text"}})
        text += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", kind, name);
    text += "</tr></thead>\n<tbody>\n";
    std::vector<std::string> others;
    for (const SiteRow& row : rows) {
        if (row.tunes) {
            others.push_back(
                fmt::format("<a href=\"results/{}.html\">{}</a>", row.name, for_html(row.label)));
            continue;
        }
        text +=
            fmt::format(
                "<tr data-name=\"{0}\"><td class=\"text\"><a href=\"results/{0}.html\">{1}</a>{2}{3}{4}</td>",
                row.name, for_html(row.label),
                row.gone ? " <span class=\"gone\">(its database is gone)</span>" : "", in_doubt(row.doubts),
                row.answer.empty() ? ""
                                   : fmt::format(" <span class=\"answer\">{}</span>", for_html(row.answer))) +
            headline_cell(row.latency, row.latency_doubts) +
            headline_cell(row.bandwidth, row.bandwidth_doubts, row.long_bandwidth) + cell(row.machine) +
            cell(row.library) + cell(row.ranks > 0 ? std::to_string(row.ranks) : "", "number") +
            cell(minute_of(row.started_utc)) + cell(launches_cell(row), "number") +
            cell(row.settled < 0 ? std::string("unknown") : fmt::format("{} of {}", row.settled, row.points),
                 "number") +
            cell(row.node) + cell(row.network) + "</tr>\n";
    }
    text += "</tbody></table></div>\n<p id=\"found\" class=\"note\" aria-live=\"polite\"></p>\n";
    if (!others.empty())
        text +=
            fmt::format("<p class=\"note\">Tuning and its verification: {}.</p>\n", fmt::join(others, ", "));
    std::set<std::string> operations;
    for (const SiteRow& row : rows)
        operations.insert(row.operations.begin(), row.operations.end());
    if (!operations.empty())
        text += "<h2>Operations over all results</h2>\n<ul id=\"operations\">\n";
    for (const std::string& each : operations)
        text += fmt::format("<li><a href=\"comparison.html#operation={}\">{}</a></li>\n", for_url(each),
                            for_html(each));
    text += operations.empty() ? "" : "</ul>\n";
    if (!histories.empty()) {
        text += "<h2>Over time</h2>\n<ul id=\"histories\">\n";
        for (const SiteHistory& each : histories)
            text += fmt::format("<li><a href=\"history/{}.html\">{}</a>: {}</li>\n", each.name,
                                for_html(each.title), for_html(each.answer));
        text += "</ul>\n";
    }
    text += "</main>\n";
    return html_shell({title,
                       std::move(text),
                       fmt::format("<script>{}</script>\n", embedded::index_script),
                       {embedded::index_script_hash},
                       false});
}

std::string comparison_page(const std::string& title) {
    std::string text =
        "<p class=\"note\"><a href=\"index.html\">All results</a></p>\n"
        "<h1 id=\"title\">Two results compared</h1>\n<p class=\"subtitle\">" +
        for_html(title) +
        "</p>\n<noscript><p class=\"warning\">This page needs JavaScript to draw its comparisons. "
        "<code>skampi-report A.db B.db -o comparison.html</code> compares without it.</p></noscript>\n"
        "<div id=\"controls\" class=\"controls\"></div>\n<main id=\"comparison\"></main>\n";
    return html_shell({"Comparison: " + title,
                       std::move(text),
                       fmt::format("<script src=\"results.js\"></script>\n<script>{}</script>\n",
                                   embedded::comparison_script),
                       {embedded::comparison_script_hash},
                       true});
}

std::string results_script(const std::vector<SiteRow>& rows) {
    Json list = Json::array();
    for (const SiteRow& row : rows)
        if (!row.tunes)
            list.push_back(row_json(row));
    return "const skampiResults = " + in_script(list) + ";\n";
}

std::string result_script(const SiteRow& row, const Subject& subject) {
    Json suites = Json::array();
    for (const Curve& curve : subject.curves) {
        const Suite& suite = curve.suite();
        Json points = Json::array();
        for (const StoredMeasurement& point : curve.points) {
            if (!above_zero(point.measurement))
                continue;
            const ErrorBar bar = error_bar(point);
            const double value = point.measurement.value_s;
            points.push_back({point.measurement.argument, value, bar.low > 0 ? bar.low : value,
                              bar.high > 0 ? bar.high : value});
        }
        if (points.empty())
            continue;
        Json jumps = Json::array();
        for (const CostJump& jump : curve_model(curve).jumps)
            jumps.push_back({jump.after, jump.before});
        suites.push_back({{"key", key_of(curve)},
                          {"name", shortened(suite.name, 90)},
                          {"operation", shortened(suite.operation.name, 90)},
                          {"varied", std::string(to_text(suite.varied))},
                          {"over", argument_title(curve)},
                          {"quantity", known_quantity(curve)},
                          {"bytes", suite.varied == Varied::message_length},
                          {"log", on_log_scale(suite)},
                          {"points", std::move(points)},
                          {"jumps", std::move(jumps)}});
    }
    Json json = row_json(row);
    json["suites"] = std::move(suites);
    return fmt::format("skampiLoaded({});\n", in_script(json));
}

std::string pages_made_by() {
    constexpr int form = 9; // raised when a page changes by its own code
    return fmt::format("skampi-report " SKAMPI_VERSION " form {} {} {}", form, embedded::page_script_hash,
                       embedded::page_style_hash);
}

} // namespace skampi
