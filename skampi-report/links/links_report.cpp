// SPDX-License-Identifier: GPL-2.0-or-later
#include "links/links_report.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "document/figure_names.hpp"
#include "drawing/heat_map.hpp"
#include "formats/data/json_text.hpp"
#include "links/bisection.hpp"
#include "links/link_words.hpp"
#include "model/quantity.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace skampi {

namespace {

/// What is slow, of one length.
Table link_table(const LinkInput& input, const LengthFinding& finding) {
    Table table;
    table.header = {"what",
                    finding.is_latency() ? "latency × expected" : "bandwidth / expected",
                    "95 % over passes",
                    "slow pairs",
                    "again, other pairs",
                    "again, alone",
                    "verdict"};
    table.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::text, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    const auto shown = [&](const std::optional<double>& ratio) {
        return ratio ? fmt::format("{:.2f}", finding.shown(*ratio)) : std::string();
    };
    for (const SlowPart& part : finding.slow)
        table.rows.push_back({part_name(input, part), shown(part.ratio),
                              !(part.low < part.high) ? std::string()
                              : finding.is_latency()  ? shown(part.low) + " to " + shown(part.high)
                                                      : shown(part.high) + " to " + shown(part.low),
                              fmt::format("{}", part.slow_pairs), shown(part.together), shown(part.alone),
                              verdict_text(part.verdict)});
    return table;
}

/// @param names for a map of all pairs; null = a medium of characters, which cannot show one
Section section_of(const LinksShown& shown, const LengthFinding& finding, FigureNames* names) {
    Section section;
    section.title = fmt::format("Messages of {}", format_bytes(finding.message_bytes));
    section.blocks.emplace_back(
        Paragraph{fmt::format("{} in {}, measured while all others communicate in pairs, too.",
                              count_of(finding.pairs, "pair"), count_of(finding.passes, "pass", "passes"))});
    Table slow = link_table(shown.input, finding);
    if (std::ssize(shown.input.names) <= LinkLimits().least_partners)
        section.blocks.emplace_back(Paragraph{"Too few to call one slow."});
    else if (slow.rows.empty())
        section.blocks.emplace_back(Paragraph{"Nothing is slow."});
    else
        section.blocks.emplace_back(std::move(slow));
    if (names != nullptr)
        section.blocks.emplace_back(FigureBlock{
            heat_map(names->next(), shown.input, finding),
            finding.is_latency() ? "Latency of each pair as a multiple of the expected one; dark = slow"
                                 : "Bandwidth of each pair as a share of the expected one; dark = slow"});
    return section;
}

/// What was usual, and the slowest nodes, over the runs shown, oldest first.
Table history_of(const std::vector<LinksShown>& shown) {
    Table table;
    table.title =
        "What is usual between near nodes; and bandwidth / expected of the slowest nodes below 0.95";
    table.header = {"value, or node"};
    table.columns = {ColumnKind::text};
    std::map<std::string, std::vector<double>> of_node; // a ratio for each run
    for (std::size_t run = 0; run < shown.size(); ++run) {
        table.header.push_back(shown[run].run.started_utc);
        table.columns.push_back(ColumnKind::number);
        for (const LengthFinding& finding : shown[run].findings)
            for (std::size_t i = 0; i < finding.ratios.size() && !finding.is_latency(); ++i) {
                std::vector<double>& ratios = of_node[shown[run].input.names[i]];
                ratios.resize(shown.size(), std::nan(""));
                ratios[run] = finding.ratios[i];
            }
    }
    std::map<std::int64_t, std::vector<std::string>> usual; // by message length
    std::vector<std::string> bisections(shown.size());
    for (std::size_t run = 0; run < shown.size(); ++run) {
        for (const LengthFinding& finding : shown[run].findings) {
            std::vector<std::string>& row = usual[finding.message_bytes];
            row.resize(shown.size());
            row[run] = speed_words(finding, finding.classes.front().time_s);
        }
        if (const std::optional<Bisection> found = find_bisection(shown[run].input))
            bisections[run] = format_bandwidth(found->minimum);
    }
    const auto add = [&](std::string name, const std::vector<std::string>& values) {
        if (std::ranges::all_of(values, &std::string::empty))
            return;
        table.rows.push_back({std::move(name)});
        table.rows.back().insert(table.rows.back().end(), values.begin(), values.end());
    };
    for (const auto& [bytes, row] : usual)
        add(format_bytes(bytes), row);
    add("bisection, minimum", bisections);
    std::vector<std::pair<double, std::string>> slowest;
    for (const auto& [name, ratios] : of_node) {
        double most = 0;
        for (const double ratio : ratios)
            most = std::max(most, std::isnan(ratio) ? 0 : ratio);
        slowest.emplace_back(-most, name);
    }
    std::ranges::sort(slowest);
    constexpr std::size_t rows = 20;
    constexpr double least_shown = 1.05;
    slowest.resize(std::min(slowest.size(), rows));
    for (const auto& [most, name] : slowest) {
        if (-most < least_shown)
            break;
        table.rows.push_back({printable(name)});
        for (const double ratio : of_node[name])
            table.rows.back().push_back(std::isnan(ratio) ? "" : fmt::format("{:.2f}", 1 / ratio));
    }
    return table;
}

} // namespace

