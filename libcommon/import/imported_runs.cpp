// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/imported_runs.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "model/field_text.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <system_error>
#include <utility>

namespace skampi {

void LineReader::read(ImportSink& sink) {
    while (lines_.next())
        if (!lines_.blank())
            take_line();
    finish();
    std::vector<ImportedRun>& runs = runs_.runs();
    const std::string texts = passed_over();
    if (runs.empty())
        lines_.fail(std::max<std::size_t>(1, waiting_at_),
                    "found no table that can be read" + (texts.empty() ? "" : ": " + texts) +
                        (lines_.prefix().empty() ? ""
                                                 : "; lines are read behind the title's prefix \"" +
                                                       printable(lines_.prefix()) + "\""));
    if (!texts.empty())
        runs.front().run.facts[fact_passed_over] = texts;
    std::int64_t place = 0;
    for (const ImportedRun& run : runs) {
        const RunId run_id = sink.begin_run(run.run);
        for (const ImportedRun::ImportedSuite& suite : run.suites) {
            const SuiteId suite_id = sink.begin_suite(run_id, suite.suite);
            for (std::size_t i = 0; i < suite.measurements.size(); ++i)
                (void)sink.add(suite_id, ++place, suite.measurements[i],
                               suite.merged.empty() ? std::nullopt : std::optional(suite.merged[i]));
            sink.end_suite(suite_id, suite.suite, suite.facts);
        }
        sink.end_run(run_id, run.run);
    }
}

bool LineReader::is_foreign_title() const {
    return std::ranges::any_of(importers(), [&](const Importer* importer) {
        return std::ranges::any_of(importer->marks,
                                   [&](std::string_view mark) { return lines_.starts_with(mark); });
    });
}

void LineReader::pass_over_line() {
    if (waiting_++ == 0)
        waiting_at_ = lines_.number();
}

void LineReader::take_row_in() {
    if (no_rows_ == 0)
        first_no_row_ = waiting_at_;
    no_rows_ += std::exchange(waiting_, 0);
}

void LineReader::note(const std::string& what, std::size_t line, std::string_view words) {
    constexpr std::size_t most = 3;
    constexpr std::size_t longest = 60;
    if (notes_.size() == most) {
        ++notes_left_out_;
        return;
    }
    notes_.push_back(fmt::format("line {}: {}: \"{}\"", line, what, printable(words.substr(0, longest))));
}

std::string LineReader::passed_over() const {
    std::vector<std::string> texts = notes_;
    if (notes_left_out_ > 0)
        texts.push_back(fmt::format("{} more such lines", notes_left_out_));
    if (no_rows_ > 0)
        texts.push_back(fmt::format("{} in tables {}, first at line {}", count_of(no_rows_, "line"),
                                    no_rows_ == 1 ? "was no row" : "were no rows", first_no_row_));
    return fmt::format("{}", fmt::join(texts, "; "));
}

ImportedRuns::ImportedRuns(std::string kind, const std::string& name, std::string_view text) {
    std::error_code unknown; // of a pipe, say
    const std::filesystem::path place = std::filesystem::weakly_canonical(name, unknown);
    identity_ = fmt::format(
        "{:016x}",
        Fnv1a().add(unknown ? name : place.string()).add(std::string_view("\0", 1)).add(text).value());
    blank_.facts[fact_read_from] = std::move(kind);
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

void ImportedRuns::add(const TextLines& lines, std::size_t line, const Measurement& measurement,
                       double step_s) {
    ImportedRun::ImportedSuite& suite = runs_.back().suites.back();
    const auto [known, is_new] = lines_.try_emplace(measurement.argument, line);
    if (!is_new)
        lines.fail(line, "found argument " + std::to_string(measurement.argument) + " of suite \"" +
                             printable(suite.suite.name) + "\" again, it stands in line " +
                             std::to_string(known->second));
    skalib::RefinementLimits& arguments = suite.suite.arguments;
    if (suite.measurements.empty())
        arguments.start = arguments.end = measurement.argument;
    arguments.start = std::min(arguments.start, measurement.argument);
    arguments.end = std::max(arguments.end, measurement.argument);
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
    if (suite.suite.varied == Varied::nodes)
        added.ranks = static_cast<int>(added.argument);
    else if (added.ranks == 0)
        added.ranks = suite.suite.ranks;
}

OperationInfo operation_named(const std::string& name, Pattern pattern, Meaning meaning) {
    OperationInfo operation;
    operation.name = name;
    operation.pattern = pattern;
    operation.meaning = meaning;
    return operation;
}

bool tell(Suite& suite, std::string_view name, std::string_view text) {
    bool is_set = false;
    for_each_field(suite, [&](const SuiteField& field, auto&& value) {
        is_set = is_set || (name == field.name && set_field(text, value));
    });
    if (is_set)
        learn(suite, name);
    return is_set;
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

} // namespace skampi
