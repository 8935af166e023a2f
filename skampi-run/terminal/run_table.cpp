#include "terminal/run_table.hpp"

#include "analysis/mean_difference.hpp"
#include "base/text.hpp"
#include "base/text_columns.hpp"
#include "base/utf8.hpp"
#include "model/launch_command.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace skampi {
namespace {

constexpr int digits = 3;
constexpr std::size_t gap = 2;

using Row = std::array<std::string, 6>; // suite, smallest, largest, bandwidth, repeatability, flagged

std::string argument_text(const Suite& suite, const Measurement& m) {
    switch (suite.varied) {
    case Varied::message_length:
        return format_bytes(m.message_bytes) + "  ";
    case Varied::nodes:
        return count_of(m.ranks, "rank") + "  ";
    case Varied::chunks:
        return count_of(m.chunks, "chunk") + "  ";
    case Varied::none:
        break;
    }
    return {};
}

std::string end_text(const Suite& suite, const Measurement& m) {
    return argument_text(suite, m) + value_text(m, TimeUnit::automatic, 1, digits);
}

/// The median over the values of their relative standard errors within the run; empty where none is known.
std::string repeatability_text(const std::vector<const Measurement*>& found) {
    std::vector<double> errors;
    for (const Measurement* m : found)
        // Of one single measurement only the overhead's error is known, which would look like certainty.
        if (above_zero(*m) && m->summary.count > 1 && std::isfinite(m->standard_error_s))
            errors.push_back(m->standard_error_s / m->value_s);
    return errors.empty() ? std::string() : format_percent(skalib::median(std::move(errors)));
}

/// @param finished measurements of the suite
Row row_of(const StoredSuite& stored, const std::vector<Measurement>& finished) {
    const Suite& suite = stored.suite;
    std::vector<const Measurement*> found;
    std::int64_t flagged = 0;
    for (const Measurement& m : finished) {
        flagged += m.flags != 0 ? 1 : 0;
        if (has_value(m))
            found.push_back(&m);
    }
    Row row{suite.name};
    if (found.empty()) {
        row[1] = stored.state == SuiteState::finished ? "no value"
                 : stored.reason.empty()              ? std::string(to_text(stored.state))
                                         : fmt::format("{}: {}", to_text(stored.state), stored.reason);
        return row;
    }
    const auto [smallest, largest] =
        std::ranges::minmax(found, {}, [](const Measurement* m) { return m->argument; });
    row[1] = end_text(suite, *smallest);
    if (found.size() > 1)
        row[2] = end_text(suite, *largest);
    const double bytes = largest->messages / directions_of(suite.operation.meaning) *
                         static_cast<double>(largest->message_bytes);
    if (bytes > 0 && above_zero(*largest))
        row[3] = format_bandwidth(bytes / largest->value_s, digits);
    row[4] = repeatability_text(found);
    row[5] = fmt::format("{} of {}", flagged, finished.size());
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

std::string line_of(std::span<const std::string> cells, std::span<const std::size_t> widths) {
    return aligned_line(cells, {.widths = {widths.begin(), widths.end()}, .gap = gap}) + "\n";
}

/// A suite a line; where its name could not be recognised beside the values, above them; where they do not
/// fit into a line either, each on its own.
std::string table_text(const std::vector<Row>& rows, int columns) {
    constexpr std::size_t shortest_name = 12;
    constexpr std::size_t recognisable_name = 24;
    const Row header{"Suite", "Smallest", "Largest", "Bandwidth", "Repeatability", "Flagged"};
    const auto is_message = [](const Row& row) { return row.back().empty(); }; // it may cross its column
    // Words in the place of a number make no column wider than numbers are; they may cross it.
    constexpr std::size_t longest_number = 18; // "128 KiB  13.1 µs"
    const auto in_words = [](const Row& row) {
        return std::max(character_count(row[1]), character_count(row[2])) > longest_number;
    };
    std::vector<std::size_t> widths;
    widen(widths, header);
    for (const Row& row : rows)
        widen(widths, std::span(row).first(is_message(row) || in_words(row) ? 1 : row.size()));
    std::size_t others = 0;
    for (std::size_t i = 1; i < widths.size(); ++i)
        others += gap + widths[i];
    const auto room = static_cast<std::size_t>(std::max(columns, 1));
    const bool names_beside = std::min(widths[0], recognisable_name) + others <= room;
    const bool in_a_line = others <= room; // their gaps make the indentation
    widths[0] = std::min(widths[0], std::max(shortest_name, names_beside ? room - others : room));
    std::vector<std::string> names;
    for (const Row& row : rows)
        names.push_back(row[0]);
    names = cut_apart(names, widths[0]);
    const std::string indent(gap, ' ');
    const auto beside = [&](const Row& row) { return line_of(row, widths); };
    const auto below = [&](const Row& row) {
        return indent + line_of(std::span(row).subspan(1), std::span(widths).subspan(1));
    };
    std::string text = names_beside ? beside(header)
                       : in_a_line  ? header[0] + "\n" + below(header)
                                    : std::string();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row row = rows[i];
        row[0] = names[i];
        const std::size_t before = names_beside ? widths[0] + gap : gap;
        if (is_message(row))
            row[1] = fitted(row[1], std::max(shortest_name, room - std::min(room, before)));
        const std::string line = names_beside ? beside(row) : below(row);
        const bool fits = character_count(line) <= room + 1; // with its end
        if (in_a_line && (is_message(row) || fits)) {
            text += (names_beside ? "" : row[0] + "\n") + line;
            continue;
        }
        text += row[0] + "\n";
        for (std::size_t cell = 1; cell < row.size(); ++cell)
            if (!row[cell].empty())
                text += indent + (cell + 2 == row.size() ? "repeatability " : "") + row[cell] +
                        (cell + 1 == row.size() ? " flagged" : "") + "\n";
    }
    return text;
}

/// "timed out"
std::string words(Flag flag) {
    if (flag == Flag::not_repeatable)
        return "not repeatable"; // the files' word is of errors between launches elsewhere
    std::string text = flag_words(static_cast<Flags>(flag));
    std::ranges::replace(text, '_', ' ');
    return text;
}

} // namespace

