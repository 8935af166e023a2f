// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/run_table.hpp"

#include "base/text.hpp"
#include "base/text_columns.hpp"
#include "base/utf8.hpp"
#include "contest/estimate.hpp"
#include "model/launch_command.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace skampi {
namespace {

constexpr int digits = 3;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double us_per_s = 1e6;
constexpr std::size_t gap = 2;
constexpr const char* doubtful = "?"; // behind a value that is flagged

const SuiteRow header_row{"Suite", "From", "To", "Bandwidth", "Std. error", "Flagged"};
/// "128 KiB  13.1 µs?": a longer text crosses its column.
constexpr std::array<std::size_t, 6> number_widths{0, 17, 17, 9, 10, 9};

std::string argument_text(const Suite& suite, const Measurement& m) {
    switch (suite.varied) {
    case Varied::message_length:
        return format_bytes(m.message_bytes) + "  ";
    case Varied::nodes:
        return count_of(m.ranks, "rank") + "  ";
    case Varied::chunks:
        return count_of(m.chunks, "chunk") + "  ";
    case Varied::argument: {
        const std::string& unit = suite.operation.argument_unit;
        return std::to_string(m.argument) + (unit.empty() ? "" : " " + printable(shortened(unit, 20))) + "  ";
    }
    case Varied::none:
        break;
    }
    return {};
}

std::string end_text(const Suite& suite, const Measurement& m) {
    return argument_text(suite, m) + value_text(m, TimeUnit::automatic, 1, digits) +
           (m.flags != 0 ? doubtful : "");
}

/// Of one single measurement only the overhead's error is known, which would look too precise.
bool has_repeatability(const Measurement& m) {
    return above_zero(m) && m.summary.count > 1 && std::isfinite(m.standard_error_s);
}

/// In bytes per second, of one direction; not a number = the operation has none, or no time.
double bandwidth(const Suite& suite, const Measurement& m) {
    const double bytes =
        m.messages / directions_of(suite.operation.meaning) * static_cast<double>(m.message_bytes);
    return bytes > 0 && above_zero(m) ? bytes / m.value_s : no_number;
}

/// The median over the values of their relative standard errors within the run; empty where none is known.
std::string error_text(const std::vector<const Measurement*>& found) {
    std::vector<double> errors;
    for (const Measurement* m : found)
        if (has_repeatability(*m))
            errors.push_back(m->standard_error_s / m->value_s);
    return errors.empty() ? std::string() : format_percent(skalib::median(std::move(errors)));
}

std::vector<Measurement> finished_of(const Database& database, SuiteId suite) {
    std::vector<Measurement> finished;
    for (StoredMeasurement& each : database.measurements(suite))
        if (each.finished)
            finished.push_back(std::move(each.measurement));
    return finished;
}

/// A text as one word of a line.
std::string word_of(const std::string& text) {
    std::string word = printable(text);
    std::ranges::replace(word, ' ', '_');
    return word.empty() ? "none" : word;
}

std::string fitted(const std::string& text, std::size_t width) {
    constexpr std::size_t ellipsis = 3;
    return character_count(text) <= width ? text : shortened(text, width - ellipsis);
}

std::string words(Flag flag) {
    if (flag == Flag::not_repeatable)
        return "not repeatable"; // elsewhere the files' word is for errors between launches
    std::string text = flag_words(static_cast<Flags>(flag));
    std::ranges::replace(text, '_', ' ');
    return text;
}

/// A remedy for a flag, and whether it is to bind the ranks.
struct Remedy {
    std::string text;
    bool binds = false;
};

Remedy remedy(Flag flag, const Binding& binding) {
    const bool crowded = binding.crowded;
    const Remedy fewer_ranks = {"start no more ranks than there are cores"};
    switch (flag) {
    case Flag::timed_out:
        return crowded ? fewer_ranks : Remedy{"give the suites more time (Time_Suite)"};
    case Flag::not_repeatable:
        return {"allow more repetitions (Max_Repetition), or end other work on this machine"};
    case Flag::disturbed:
        if (crowded)
            return fewer_ranks;
        return {binding.threads ? "bind each rank to a core of its own, or start fewer ranks"
                                : "end other work on this machine, and bind each rank to a core",
                true};
    case Flag::several_modes:
        return {"bind each rank to a core", true};
    case Flag::unsynchronised:
        return crowded ? fewer_ranks
                       : Remedy{"end other work on this machine: ranks could not begin at agreed times"};
    case Flag::unreliable:
        return {"end other work on this machine: what measuring costs is not known, or as large as the time"};
    case Flag::wrong_result:
        return {"the library delivered wrong data: update it, or report it to its developers"};
    default:
        return {};
    }
}

struct FlagCounts {
    std::map<Flag, std::int64_t> flags;
    std::int64_t values = 0;
    bool halves = false; ///< there is a ping-pong
    /// Names of the suites that combine numbers, by datatype and operator.
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> reductions;
    bool errors = false; ///< an error is known
};

FlagCounts counts_of(const Database& database, RunId run) {
    FlagCounts counts;
    for (const StoredSuite& stored : database.suites(run)) {
        const std::vector<Measurement> finished = finished_of(database, stored.id);
        std::vector<const Measurement*> found;
        for (const Measurement& m : finished) {
            for (const Flag flag : all_flags())
                counts.flags[flag] += has(m.flags, flag) ? 1 : 0;
            if (has_value(m))
                found.push_back(&m);
        }
        if (!finished.empty() && !stored.suite.reduction.empty())
            counts.reductions[{stored.suite.datatype, stored.suite.reduction}].push_back(
                printable(stored.suite.name));
        counts.values += std::ssize(finished);
        counts.errors = counts.errors || !error_text(found).empty();
        counts.halves =
            counts.halves || (stored.suite.operation.meaning == Meaning::round_trip && !finished.empty());
    }
    return counts;
}

} // namespace

