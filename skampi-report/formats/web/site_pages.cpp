#include "formats/web/site_pages.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "analysis/trust/value_error.hpp"
#include "document/sections/contest_section.hpp"
#include "document/sections/rivals.hpp"
#include "formats/web/html.hpp"
#include "html_embedded.hpp"
#include "launches/comparable.hpp"
#include "launches/library_name.hpp"
#include "words/contest_words.hpp"
#include "words/doubt_words.hpp"
#include "words/system_facts.hpp"
#include "words/value_words.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

/// In a script: ASCII only, so that no character ends a line where a text goes on.
std::string in_script(const Json& json) {
    return json.dump(-1, ' ', true);
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

/// The day of a moment, which is what a list is read by.
std::string day_of(const std::string& utc) {
    return utc.substr(0, 10);
}

/// "39 of 200"
std::string launches_cell(const SiteRow& row) {
    return row.launches < row.launches_made ? fmt::format("{} of {}", row.launches, row.launches_made)
                                            : std::to_string(row.launches);
}

Json row_json(const SiteRow& row) {
    return {{"name", row.name},
            {"label", to_valid_utf8(row.label)},
            {"machine", to_valid_utf8(row.machine)},
            {"library", to_valid_utf8(row.library)},
            {"hosts", to_valid_utf8(row.hosts)},
            {"ranks", row.ranks},
            {"measured", to_valid_utf8(day_of(row.started_utc))},
            {"launches", launches_cell(row)}};
}

std::string cell(const std::string& text, const char* kind = "text") {
    return fmt::format("<td class=\"{}\">{}</td>", kind, for_html(text));
}

/// Why a reader should not rely on a value or a run: behind it, in the words of the report.
std::string in_doubt(const std::string& doubts) {
    return doubts.empty() ? "" : fmt::format(" <span class=\"doubts\">({})</span>", for_html(doubts));
}

std::string headline_cell(const std::string& value, const std::string& doubts) {
    return fmt::format("<td class=\"number\">{}{}</td>", for_html(value), in_doubt(doubts));
}

/// How two databases' suites are matched (matching_curve): same name, operation and variation.
std::string key_of(const Curve& curve) {
    const Suite& suite = curve.suite();
    return to_valid_utf8(suite.name + "\n" + suite.operation.name + "\n" +
                         std::string(to_text(suite.varied)));
}

/// Paragraphs and tables, which is what comparisons say; figures the page draws itself.
Json blocks_json(const std::vector<Block>& blocks) {
    Json list = Json::array();
    for (const Block& block : blocks) {
        if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
            list.push_back({{"text", to_valid_utf8(paragraph->text)},
                            {"command", to_valid_utf8(paragraph->command)},
                            {"warning", paragraph->tone == Tone::warning}});
        } else if (const auto* table = std::get_if<Table>(&block)) {
            Json columns = Json::array();
            for (std::size_t i = 0; i < table->header.size(); ++i)
                columns.push_back({to_valid_utf8(table->header[i]), column_class(table->columns[i])});
            Json rows = Json::array();
            for (const auto& row : table->rows) {
                Json cells = Json::array();
                for (const std::string& text : row)
                    cells.push_back(to_valid_utf8(text));
                rows.push_back(std::move(cells));
            }
            list.push_back({{"title", to_valid_utf8(table->title)},
                            {"columns", std::move(columns)},
                            {"rows", std::move(rows)}});
        }
    }
    return list;
}

} // namespace

std::string history_page_name(const RunRecord& record) {
    const std::string end = "\n";
    const std::uint32_t hash = Fnv1a()
                                   .add(record.machine + end)
                                   .add(record.variant + end)
                                   .add(record.plan_hash + end)
                                   .add(static_cast<std::uint64_t>(record.ranks))
                                   .folded();
    return for_file_name(fmt::format(
        "{}-{}-{:08x}", record.machine.empty() ? "runs" : shortened(record.machine, 40), record.ranks, hash));
}

std::string history_title(const HistorySeries& series) {
    std::string machine = series.machine;
    if (const auto& facts = series.runs.back().facts; machine.empty() && facts.contains("Hosts"))
        machine = facts.at("Hosts");
    return fmt::format("{}, {}{}", machine.empty() ? "no machine named" : shortened(printable(machine), 60),
                       count_of(series.ranks, "rank"),
                       series.variant.empty() ? "" : ", " + shortened(printable(series.variant), 40));
}

SiteRow site_row(const Subject& subject) {
    SiteRow row;
    row.database = subject.path;
    if (subject.run) {
        const Run& run = *subject.run;
        row.hosts = shortened(hosts_in_short(run), 60);
        row.machine = shortened(run.machine.empty() ? run.host : run.machine, 60);
        row.library = shortened(library_name(run), 60);
        row.ranks = run.ranks;
        row.started_utc = run.started_utc;
        row.ended_utc = run.ended_utc;
        row.doubts = doubts_text(run_doubts(subject));
    }
    const Trust trust = assess(subject);
    row.launches = static_cast<std::int64_t>(trust.launches);
    row.launches_made = static_cast<std::int64_t>(std::max(trust.launches, trust.launches_merged));
    row.points = trust.points;
    row.settled = trust.settled + trust.unsettled > 0 ? trust.settled : -1;
    for (const Curve& curve : subject.curves)
        row.suites += curve.points.empty() ? 0 : 1;
    for (const Headline& headline : headlines(subject)) {
        if (headline.kind == HeadlineKind::latency) {
            row.latency = headline_value_at(headline);
            row.latency_doubts = headline_doubt(headline);
        }
        if (headline.kind == HeadlineKind::peak_bandwidth) {
            row.bandwidth = headline_value_at(headline);
            row.bandwidth_doubts = headline_doubt(headline);
        }
    }
    return row;
}