std::string run_table(const Database& database, const std::string& run, int columns) {
    const std::vector<RunId> runs = database.runs();
    const auto id = std::ranges::find(runs, run, [&](RunId each) { return database.run(each).uuid; });
    if (id == runs.end())
        return {};
    std::map<Flag, std::int64_t> flags;
    bool halves = false;
    std::vector<Row> rows;
    for (const StoredSuite& stored : database.suites(*id)) {
        std::vector<Measurement> finished;
        for (StoredMeasurement& each : database.measurements(stored.id))
            if (each.finished)
                finished.push_back(std::move(each.measurement));
        for (const Measurement& m : finished)
            for (const Flag flag : all_flags())
                flags[flag] += has(m.flags, flag) ? 1 : 0;
        halves = halves || (stored.suite.operation.meaning == Meaning::round_trip && !finished.empty());
        Row& row = rows.emplace_back(row_of(stored, finished));
        for (std::string& cell : row)
            cell = printable(cell);
    }
    std::string text = table_text(rows, columns);
    const bool repeatable = std::ranges::any_of(rows, [](const Row& row) { return !row[4].empty(); });
    const auto tell = [&](const std::string& sentence) {
        for (const std::string& line : wrapped(sentence, static_cast<std::size_t>(std::max(columns, 1))))
            text += line + "\n";
    };
    if (halves)
        tell("Ping-pong: the time is that of a round trip, the bandwidth that of one direction.");
    std::vector<std::string> counts;
    for (const auto& [flag, count] : flags)
        if (count > 0)
            counts.push_back(fmt::format("{} {}", count, words(flag)));
    if (!counts.empty())
        tell(fmt::format("Flagged values: {}. The report explains the flags.", enumeration(counts)));
    const Run facts = database.run(*id);
    const auto launches = static_cast<std::size_t>(
        std::ranges::count(runs, facts.plan_hash, [&](RunId each) { return database.run(each).plan_hash; }));
    std::string more;
    if (repeatable && !facts.facts.contains(fact_simulation)) {
        tell("Repeatability: standard error within this launch (median); launches differ by more.");
        if (launches < launches_needed)
            if (const std::string command =
                    launch_command(facts, facts.ranks, launches_needed, database.path());
                !command.empty())
                more = "Error between launches: " + command + "\n";
    }
    return text + more +
           fmt::format("All values:    skampi-report {0}\n"
                       "As a document: skampi-report {0} -o report.pdf\n",
                       as_typed(database.path()));
}

} // namespace skampi
