#include "store/import/reprompi.hpp"

#include "base/text.hpp"
#include "store/import/text_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace skampi {

namespace {

enum class Column {
    test,
    size,
    elements,
    repetition,
    total,
    valid,
    mean,
    median,
    minimum,
    maximum,
    run_time,
    process,
    local_start,
    local_end,
    global_start,
    global_end,
    error
};

Column column_of(const TextTable& table, const Word& title) {
    static constexpr auto titles = std::to_array<TitledColumn<Column>>({
        {"test", Column::test},
        {"msize", Column::size},
        {"msize_bytes", Column::size},
        {"count", Column::elements},
        {"nrep", Column::repetition},
        {"total_nrep", Column::total},
        {"valid_nrep", Column::valid},
        {"mean_sec", Column::mean},
        {"median_sec", Column::median},
        {"min_sec", Column::minimum},
        {"max_sec", Column::maximum},
        {"runtime_sec", Column::run_time},
        {"process", Column::process},
        {"loc_tstart_sec", Column::local_start},
        {"loc_tend_sec", Column::local_end},
        {"gl_tstart_sec", Column::global_start},
        {"gl_tend_sec", Column::global_end},
        {"errorcode", Column::error},
    });
    return column_titled<Column>(table, title, titles);
}

/// One repetition, of which each process has a row of its own.
struct Repetition {
    std::map<std::int64_t, double> process_s;                 ///< what each process took by its own clock
    double start_s = std::numeric_limits<double>::infinity(); ///< of the first, by the global clock
    double end_s = -std::numeric_limits<double>::infinity();  ///< of the last; before start_s = not told
    bool valid = true;

    [[nodiscard]] bool by_global_clock() const { return end_s >= start_s; }
};

/// What is said of one operation at one message size.
struct Rows {
    std::vector<double> run_times_s;
    std::map<std::int64_t, Repetition> repetitions;        ///< of a table that tells of each process
    std::map<std::int64_t, std::vector<double>> process_s; ///< of those that are valid
    double step_s = 0;                                     ///< what the last digit is worth, the largest
    std::int64_t invalid = 0;                              ///< run times with an error code
    std::map<std::int64_t, std::int64_t> repetition;       ///< of the row read last, by process
    std::optional<Measurement> summary;
    Word where;
};

/// As ReproMPI itself counts the run time of a repetition: from the first start to the last end by the global
/// clock, or where there is none the longest of all processes by their own.
void take_repetitions(Rows& rows) {
    for (const auto& [number, repetition] : rows.repetitions) {
        if (!repetition.valid) {
            ++rows.invalid;
            continue;
        }
        double longest_s = 0;
        for (const auto& [process, duration_s] : repetition.process_s) {
            rows.process_s[process].push_back(duration_s);
            longest_s = std::max(longest_s, duration_s);
        }
        rows.run_times_s.push_back(repetition.by_global_clock() ? repetition.end_s - repetition.start_s
                                                                : longest_s);
    }
}

constexpr double cut_quantile = 0.25;

std::vector<NodeTime> node_times(const Rows& rows) {
    std::vector<NodeTime> times;
    for (const auto& [process, durations_s] : rows.process_s) {
        const skalib::Summary summary = skalib::summarise(durations_s, cut_quantile);
        times.push_back({static_cast<int>(process), summary.cut_mean, summary.cut_standard_error});
    }
    return times;
}

/// The tables of one launch.
struct Launch {
    std::vector<std::string> tests; ///< in the file's order
    std::map<std::string, std::map<std::int64_t, Rows>> rows;
    bool in_elements = false;
    int ranks = 0;
    std::string datatype;
};

void add(ImportedRuns& runs, const TextTable& table, Launch& launch) {
    for (const std::string& test : launch.tests) {
        ImportedRun::ImportedSuite& suite = runs.begin_suite(
            "ReproMPI " + test, {0, test, "", Pattern::collective, {}, {}, false, Meaning::collective},
            launch.in_elements ? Varied::none : Varied::message_length, launch.ranks);
        if (launch.in_elements) {
            // The size of an element is that of the datatype, which is not always told.
            suite.facts["argument"] = "count of elements";
            if (!launch.datatype.empty())
                suite.suite.datatype = launch.datatype;
        }
        for (auto& [argument, rows] : launch.rows.at(test)) {
            take_repetitions(rows);
            if (!rows.repetitions.empty())
                suite.facts["value"] = rows.repetitions.begin()->second.by_global_clock()
                                           ? "from the first start to the last end, by the global clock"
                                           : "the longest of all processes, each by its own clock";
            Measurement m = rows.summary.value_or(imported(argument, 0));
            if (!rows.summary) {
                m.discarded = rows.invalid;
                if (rows.run_times_s.empty()) {
                    m = without_value(m);
                } else {
                    m.summary = skalib::summarise(rows.run_times_s, cut_quantile);
                    m.value_s = m.adjusted_s = m.summary.cut_mean;
                    m.standard_error_s = m.summary.cut_standard_error;
                    m.node_times = node_times(rows);
                }
            }
            runs.add(table, rows.where, m, rows.step_s);
        }
    }
}

} // namespace