std::string index_page(const std::string& title, const std::vector<SiteRow>& rows,
                       const std::vector<SiteHistory>& histories) {
    std::string text = fmt::format("<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n", for_html(title),
                                   count_of(rows.size(), "result"));
    text += "<main>\n<div id=\"controls\" class=\"controls\"></div>\n"
            "<div class=\"scroll\" tabindex=\"0\"><table id=\"results\">\n<thead><tr>";
    for (const auto& [name, kind] :
         std::initializer_list<std::pair<const char*, const char*>>{{"result", "text"},
                                                                    {"machine", "text"},
                                                                    {"MPI library", "text"},
                                                                    {"ranks", "number"},
                                                                    {"measured", "text"},
                                                                    {"launches", "number"},
                                                                    {"latency", "number"},
                                                                    {"peak bandwidth", "number"},
                                                                    {"settled", "number"}})
        text += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", kind, name);
    text += "</tr></thead>\n<tbody>\n";
    for (const SiteRow& row : rows) {
        text += fmt::format(
            "<tr data-name=\"{0}\"><td class=\"text\"><a href=\"results/{0}.html\">{1}</a>{2}{3}{4}</td>",
            row.name, for_html(row.label),
            row.gone ? " <span class=\"gone\">(its database is gone)</span>" : "", in_doubt(row.doubts),
            row.answer.empty() ? "" : fmt::format(" <span class=\"answer\">{}</span>", for_html(row.answer)));
        text +=
            cell(row.machine) + cell(row.library) +
            cell(row.ranks > 0 ? std::to_string(row.ranks) : "", "number") + cell(day_of(row.started_utc)) +
            cell(launches_cell(row), "number") + headline_cell(row.latency, row.latency_doubts) +
            headline_cell(row.bandwidth, row.bandwidth_doubts) +
            cell(row.settled < 0 ? std::string("unknown") : fmt::format("{} of {}", row.settled, row.points),
                 "number") +
            "</tr>\n";
    }
    text += "</tbody></table></div>\n<p id=\"found\" class=\"note\" aria-live=\"polite\"></p>\n";
    if (!histories.empty()) {
        text += "<h2>Over time</h2>\n<ul id=\"histories\">\n";
        for (const SiteHistory& each : histories) {
            const bool alone = std::ranges::count(histories, each.title, &SiteHistory::title) == 1;
            text += fmt::format(
                "<li><a href=\"history/{}.html\">{}{}</a>: {}</li>\n", each.name, for_html(each.title),
                alone ? "" : ", plan " + for_html(shortened(printable(each.plan), 8)), for_html(each.answer));
        }
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
        "<code>skampi-report A.db B.db -o comparison.html</code> shows the same, and more, without it.</p></noscript>\n"
        "<div id=\"controls\" class=\"controls\"></div>\n<main id=\"comparison\"></main>\n";
    return html_shell({"Comparison: " + title,
                       std::move(text),
                       fmt::format("<script src=\"results.js\"></script>\n<script>{}</script>\n",
                                   embedded::comparison_script),
                       {embedded::comparison_script_hash},
                       true});
}

std::string results_script(const std::vector<SiteRow>& rows,
                           const std::map<std::string, std::vector<std::string>>& judged) {
    Json list = Json::array();
    for (const SiteRow& row : rows)
        list.push_back(row_json(row));
    return "const skampiResults = " + in_script(list) + ";\nconst skampiJudged = " + in_script(Json(judged)) +
           ";\n";
}

std::string judgement_script(const std::string& reference, const std::string& other, const Contest& contest) {
    Json suites = Json::array();
    for (const SuiteContest& suite : contest.suites) {
        if (!suite.compared())
            continue;
        Json points = Json::array();
        for (const Statement* point : suite.of_kind(Place::Kind::point))
            if (std::isfinite(point->ratio))
                points.push_back({point->place.from, point->ratio,
                                  point->judged() ? point->low : point->ratio,
                                  point->judged() ? point->high : point->ratio});
        suites.push_back({{"reference", key_of(*suite.reference)},
                          {"other", key_of(*suite.subject)},
                          {"blocks", blocks_json(suite_statement(contest, suite))},
                          {"points", std::move(points)}});
    }
    Json blocks = blocks_json(comparison_statement(contest).blocks);
    const TextAndCommand answer = comparison_answer({contest.reference, contest.subject}, {&contest, 1});
    blocks.front()["text"] = to_valid_utf8(answer.text);
    blocks.front()["command"] = to_valid_utf8(answer.command);
    const Json json{
        {"reference", reference},
        {"other", other},
        {"labels", {to_valid_utf8(contest.reference->label), to_valid_utf8(contest.subject->label)}},
        {"blocks", std::move(blocks)},
        {"method", to_valid_utf8(contest_note(contest))},
        {"suites", std::move(suites)}};
    return fmt::format("skampiCompared({});\n", in_script(json));
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
                          {"name", to_valid_utf8(shortened(suite.name, 90))},
                          {"varied", to_valid_utf8(to_text(suite.varied))},
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
    constexpr int form = 7; // raised when a page changes by its own code
    return fmt::format("skampi-report " SKAMPI_VERSION " form {} {} {}", form, embedded::page_script_hash,
                       embedded::page_style_hash);
}

} // namespace skampi
