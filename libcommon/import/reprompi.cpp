#include "base/text.hpp"
#include "import/imported_runs.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace skampi {

namespace {

enum class ReproMpiColumn {
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

ReproMpiColumn reprompi_column(const TextTable& table, const Word& title) {
    static constexpr auto titles = std::to_array<TitledColumn<ReproMpiColumn>>({
        {"test", ReproMpiColumn::test},
        {"msize", ReproMpiColumn::size},
        {"msize_bytes", ReproMpiColumn::size},
        {"count", ReproMpiColumn::elements},
        {"nrep", ReproMpiColumn::repetition},
        {"total_nrep", ReproMpiColumn::total},
        {"valid_nrep", ReproMpiColumn::valid},
        {"mean_sec", ReproMpiColumn::mean},
        {"median_sec", ReproMpiColumn::median},
        {"min_sec", ReproMpiColumn::minimum},
        {"max_sec", ReproMpiColumn::maximum},
        {"runtime_sec", ReproMpiColumn::run_time},
        {"process", ReproMpiColumn::process},
        {"loc_tstart_sec", ReproMpiColumn::local_start},
        {"loc_tend_sec", ReproMpiColumn::local_end},
        {"gl_tstart_sec", ReproMpiColumn::global_start},
        {"gl_tend_sec", ReproMpiColumn::global_end},
        {"errorcode", ReproMpiColumn::error},
    });
    return column_titled<ReproMpiColumn>(table, title, titles);
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
    skalib::ValueKind summary_is = skalib::ValueKind::cut_mean; ///< or median
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

/// A row of a table; columns that it has not are nothing.
struct Line {
    std::string test;
    std::int64_t argument = 0;
    std::int64_t process = 0;
    Measurement summary = imported(0, 0); ///< count, median, smallest and largest
    std::optional<double> mean;
    std::optional<double> median;
    std::optional<double> run_time;
    std::optional<std::int64_t> repetition;
    std::optional<std::int64_t> total;
    bool tells_valid = false; ///< the number of valid repetitions
    std::optional<double> local_start;
    std::optional<double> local_end;
    std::optional<double> global_start;
    std::optional<double> global_end;
    bool valid = true;
    double step_s = 0; ///< what the last digit of the value is worth
};

void take(Line& line, ReproMpiColumn column, const TextTable& table, const Word& word) {
    const auto real = [&](std::optional<double>& value) { value = table.real(word); };
    switch (column) {
    case ReproMpiColumn::test:
        line.test = std::string(word.text);
        break;
    case ReproMpiColumn::elements:
    case ReproMpiColumn::size:
        line.argument = table.integer(word);
        break;
    case ReproMpiColumn::valid:
        line.tells_valid = true;
        line.summary.summary.count = line.summary.summary.cut_count = table.integer(word);
        break;
    case ReproMpiColumn::mean:
        real(line.mean);
        line.step_s = table.last_digit(word);
        break;
    case ReproMpiColumn::median:
        real(line.median);
        line.summary.summary.median = *line.median;
        if (!line.mean)
            line.step_s = table.last_digit(word);
        break;
    case ReproMpiColumn::minimum:
        line.summary.summary.minimum = table.real(word);
        break;
    case ReproMpiColumn::maximum:
        line.summary.summary.maximum = table.real(word);
        break;
    case ReproMpiColumn::run_time:
        real(line.run_time);
        line.step_s = table.last_digit(word);
        break;
    case ReproMpiColumn::error:
        line.valid = table.integer(word) == 0;
        break;
    case ReproMpiColumn::repetition:
        line.repetition = table.integer(word);
        break;
    case ReproMpiColumn::total:
        line.total = table.integer(word);
        break;
    case ReproMpiColumn::process:
        line.process = table.ranks(word);
        break;
    case ReproMpiColumn::local_start:
        real(line.local_start);
        break;
    case ReproMpiColumn::local_end:
        real(line.local_end);
        line.step_s = table.last_digit(word);
        if (line.local_start && *line.local_end < *line.local_start)
            table.fail(word, "found an end before the start, expected one behind it");
        break;
    case ReproMpiColumn::global_start:
        real(line.global_start);
        break;
    case ReproMpiColumn::global_end:
        real(line.global_end);
        line.step_s = table.last_digit(word);
        break;
    }
}

/// The value of all rows of one operation at one message size.
Measurement measurement_of(const Rows& rows, std::int64_t argument) {
    if (rows.summary)
        return *rows.summary;
    Measurement m = imported(argument, 0);
    m.discarded = rows.invalid;
    if (rows.run_times_s.empty())
        return without_value(m);
    m.summary = skalib::summarise(rows.run_times_s, cut_quantile);
    m.value_s = m.adjusted_s = m.summary.cut_mean;
    m.standard_error_s = m.summary.cut_standard_error;
    m.node_times = node_times(rows);
    return m;
}

/// How the values of an operation are formed: here, or as the table tells.
void tell_value(Suite& suite, const std::map<std::int64_t, Rows>& rows) {
    const bool told = rows.begin()->second.summary.has_value();
    tell(suite, "value_kind", &Suite::value,
         told ? rows.begin()->second.summary_is : skalib::ValueKind::cut_mean);
    suite.repetition.cut_quantile = told ? 0 : cut_quantile;
    learn(suite, "cut_quantile");
}

/// A header of lines that begin with #@, and a table of repetitions or of summaries.
class ReproMpiReader : public LineReader {
public:
    static constexpr const char* kind = "ReproMPI output";
    static bool recognises(const std::string& beginning) {
        const bool of_run_times = beginning.find("runtime_sec") != std::string::npos ||
                                  beginning.find("loc_tstart_sec") != std::string::npos;
        const bool of_summaries = beginning.find("total_nrep") != std::string::npos &&
                                  beginning.find("valid_nrep") != std::string::npos;
        return of_run_times || of_summaries;
    }

    using LineReader::LineReader;

private:
    void take_line() override {
        const std::vector<Word>& words = table_.words();
        if (words.front().text.starts_with("#"))
            take_comment();
        else if (std::ranges::any_of(words, [](const Word& word) { return word.text == "test"; }))
            begin_table();
        else if (!columns_.empty())
            take_row();
    }

    std::vector<ImportedRun> finish() override {
        end_launch();
        return runs_.finish();
    }

    /// "#@nprocs=4"
    void take_comment() {
        const std::string_view line = table_.line();
        const std::size_t equal = line.find('=');
        if (!line.starts_with("#@") || equal == std::string_view::npos)
            return;
        if (!launch_.tests.empty()) { // the header of another output
            end_launch();
            launch_ = {};
        }
        const std::string key(line.substr(2, equal - 2));
        const std::string_view value = line.substr(equal + 1);
        runs_.header().facts[key] = std::string(value);
        if (key == "nprocs")
            launch_.ranks = table_.ranks({value, table_.number(), equal + 2});
        if (key == "datatype")
            launch_.datatype = std::string(value);
    }

    void begin_table() {
        if (!launch_.tests.empty()) { // of another output, that has no header
            end_launch();
            runs_.begin_header();
            launch_ = {};
        }
        columns_.clear();
        for (const Word& word : table_.words())
            columns_.push_back(reprompi_column(table_, word));
    }

    void take_row() {
        table_.require_columns(columns_.size());
        Line line;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            take(line, columns_[i], table_, table_.words()[i]);
            launch_.in_elements = launch_.in_elements || columns_[i] == ReproMpiColumn::elements;
        }
        if (is_of_next_launch(line)) {
            end_launch();
            launch_.tests.clear();
            launch_.rows.clear();
        }
        Rows& rows = rows_of(line);
        if (line.local_start && line.local_end)
            add_process(rows, line);
        else if (line.run_time)
            add_run_time(rows, line);
        else
            set_summary(rows, line);
    }

    /// Counted from the beginning again: another launch under the same header.
    [[nodiscard]] bool is_of_next_launch(const Line& line) const {
        const auto test = launch_.rows.find(line.test);
        if (!line.repetition || test == launch_.rows.end())
            return false;
        const auto same = test->second.find(line.argument);
        if (same == test->second.end())
            return false;
        const auto last = same->second.repetition.find(line.process);
        return last != same->second.repetition.end() && last->second >= *line.repetition;
    }

    Rows& rows_of(const Line& line) {
        if (!launch_.rows.contains(line.test))
            launch_.tests.push_back(line.test);
        Rows& rows = launch_.rows[line.test][line.argument];
        if (line.repetition)
            rows.repetition[line.process] = *line.repetition;
        if (line.valid)
            rows.step_s = std::max(rows.step_s, line.step_s);
        if (rows.where.text.empty())
            rows.where = table_.words().front();
        return rows;
    }

    void add_process(Rows& rows, const Line& line) const {
        if (!line.repetition)
            table_.fail("found no column nrep in a table of start and end times, expected one");
        Repetition& of_all = rows.repetitions[*line.repetition];
        of_all.valid = of_all.valid && line.valid;
        of_all.process_s[line.process] = *line.local_end - *line.local_start;
        if (line.global_start && line.global_end) {
            of_all.start_s = std::min(of_all.start_s, *line.global_start);
            of_all.end_s = std::max(of_all.end_s, *line.global_end);
        }
    }

    static void add_run_time(Rows& rows, const Line& line) {
        if (line.valid)
            rows.run_times_s.push_back(*line.run_time);
        else
            ++rows.invalid;
    }

    void set_summary(Rows& rows, const Line& line) const {
        if (!line.mean && !line.median)
            table_.fail(
                "found neither mean_sec nor median_sec nor runtime_sec nor loc_tstart_sec and loc_tend_sec in the table, expected one of them");
        if (rows.summary)
            table_.fail(table_.words().front(),
                        "found " + printable(line.test) + " of size " + std::to_string(line.argument) +
                            " again, it stands in line " + std::to_string(rows.where.line));
        Measurement m = line.summary;
        m.argument = line.argument;
        m.value_s = m.adjusted_s = m.summary.cut_mean = line.mean ? *line.mean : *line.median;
        if (line.total && line.tells_valid)
            m.discarded = std::max<std::int64_t>(0, *line.total - m.summary.count);
        rows.summary = m.summary.count > 0 ? m : without_value(m);
        rows.summary_is = line.mean ? skalib::ValueKind::cut_mean : skalib::ValueKind::median;
    }

    void end_launch() {
        for (const std::string& test : launch_.tests) {
            OperationInfo operation = operation_named(test, Pattern::collective, Meaning::collective);
            if (launch_.in_elements) {
                // The size of an element is that of the datatype, which is not always told.
                operation.argument_name = "count";
                operation.argument_unit = "elements";
            }
            ImportedRun::ImportedSuite& suite = runs_.begin_suite(
                "ReproMPI " + test, operation,
                launch_.in_elements ? Varied::argument : Varied::message_length, launch_.ranks);
            if (launch_.in_elements && !launch_.datatype.empty())
                tell(suite.suite, "datatype", &Suite::datatype, launch_.datatype);
            tell_value(suite.suite, launch_.rows.at(test));
            for (auto& [argument, rows] : launch_.rows.at(test)) {
                take_repetitions(rows);
                if (!rows.repetitions.empty())
                    tell(suite.suite, "reported_time", &Suite::reported_time, ReportedTime::max);
                if (!rows.repetitions.empty())
                    suite.facts["value"] = rows.repetitions.begin()->second.by_global_clock()
                                               ? "from the first start to the last end, by the global clock"
                                               : "the longest of all processes, each by its own clock";
                runs_.add(table_, rows.where, measurement_of(rows, argument), rows.step_s);
            }
        }
    }

    std::vector<ReproMpiColumn> columns_; ///< of the table
    Launch launch_;
};

} // namespace

extern const Importer reprompi_importer = importer_by<ReproMpiReader>();

} // namespace skampi
