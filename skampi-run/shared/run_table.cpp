#include "shared/run_table.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace skampi {
namespace {

constexpr int digits = 3;

struct SuiteResult {
    std::optional<ResultRow> smallest, largest;
    std::int64_t points = 0;
    std::int64_t flagged = 0;
};

using Row = std::array<std::string, 5>; // suite, smallest, largest, bandwidth, flagged

std::string argument_text(const ResultRow& row) {
    switch (row.suite.varied) {
    case Varied::message_length:
        return format_bytes(row.measurement.message_bytes) + "  ";
    case Varied::nodes:
        return count_of(row.measurement.ranks, "rank") + "  ";
    case Varied::chunks:
        return count_of(row.measurement.chunks, "chunk") + "  ";
    case Varied::none:
        break;
    }
    return {};
}

std::string value_text(const ResultRow& row) {
    const Measurement& m = row.measurement;
    std::string text = argument_text(row) + format_measured(m.value_s, digits);
    // Of one single measurement only the overhead's error is known, which would look like certainty.
    if (m.value_s > 0 && m.summary.count > 1 && std::isfinite(m.standard_error_s))
        text += " ± " + format_percent(m.standard_error_s / m.value_s);
    return text;
}

Row row_of(const StoredSuite& stored, const SuiteResult& result) {
    Row row{stored.suite.name};
    if (!result.smallest) {
        row[1] = stored.state == SuiteState::finished
                     ? "no value"
                     : fmt::format("{}: {}", to_text(stored.state), stored.reason);
        return row;
    }
    row[1] = value_text(*result.smallest);
    if (result.points > 1)
        row[2] = value_text(*result.largest);
    if (result.largest->bandwidth > 0)
        row[3] = format_bandwidth(result.largest->bandwidth, digits);
    row[4] = fmt::format("{} of {}", result.flagged, result.points);
    return row;
}

std::string fitted(const std::string& text, std::size_t width) {
    constexpr std::size_t ellipsis = 3;
    return character_count(text) <= width ? text : shortened(text, width - ellipsis);
}

/// Cut so that no two of them, which are different, look the same: where that cannot be seen otherwise, by
/// their places in the list.
std::vector<std::string> cut_apart(const std::vector<std::string>& names, std::size_t width) {
    std::map<std::string, int> seen;
    std::vector<std::string> cut;
    for (const std::string& name : names)
        ++seen[cut.emplace_back(shortened_name(name, width))];
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (seen[cut[i]] == 1)
            continue;
        const std::string place = fmt::format(" #{}", i + 1);
        cut[i] = shortened_name(names[i], width - place.size()) + place;
    }
    return cut;
}

std::string table_text(std::vector<Row> rows, int columns) {
    constexpr std::size_t gap = 2;
    constexpr std::size_t shortest_name = 12;
    rows.insert(rows.begin(), {"Suite", "Smallest", "Largest", "Bandwidth", "Flagged"});
    std::array<std::size_t, std::tuple_size_v<Row>> widths{};
    const auto is_message = [](const Row& row) { return row.back().empty(); }; // it may cross its column
    for (const Row& row : rows)
        for (std::size_t i = 0; i < (is_message(row) ? 1 : row.size()); ++i)
            widths[i] = std::max(widths[i], character_count(row[i]));
    std::size_t others = 0;
    for (std::size_t i = 1; i < widths.size(); ++i)
        others += gap + widths[i];
    const auto room = static_cast<std::size_t>(std::max(columns, 1));
    widths[0] = std::min(widths[0], std::max(shortest_name, room > others ? room - others : 0));
    std::vector<std::string> names;
    for (std::size_t i = 1; i < rows.size(); ++i)
        names.push_back(rows[i][0]);
    names = cut_apart(names, widths[0]);
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row& row = rows[i];
        if (i > 0)
            row[0] = names[i - 1];
        if (is_message(row))
            row[1] = fitted(row[1], std::max(shortest_name, room - std::min(room, widths[0] + gap)));
        std::string line;
        for (std::size_t cell = 0; cell < row.size(); ++cell) {
            const std::size_t width = character_count(row[cell]);
            line += row[cell] + std::string(width < widths[cell] ? widths[cell] - width : 0, ' ');
            line += std::string(gap, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

/// "timed out"
std::string words(Flag flag) {
    std::string text = flag_words(static_cast<Flags>(flag));
    std::ranges::replace(text, '_', ' ');
    return text;
}

/// A file name as one types it in a shell.
std::string as_typed(const std::string& path) {
    const bool plain = std::ranges::all_of(path, [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("/._-+,:=@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    return plain && !path.empty() ? path : printable(for_shell(path));
}

} // namespace

std::string run_table(const Database& database, const std::string& run, int columns) {
    const std::vector<RunId> runs = database.runs();
    const auto id = std::ranges::find(runs, run, [&](RunId each) { return database.run(each).uuid; });
    if (id == runs.end())
        return {};
    std::map<std::string, SuiteResult> results; // by the name of the suite
    std::map<Flag, std::int64_t> flags;
    bool halves = false;
    database.for_each_result(
        [&](const ResultRow& row) {
            SuiteResult& suite = results[row.suite.name];
            ++suite.points;
            suite.flagged += row.measurement.flags != 0 ? 1 : 0;
            for (const Flag flag : all_flags())
                flags[flag] += has(row.measurement.flags, flag) ? 1 : 0;
            halves = halves || std::isfinite(row.half_round_trip_s);
            if (!std::isfinite(row.measurement.value_s))
                return;
            if (!suite.smallest)
                suite.smallest = row;
            suite.largest = row;
        },
        run);
    std::vector<Row> rows;
    for (const StoredSuite& stored : database.suites(*id)) {
        Row& row = rows.emplace_back(row_of(stored, results[stored.suite.name]));
        for (std::string& cell : row)
            cell = printable(cell);
    }
    std::string text = table_text(std::move(rows), columns);
    if (halves)
        text += "Of a ping-pong the time is that of the round trip, the bandwidth that of one direction.\n";
    std::vector<std::string> counts;
    for (const auto& [flag, count] : flags)
        if (count > 0)
            counts.push_back(fmt::format("{} {}", count, words(flag)));
    if (!counts.empty())
        text += fmt::format("Flagged values: {}. The report says what that means.\n", enumeration(counts));
    const std::string path = as_typed(database.path());
    return text +
           fmt::format("All values: skampi-report {0}    as a document: skampi-report {0} -o report.pdf\n",
                       path);
}

} // namespace skampi