bool looks_like_reprompi(const std::string& text) {
    const bool of_run_times =
        text.find("runtime_sec") != std::string::npos || text.find("loc_tstart_sec") != std::string::npos;
    const bool of_summaries =
        text.find("total_nrep") != std::string::npos && text.find("valid_nrep") != std::string::npos;
    return of_run_times || of_summaries;
}

std::vector<ImportedRun> parse_reprompi(const std::string& name, const std::string& text) {
    TextTable table(name, text);
    ImportedRuns runs("ReproMPI output", name, text);
    std::vector<Column> columns;
    Launch launch;
    while (table.next()) {
        if (table.blank())
            continue;
        const std::vector<Word>& words = table.words();
        if (words.front().text.starts_with("#")) {
            // "#@nprocs=4"
            const std::string_view line = table.line();
            const std::size_t equal = line.find('=');
            if (line.starts_with("#@") && equal != std::string_view::npos) {
                if (!launch.tests.empty()) { // the header of another output
                    add(runs, table, launch);
                    launch = {};
                }
                const std::string key(line.substr(2, equal - 2));
                const std::string_view value = line.substr(equal + 1);
                runs.header().facts[key] = std::string(value);
                if (key == "nprocs")
                    launch.ranks = static_cast<int>(table.integer({value, table.number(), equal + 2}));
                if (key == "datatype")
                    launch.datatype = std::string(value);
            }
            continue;
        }
        if (std::ranges::any_of(words, [](const Word& word) { return word.text == "test"; })) {
            if (!launch.tests.empty()) { // of another output, that has no header
                add(runs, table, launch);
                runs.begin_header();
                launch = {};
            }
            columns.clear();
            for (const Word& word : words)
                columns.push_back(column_of(table, word));
            continue;
        }
        if (columns.empty())
            continue;
        if (words.size() != columns.size())
            table.fail(words.back(), "found " + std::to_string(words.size()) + " columns, expected " +
                                         std::to_string(columns.size()) + " as in the heading");
        std::string test;
        std::int64_t argument = 0;
        Measurement m = imported(0, 0);
        std::optional<double> mean;
        std::optional<double> median;
        std::optional<double> run_time;
        std::optional<std::int64_t> repetition;
        std::optional<std::int64_t> total;
        std::int64_t process = 0;
        std::optional<double> local_start;
        std::optional<double> local_end;
        std::optional<double> global_start;
        std::optional<double> global_end;
        bool valid = true;
        double step_s = 0; // what the last digit of the value is worth
        for (std::size_t i = 0; i < columns.size(); ++i)
            switch (columns[i]) {
            case Column::test:
                test = std::string(words[i].text);
                break;
            case Column::elements:
                launch.in_elements = true;
                [[fallthrough]];
            case Column::size:
                argument = table.integer(words[i]);
                break;
            case Column::valid:
                m.summary.count = m.summary.cut_count = table.integer(words[i]);
                break;
            case Column::mean:
                mean = table.real(words[i]);
                step_s = table.last_digit(words[i]);
                break;
            case Column::median:
                m.summary.median = table.real(words[i]);
                median = m.summary.median;
                if (!mean)
                    step_s = table.last_digit(words[i]);
                break;
            case Column::minimum:
                m.summary.minimum = table.real(words[i]);
                break;
            case Column::maximum:
                m.summary.maximum = table.real(words[i]);
                break;
            case Column::run_time:
                run_time = table.real(words[i]);
                step_s = table.last_digit(words[i]);
                break;
            case Column::error:
                valid = table.integer(words[i]) == 0;
                break;
            case Column::repetition:
                repetition = table.integer(words[i]);
                break;
            case Column::total:
                total = table.integer(words[i]);
                break;
            case Column::process:
                process = table.integer(words[i]);
                break;
            case Column::local_start:
                local_start = table.real(words[i]);
                break;
            case Column::local_end:
                local_end = table.real(words[i]);
                step_s = table.last_digit(words[i]);
                if (local_start && *local_end < *local_start)
                    table.fail(words[i], "found an end before the start, expected one behind it");
                break;
            case Column::global_start:
                global_start = table.real(words[i]);
                break;
            case Column::global_end:
                global_end = table.real(words[i]);
                step_s = table.last_digit(words[i]);
                break;
            }
        if (const auto known = launch.rows.find(test); repetition && known != launch.rows.end()) {
            const auto same = known->second.find(argument);
            if (same != known->second.end() && same->second.repetition.contains(process) &&
                same->second.repetition.at(process) >= *repetition) {
                // Counted from the beginning again: another launch under the same header.
                add(runs, table, launch);
                launch.tests.clear();
                launch.rows.clear();
            }
        }
        if (!launch.rows.contains(test))
            launch.tests.push_back(test);
        Rows& rows = launch.rows[test][argument];
        if (repetition)
            rows.repetition[process] = *repetition;
        if (valid)
            rows.step_s = std::max(rows.step_s, step_s);
        if (rows.where.text.empty())
            rows.where = words.front();
        if (local_start && local_end) {
            if (!repetition)
                table.fail("found no column nrep in a table of start and end times, expected one");
            Repetition& of_all = rows.repetitions[*repetition];
            of_all.valid = of_all.valid && valid;
            of_all.process_s[process] = *local_end - *local_start;
            if (global_start && global_end) {
                of_all.start_s = std::min(of_all.start_s, *global_start);
                of_all.end_s = std::max(of_all.end_s, *global_end);
            }
            continue;
        }
        if (run_time) {
            if (valid)
                rows.run_times_s.push_back(*run_time);
            else
                ++rows.invalid;
            continue;
        }
        if (!mean && !median)
            table.fail(
                "found neither mean_sec nor median_sec nor runtime_sec nor loc_tstart_sec and loc_tend_sec in the table, expected one of them");
        if (rows.summary)
            table.fail(words.front(), "found " + printable(test) + " of size " + std::to_string(argument) +
                                          " again, it stands in line " + std::to_string(rows.where.line));
        m.argument = argument;
        m.value_s = m.adjusted_s = m.summary.cut_mean = mean ? *mean : *median;
        if (total && std::ranges::find(columns, Column::valid) != columns.end())
            m.discarded = std::max<std::int64_t>(0, *total - m.summary.count);
        rows.summary = m.summary.count > 0 ? m : without_value(m);
    }
    add(runs, table, launch);
    return runs.finish();
}

} // namespace skampi