SuiteRow suite_row(const Database& database, const StoredSuite& stored) {
    const Suite& suite = stored.suite;
    const std::vector<Measurement> finished = finished_of(database, stored.id);
    std::vector<const Measurement*> found;
    std::int64_t flagged = 0;
    for (const Measurement& m : finished) {
        flagged += m.flags != 0 ? 1 : 0;
        if (has_value(m))
            found.push_back(&m);
    }
    SuiteRow row{printable(suite.name)};
    if (found.empty() || stored.state == SuiteState::failed) {
        row[1] = stored.state == SuiteState::finished ? "no value"
                 : stored.reason.empty()
                     ? std::string(to_text(stored.state))
                     : fmt::format("{}: {}", to_text(stored.state), printable(stored.reason));
        return row;
    }
    const auto [smallest, largest] =
        std::ranges::minmax(found, {}, [](const Measurement* m) { return m->argument; });
    row[1] = end_text(suite, *smallest);
    if (found.size() > 1)
        row[2] = end_text(suite, *largest);
    if (const double found_bandwidth = bandwidth(suite, *largest); std::isfinite(found_bandwidth))
        row[3] = format_bandwidth(found_bandwidth, digits);
    row[4] = error_text(found);
    row[5] = fmt::format("{} of {}", flagged, finished.size());
    return row;
}

std::string point_header() {
    return "suite argument value_us low_us high_us bandwidth flags error";
}

std::string point_line(const Suite& suite, const Measurement& m, double low_s, double high_s,
                       std::string_view error) {
    return fmt::format("{} {} {:.6g} {:.6g} {:.6g} {:.6g} {} {}", word_of(suite.name),
                       suite.varied == Varied::none ? "nan" : std::to_string(m.argument),
                       us_per_s * (has_value(m) ? m.value_s : no_number), us_per_s * low_s, us_per_s * high_s,
                       bandwidth(suite, m), m.flags == 0 ? "none" : flag_words(m.flags), error);
}

std::string state_line(const StoredSuite& suite) {
    return fmt::format("{} nan nan nan nan nan {} none", word_of(suite.suite.name),
                       word_of(std::string(to_text(suite.state))));
}

SuiteResult suite_result(const Database& database, const StoredSuite& suite) {
    SuiteResult result{suite.ordinal + 1, suite_row(database, suite), {}};
    for (const Measurement& m : finished_of(database, suite.id)) {
        const bool known = has_value(m) && has_repeatability(m);
        result.lines.push_back(
            point_line(suite.suite, m, known ? std::max(0.0, m.value_s - m.standard_error_s) : no_number,
                       known ? m.value_s + m.standard_error_s : no_number, known ? "repeatability" : "none"));
    }
    if (result.lines.empty() || suite.state == SuiteState::failed)
        result.lines.push_back(state_line(suite));
    return result;
}

RunTable::RunTable(std::size_t longest_name, int columns)
    : room_(static_cast<std::size_t>(std::max(columns, 1)))
    , widths_(number_widths.begin(), number_widths.end()) {
    constexpr std::size_t shortest_name = 12;
    constexpr std::size_t recognisable_name = 24;
    std::size_t others = 0;
    for (std::size_t i = 1; i < widths_.size(); ++i)
        others += gap + widths_[i];
    names_beside_ = std::min(longest_name, recognisable_name) + others <= room_;
    in_a_line_ = others <= room_; // their gaps make the indentation
    widths_[0] = std::min(longest_name, std::max(shortest_name, names_beside_ ? room_ - others : room_));
}

