// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/table_reader.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace skampi {

namespace {

constexpr auto reprompi_marks = std::to_array<std::string_view>({"#@"});

constexpr auto reprompi_tests = std::to_array<Test>({{"*", "", Pattern::collective, Meaning::collective}});

constexpr auto reprompi_columns = std::to_array<Column>({
    {"test", Cell::test},
    {"msize", Cell::bytes},
    {"msize_bytes", Cell::bytes},
    {"count", Cell::elements},
    {"nrep", Cell::repetition},
    {"total_nrep", Cell::attempts},
    {"valid_nrep", Cell::count},
    {"mean_sec", Cell::time},
    {"runtime_sec", Cell::time},
    {"median_sec", Cell::median},
    {"min_sec", Cell::smallest},
    {"max_sec", Cell::largest},
    {"var_sec", Cell::not_kept},
    {"stddev_sec", Cell::standard_deviation},
    {"process", Cell::process},
    {"loc_tstart_sec", Cell::local_start},
    {"loc_tend_sec", Cell::local_end},
    {"gl_tstart_sec", Cell::global_start},
    {"gl_tend_sec", Cell::global_end},
    {"errorcode", Cell::error_code},
});

constexpr auto reprompi_header = std::to_array<HeaderLine>({
    {"#@nprocs=", "ranks"},
    {"#@datatype=", "datatype", "", "MPI_CHAR"},
    {"#@operation=", "reduction", "", "MPI_BOR", may_reduce},
    {"#@root_proc=", "root", "root ", "0", has_root},
    {"#@procsync=", "synchronization", "started by ", "MPI_Barrier"},
});

constexpr Tool reprompi_tool{"ReproMPI", nullptr, reprompi_tests, reprompi_columns, reprompi_header};

constexpr double cut_quantile = 0.25;

/// One repetition, of which there is one run time, or a row of each process.
struct Repetition {
    std::map<int, double> process_s;                          ///< what each process took by its own clock
    double start_s = std::numeric_limits<double>::infinity(); ///< of the first, by the global clock
    double end_s = -std::numeric_limits<double>::infinity();  ///< of the last; before start_s = not stated
    double run_time_s = 0;
    bool valid = true;

    [[nodiscard]] bool by_global_clock() const { return end_s >= start_s; }
};

/// What is said of one operation at one message size.
struct Point {
    std::size_t line = 0; ///< of its first row
    std::map<std::int64_t, Repetition> repetitions;
    double step_s = 0; ///< what the last digit is worth, the largest
};

/// As ReproMPI itself counts the run time of a repetition: from the first start to the last end by the global
/// clock, or where there is none the longest of all processes by their own.
Measurement summarised(const Point& point, std::int64_t argument) {
    Measurement m = imported(argument, 0);
    std::vector<double> run_times_s;
    std::map<int, std::vector<double>> process_s;
    for (const auto& [number, repetition] : point.repetitions) {
        if (!repetition.valid) {
            ++m.discarded;
            continue;
        }
        double longest_s = repetition.run_time_s;
        for (const auto& [process, duration_s] : repetition.process_s) {
            process_s[process].push_back(duration_s);
            longest_s = std::max(longest_s, duration_s);
        }
        run_times_s.push_back(repetition.by_global_clock() ? repetition.end_s - repetition.start_s
                                                           : longest_s);
    }
    if (run_times_s.empty())
        return without_value(m);
    m.summary = skalib::summarise(run_times_s, cut_quantile);
    m.value_s = m.adjusted_s = m.summary.cut_mean;
    m.standard_error_s = m.summary.cut_standard_error;
    for (const auto& [process, durations_s] : process_s) {
        const skalib::Summary summary = skalib::summarise(durations_s, cut_quantile);
        m.node_times.push_back({process, summary.cut_mean, summary.cut_standard_error});
    }
    return m;
}

std::int64_t whole(const Row& row, Cell cell) {
    return row[cell] ? static_cast<std::int64_t>(row[cell]->value) : 0;
}

std::int64_t argument_of(const Row& row) {
    return whole(row, row[Cell::bytes] ? Cell::bytes : Cell::elements);
}

void take(Repetition& repetition, const Row& row) {
    repetition.valid = repetition.valid && whole(row, Cell::error_code) == 0;
    if (row[Cell::time])
        repetition.run_time_s = row[Cell::time]->value;
    if (row[Cell::local_start] && row[Cell::local_end]) {
        const double duration_s = row[Cell::local_end]->value - row[Cell::local_start]->value;
        repetition.process_s[static_cast<int>(whole(row, Cell::process))] = duration_s;
        repetition.valid = repetition.valid && duration_s >= 0;
    }
    if (row[Cell::global_start] && row[Cell::global_end]) {
        repetition.start_s = std::min(repetition.start_s, row[Cell::global_start]->value);
        repetition.end_s = std::max(repetition.end_s, row[Cell::global_end]->value);
    }
}

/// A header of lines that begin with #@, and a table of summaries, or of repetitions, that are summarised.
class ReproMpiReader : public TableReader {
public:
    ReproMpiReader(const Importer& importer, const std::string& name, std::string_view text)
        : TableReader(importer, reprompi_tool, name, text) {}

private:
    bool begins_launch(const Row& row) override {
        if (!has(Cell::repetition))
            return false;
        const auto [last, is_new] =
            last_.try_emplace({row.test, argument_of(row), whole(row, Cell::process)}, -1);
        const bool begins = last->second >= whole(row, Cell::repetition);
        last->second = whole(row, Cell::repetition);
        if (begins)
            last_ = {{last->first, last->second}};
        return begins;
    }

    void add_rows(ImportedRun::ImportedSuite& suite, const std::vector<const Row*>& rows,
                  double trips) override {
        const bool stated =
            has(Cell::count) || has(Cell::median) || !has(Cell::repetition); // here, not made of repetitions
        tell(suite.suite, "value_kind", &Suite::value,
             stated && !has(Cell::time) ? skalib::ValueKind::median : skalib::ValueKind::cut_mean);
        suite.suite.repetition.cut_quantile = stated ? 0 : cut_quantile;
        learn(suite.suite, "cut_quantile");
        if (stated)
            return TableReader::add_rows(suite, rows, trips);
        if (has(Cell::local_end)) {
            tell(suite.suite, "reported_time", &Suite::reported_time, ReportedTime::max);
            suite.facts["value"] = has(Cell::global_end)
                                       ? "from the first start to the last end, by the global clock"
                                       : "the longest of all processes, each by its own clock";
        }
        std::map<std::int64_t, Point> points;
        for (const Row* const row : rows) {
            Point& point = points[argument_of(*row)];
            if (point.repetitions.empty())
                point.line = row->line;
            take(point.repetitions[whole(*row, Cell::repetition)], *row);
            for (const Cell cell : {Cell::time, Cell::local_end, Cell::global_end})
                if ((*row)[cell] && whole(*row, Cell::error_code) == 0)
                    point.step_s = std::max(point.step_s, (*row)[cell]->step);
        }
        for (const auto& [argument, point] : points)
            runs_.add(lines_, point.line, summarised(point, argument), point.step_s);
    }

    std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::int64_t> last_; ///< repetitions
};

bool is_reprompi(const std::string& beginning) {
    return std::ranges::any_of(std::array{"runtime_sec", "loc_tstart_sec", "valid_nrep"},
                               [&](const char* title) { return beginning.find(title) != std::string::npos; });
}

} // namespace

extern const Importer reprompi_importer{"ReproMPI output", reprompi_marks, is_reprompi,
                                        read_by<ReproMpiReader>};

} // namespace skampi
