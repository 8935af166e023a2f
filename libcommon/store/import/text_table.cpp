#include "store/import/text_table.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace skampi {

TextTable::TextTable(std::string name, std::string_view text)
    : name_(std::move(name))
    , rest_(text) {}

bool TextTable::next() {
    words_.clear();
    if (rest_.empty())
        return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line_.ends_with('\r'))
        line_.remove_suffix(1);
    ++number_;
    std::size_t column = 1;
    bool within = false;
    for (std::size_t at = 0; at < line_.size(); ++at) {
        const bool separates = line_[at] == ' ' || line_[at] == '\t';
        if (!separates && !within)
            words_.push_back({line_.substr(at, 0), number_, column});
        within = !separates;
        if (within)
            words_.back().text = {words_.back().text.data(), words_.back().text.size() + 1};
        column += begins_character(line_[at]) ? 1 : 0;
    }
    return true;
}

std::int64_t TextTable::integer(const Word& word) const {
    const std::optional<std::int64_t> value = integer_from(word.text);
    if (!value || *value < 0)
        fail(word,
             "found \"" + printable(std::string(word.text)) + "\", expected a whole number of 0 or more");
    return *value;
}

double TextTable::real(const Word& word) const {
    const std::optional<double> value = real_from(word.text);
    if (!value || !(*value >= 0) || std::isinf(*value))
        fail(word, "found \"" + printable(std::string(word.text)) + "\", expected a number of 0 or more");
    return *value;
}

double TextTable::last_digit(const Word& word) const {
    (void)real(word);
    const std::size_t end = std::min(word.text.find_first_of("eE"), word.text.size());
    const std::size_t point = word.text.substr(0, end).find('.');
    double exponent = point == std::string_view::npos ? 0 : -static_cast<double>(end - point - 1);
    if (end < word.text.size()) {
        std::string_view written = word.text.substr(end + 1);
        if (written.starts_with('+'))
            written.remove_prefix(1);
        exponent += static_cast<double>(integer_from(written).value_or(0));
    }
    return std::pow(10, exponent);
}

void TextTable::fail(const Word& word, const std::string& what) const {
    throw InputError(printable(name_) + ":" + std::to_string(word.line) + ":" + std::to_string(word.column) +
                     ": " + what);
}

void TextTable::fail(const std::string& what) const {
    fail({line_, number_, 1}, what);
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
    const auto same = [&](const ImportedRun::ImportedSuite& suite) { return suite.suite.name == name; };
    if (header_is_new_ || std::ranges::any_of(runs_.back().suites, same)) {
        header_is_new_ = false;
        ImportedRun& made = runs_.emplace_back();
        made.run = header_;
        made.run.uuid = "file " + identity_ + " run " + std::to_string(runs_.size());
    }
    runs_.back().run.ranks = std::max(runs_.back().run.ranks, ranks);
    lines_.clear();
    shortest_told_s_ = 0;
    ImportedRun::ImportedSuite& suite = runs_.back().suites.emplace_back();
    suite.suite.name = suite.suite.family = name;
    suite.suite.operation = operation;
    suite.suite.varied = varied;
    if (suite.suite.operation.title.empty())
        suite.suite.operation.title = operation.name;
    suite.suite.ranks = ranks;
    suite.suite.arguments.scale =
        varied == Varied::message_length ? skalib::Scale::fixed_log : skalib::Scale::fixed_linear;
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
    added.ranks = suite.suite.varied == Varied::nodes ? static_cast<int>(added.argument) : suite.suite.ranks;
}

std::vector<ImportedRun> ImportedRuns::finish() {
    return std::move(runs_);
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