std::string RunTable::line_of(const SuiteRow& row, std::size_t first) const {
    const std::span<const std::string> cells = std::span(row).subspan(first);
    return aligned_line(cells,
                        {.widths = {widths_.begin() + static_cast<std::ptrdiff_t>(first), widths_.end()},
                         .gap = gap}) +
           "\n";
}

std::string RunTable::header() const {
    if (names_beside_)
        return line_of(header_row, 0);
    return in_a_line_ ? header_row[0] + "\n" + std::string(gap, ' ') + line_of(header_row, 1) : std::string();
}

std::string RunTable::lines(SuiteRow row, int place) const {
    constexpr std::size_t shortest_name = 12;
    const std::string number = fmt::format(" #{}", place);
    if (character_count(row[0]) > widths_[0])
        row[0] = shortened_name(row[0], widths_[0] - std::min(widths_[0], number.size())) + number;
    const bool is_message = row.back().empty(); // it may cross its column
    const std::size_t before = names_beside_ ? widths_[0] + gap : gap;
    if (is_message)
        row[1] = fitted(row[1], std::max(shortest_name, room_ - std::min(room_, before)));
    const std::string indent(gap, ' ');
    const std::string line = names_beside_ ? line_of(row, 0) : indent + line_of(row, 1);
    if (in_a_line_ && (is_message || character_count(line) <= room_ + 1)) // with its end
        return (names_beside_ ? "" : row[0] + "\n") + line;
    std::string text = row[0] + "\n";
    for (std::size_t cell = 1; cell < row.size(); ++cell)
        if (!row[cell].empty())
            text += indent + (cell + 2 == row.size() ? "std. error " : "") + row[cell] +
                    (cell + 1 == row.size() ? " flagged" : "") + "\n";
    return text;
}

std::string run_title(const Run& run, const std::string& database) {
    const auto library = run.facts.find("mpi library, short");
    std::set<std::string> hosts;
    for (const RankFacts& rank : run.rank_facts)
        hosts.insert(rank.processor);
    const std::string where =
        hosts.size() == 1 ? printable(*hosts.begin()) : count_of(std::ssize(hosts), "host");
    if (run.mpi_library == library_without_mpi)
        return fmt::format("{}, into {}", where, printable(database));
    return fmt::format("{}, {} on {}, into {}",
                       printable(library != run.facts.end() ? library->second : run.mpi_library),
                       count_of(run.ranks, "rank"), where, printable(database));
}

std::string run_footer(const Database& database, const std::string& run, int columns) {
    const std::vector<RunId> runs = database.runs();
    const auto id = std::ranges::find(runs, run, [&](RunId each) { return database.run(each).uuid; });
    if (id == runs.end())
        return {};
    const FlagCounts counts = counts_of(database, *id);
    const Run facts = database.run(*id);
    std::string text;
    const auto add = [&](const std::string& sentence) {
        for (const std::string& line : wrapped(sentence, static_cast<std::size_t>(std::max(columns, 1))))
            text += line + "\n";
    };
    if (counts.halves)
        add("Ping-pong: the time is that of a round trip, the bandwidth that of one direction.");
    for (const auto& [combined, suites] : counts.reductions)
        add(fmt::format("{} combine{} {} with {}.", enumeration(suites), suites.size() == 1 ? "s" : "",
                        combined.first, combined.second));
    if (facts.ranks == 1)
        add("One rank: no message leaves it. Start two or more to measure communication.");
    std::vector<std::string> flagged;
    for (const auto& [flag, count] : counts.flags)
        if (count > 0)
            flagged.push_back(fmt::format("{} {}", count, words(flag)));
    bool bound = false;
    if (!flagged.empty()) {
        const auto most =
            std::ranges::max_element(counts.flags, {}, [](const auto& each) { return each.second; });
        const Remedy help = remedy(most->first, binding_of(facts.rank_facts));
        add(fmt::format(
            "Flagged ({}): {} of {}.{}", doubtful, enumeration(flagged), count_of(counts.values, "value"),
            help.text.empty() ? "" : fmt::format(" Against {}: {}.", words(most->first), help.text)));
        bound = help.binds;
    }
    const auto launches = static_cast<std::size_t>(
        std::ranges::count(runs, facts.plan_hash, [&](RunId each) { return database.run(each).plan_hash; }));
    std::string more;
    if (counts.errors && !facts.facts.contains(fact_simulation)) {
        add("Std. error: of a value within this launch (the suite's median); launches differ by more.");
        if (launches < launches_needed)
            if (const std::string command =
                    launch_command(facts, facts.ranks, launches_needed - launches, database.path(), bound);
                !command.empty())
                more =
                    fmt::format("Error between launches, {} more: {}\n", launches_needed - launches, command);
    }
    return text + more +
           fmt::format("All values:    skampi-report {0} --full\n"
                       "As a document: skampi-report {0} -o report.pdf\n",
                       as_typed(database.path()));
}

} // namespace skampi