bool has_links(const std::string& path) {
    if (!is_database_file(path)) // what must be imported has no pairs
        return false;
    const Database database = Database::open(path);
    const std::vector<RunId> runs = database.runs();
    return !runs.empty() && !database.pair_maps(runs.back()).empty();
}

std::vector<LinksShown> read_links(const std::string& path) {
    const Database database = Database::open(path);
    std::vector<LinksShown> shown;
    for (const RunId id : database.runs()) {
        Run run = database.run(id);
        LinkInput input = link_input(run, database.pair_maps(id));
        if (input.maps.empty())
            continue;
        shown.push_back({path, std::move(run), std::move(input), {}});
        shown.back().findings = find_links(shown.back().input);
    }
    if (shown.empty())
        throw InputError(fmt::format("{}: holds no finished pass over pairs, expected a database of "
                                     "skampi-run links",
                                     printable(path)));
    return shown;
}

LinksSource::LinksSource(const std::vector<std::string>& databases, std::string title)
    : title_(std::move(title)) {
    for (const std::string& path : databases)
        std::ranges::move(read_links(path), std::back_inserter(shown_));
    std::ranges::stable_sort(shown_, {}, [](const LinksShown& shown) { return shown.run.started_utc; });
}

Document LinksSource::document(Medium medium) {
    const LinksShown& newest = shown_.back();
    LinkAnswer answer = link_answer(newest.input, newest.findings);
    Document document;
    document.cover.title = title_.empty() ? "Links between nodes" : title_;
    document.cover.subtitle = fmt::format("{}, {}", newest.run.mpi_library, newest.run.started_utc);
    document.cover.answer.text = std::move(answer.sum);
    document.cover.findings = std::move(answer.slow);
    document.cover.remarks = std::move(answer.facts);
    FigureNames names;
    const bool draws = medium == Medium::pages || medium == Medium::paper;
    if (shown_.size() > 1)
        document.sections.push_back(
            {.title = "Over time", .blocks = {history_of(shown_)}, .subsections = {}});
    for (const LengthFinding& finding : newest.findings)
        document.sections.push_back(section_of(newest, finding, draws ? &names : nullptr));
    return document;
}

std::string LinksSource::csv(std::size_t most_bytes) {
    std::string text = "database,started_utc,message_bytes,first,second,class,half_round_trip_s,ratio\n";
    for (const LinksShown& shown : shown_)
        for (const LengthFinding& finding : shown.findings) {
            const PairValues& ratios = finding.ratio_of_pair;
            for (int i = 0; i < ratios.members(); ++i)
                for (int j = i + 1; j < ratios.members(); ++j)
                    if (ratios(i, j) > 0)
                        text += fmt::format("{},{},{},{},{},{},{:.6g},{:.4f}\n", for_csv(shown.path),
                                            for_csv(shown.run.started_utc), finding.message_bytes,
                                            for_csv(shown.input.names[static_cast<std::size_t>(i)]),
                                            for_csv(shown.input.names[static_cast<std::size_t>(j)]),
                                            static_cast<int>(finding.class_of_pair(i, j)),
                                            finding.time_of_pair_s(i, j), ratios(i, j));
        }
    return text.size() > most_bytes ? std::string() : text;
}

std::string LinksSource::json() {
    using Json = nlohmann::ordered_json;
    Json json{{"format", "skampi-links"}, {"version", 1}, {"runs", Json::array()}};
    for (const LinksShown& shown : shown_) {
        Json run{{"database", shown.path},
                 {"started_utc", shown.run.started_utc},
                 {"members", shown.input.names},
                 {"bad_nodes", bad_nodes(shown.input, shown.findings)},
                 {"lengths", Json::array()}};
        if (const std::optional<Bisection> found = find_bisection(shown.input)) {
            run["bisection"] = {{"members", found->members}, {"message_bytes", bisection_bytes},
                                {"passes", found->passes},   {"minimum", found->minimum},
                                {"mean", found->mean},       {"maximum", found->maximum}};
            if (found->interval)
                run["bisection"].update({{"low", found->interval->low}, {"high", found->interval->high}});
        }
        for (const LengthFinding& finding : shown.findings) {
            Json length{{"message_bytes", finding.message_bytes},
                        {"passes", finding.passes},
                        {"pairs", finding.pairs},
                        {"time_ratios", finding.ratios}};
            length["slow"] = Json::array();
            for (const SlowPart& part : finding.slow) {
                constexpr std::array kinds{"node", "group", "pair"};
                std::vector<std::string> members;
                for (const int member : part.members)
                    members.push_back(shown.input.names[static_cast<std::size_t>(member)]);
                length["slow"].push_back({{"what", kinds[static_cast<std::size_t>(part.kind)]},
                                          {"members", members},
                                          {"time_ratio", part.ratio},
                                          {"verdict", verdict_text(part.verdict)}});
            }
            run["lengths"].push_back(std::move(length));
        }
        run["detours"] = Json::array();
        for (const CoreDetours& core : shown.input.detours)
            run["detours"].push_back({{"member", shown.input.names[static_cast<std::size_t>(core.rank)]},
                                      {"watched_s", core.watched_s},
                                      {"lost_s", core.lost_s},
                                      {"detours", core.detours},
                                      {"longest_s", core.longest_s}});
        json["runs"].push_back(std::move(run));
    }
    return json_text(json, 2) + "\n";
}

} // namespace skampi
