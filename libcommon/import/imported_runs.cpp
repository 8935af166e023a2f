#include "import/imported_runs.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace skampi {

void hand_over(const std::vector<ImportedRun>& runs, ImportSink& sink) {
    std::int64_t place = 0;
    for (const ImportedRun& run : runs) {
        const RunId run_id = sink.begin_run(run.run);
        for (const ImportedRun::ImportedSuite& suite : run.suites) {
            const SuiteId suite_id = sink.begin_suite(run_id, suite.suite);
            for (const Measurement& measurement : suite.measurements)
                (void)sink.add(suite_id, ++place, measurement, {});
            sink.end_suite(suite_id, suite.suite, suite.facts);
        }
        sink.end_run(run_id, run.run);
    }
}

std::vector<ImportedRun> LineReader::read() {
    while (table_.next())
        if (!table_.blank())
            take_line();
    return finish();
}

ImportedRuns::ImportedRuns(std::string kind, const std::string& name, std::string_view text)
    : kind_(std::move(kind)) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::error_code unknown; // of a pipe, say
    const std::filesystem::path place = std::filesystem::weakly_canonical(name, unknown);
    const std::uint64_t hash =
        Fnv1a().add(unknown ? name : place.string()).add(std::string_view("\0", 1)).add(text).value();
    for (int shift = 60; shift >= 0; shift -= 4)
        identity_ += digits[hash >> shift & 15];
    blank_.parameter_file = name;
    blank_.facts[fact_read_from] = kind_;
    header_ = blank_;
}

Run& ImportedRuns::header() {
    if (!header_is_new_)
        begin_header();
    return header_;
}

void ImportedRuns::begin_header() {
    header_ = blank_;
    header_is_new_ = true;
}

ImportedRun::ImportedSuite& ImportedRuns::begin_suite(const std::string& name, const OperationInfo& operation,
                                                      Varied varied, int ranks) {
    if (header_is_new_ || names_.contains(name)) {
        header_is_new_ = false;
        names_.clear();
        ImportedRun& made = runs_.emplace_back();
        made.run = header_;
        made.run.uuid = "file " + identity_ + " run " + std::to_string(runs_.size());
    }
    names_.insert(name);
    runs_.back().run.ranks = std::max(runs_.back().run.ranks, ranks);
    lines_.clear();
    shortest_told_s_ = 0;
    ImportedRun::ImportedSuite& suite = runs_.back().suites.emplace_back();
    suite.suite.name = suite.suite.family = name;
    suite.suite.operation = operation;
    suite.suite.varied = varied;
    if (suite.suite.operation.title.empty())
        suite.suite.operation.title = operation.name;
    forget_settings(suite.suite);
    suite.suite.message_bytes = 0;
    if (ranks > 0)
        tell(suite.suite, "ranks", &Suite::ranks, ranks);
    return suite;
}

void ImportedRuns::add(const TextTable& table, const Word& argument, const Measurement& measurement,
                       double step_s) {
    ImportedRun::ImportedSuite& suite = runs_.back().suites.back();
    const auto [known, is_new] = lines_.try_emplace(measurement.argument, argument.line);
    if (!is_new)
        table.fail(argument, "found argument " + std::to_string(measurement.argument) + " of suite \"" +
                                 printable(suite.suite.name) + "\" again, it stands in line " +
                                 std::to_string(known->second));
    if (suite.measurements.empty())
        suite.suite.arguments.start = suite.suite.arguments.end = measurement.argument;
    suite.suite.arguments.start = std::min(suite.suite.arguments.start, measurement.argument);
    suite.suite.arguments.end = std::max(suite.suite.arguments.end, measurement.argument);
    if (double& resolution_s = runs_.back().run.clock_resolution_s; has_value(measurement))
        resolution_s = std::max(resolution_s, step_s);
    suite.measurements.push_back(measurement);
    Measurement& added = suite.measurements.back();
    if (has_value(added) && added.value_s == 0) {
        added = without_value(added);
        set(added.flags, Flag::unreliable);
        shortest_told_s_ = std::max(shortest_told_s_, step_s);
        suite.facts["printed as 0"] =
            "shorter than the last digit that was printed, " + number_text(shortest_told_s_) + " s: no value";
    }
    if (suite.suite.varied == Varied::message_length)
        added.message_bytes = added.argument;
    added.ranks = suite.suite.varied == Varied::nodes ? table.ranks(argument) : suite.suite.ranks;
}

std::vector<ImportedRun> ImportedRuns::finish() {
    return std::move(runs_);
}

OperationInfo operation_named(const std::string& name, Pattern pattern, Meaning meaning) {
    OperationInfo operation;
    operation.name = name;
    operation.pattern = pattern;
    operation.meaning = meaning;
    return operation;
}

Measurement imported(std::int64_t argument, double value_s, std::int64_t count) {
    Measurement m;
    m.argument = argument;
    m.value_s = m.adjusted_s = value_s;
    m.standard_error_s = std::numeric_limits<double>::quiet_NaN();
    m.summary = skalib::Summary::unknown();
    m.summary.count = m.summary.cut_count = std::max<std::int64_t>(1, count);
    m.summary.cut_mean = value_s;
    return m;
}

Measurement without_value(Measurement measurement) {
    measurement.value_s = measurement.adjusted_s = measurement.standard_error_s =
        std::numeric_limits<double>::quiet_NaN();
    measurement.summary = skalib::Summary::unknown();
    return measurement;
}

Measurement with_value(Measurement measurement, double value_s) {
    measurement.value_s = measurement.adjusted_s = measurement.summary.cut_mean = value_s;
    return has_value(measurement) ? measurement : without_value(std::move(measurement));
}

void TimePerMessage::add_bandwidth(const TextTable& table, const Word& word, double scale,
                                   std::int64_t bytes) {
    if (const double rate = table.real(word); bytes > 0)
        add(rate, table.last_digit(word), scale / static_cast<double>(bytes));
}

void TimePerMessage::add_messages_per_second(const TextTable& table, const Word& word) {
    add(table.real(word), table.last_digit(word), 1);
}

void TimePerMessage::add(double rate, double last_digit, double per_second) {
    if (!(rate > 0) || last_digit / rate > share_)
        return;
    share_ = last_digit / rate;
    value_s_ = 1 / (rate * per_second);
}

} // namespace skampi
