#include "store/result_csv.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/field_text.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace skampi {

namespace {

struct Position {
    std::size_t line = 1;
    std::size_t column = 1; ///< in characters of the line, from 1
};

struct CsvField {
    std::string text;
    Position position;
};

/// Splits a CSV text into records by the letter of RFC 4180.
class CsvReader {
public:
    CsvReader(const std::string& name, std::string_view text)
        : name_(name)
        , text_(text) {
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (text_.starts_with(byte_order_mark))
            text_.remove_prefix(byte_order_mark.size());
    }

    /// The next record that is not an empty line; none after the last.
    std::optional<std::vector<CsvField>> next() {
        while (at_line_end())
            end_line();
        if (done())
            return std::nullopt;
        std::vector<CsvField> record;
        for (;;) {
            record.push_back(field());
            if (done())
                return record;
            if (peek() == ',') {
                step();
                continue;
            }
            end_line();
            return record;
        }
    }

    [[noreturn]] void fail(Position position, const std::string& what) const {
        throw InputError(printable(name_) + ":" + std::to_string(position.line) + ":" +
                         std::to_string(position.column) + ": " + what);
    }

private:
    [[nodiscard]] bool done() const { return at_ == text_.size(); }
    [[nodiscard]] char peek() const { return text_[at_]; }
    [[nodiscard]] bool at_line_end() const {
        return !done() &&
               (peek() == '\n' || (peek() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n'));
    }
    void step() {
        const char byte = text_[at_++];
        if (byte == '\n') {
            ++position_.line;
            position_.column = 1;
        } else if (begins_character(byte)) {
            ++position_.column;
        }
    }
    void end_line() {
        if (peek() == '\r')
            step();
        step();
    }

    CsvField field() {
        CsvField field{{}, position_};
        if (done() || peek() != '"') {
            while (!done() && peek() != ',' && !at_line_end()) {
                if (peek() == '"')
                    fail(position_, "found a quote inside a field, expected the whole field in quotes");
                field.text += peek();
                step();
            }
            return field;
        }
        step();
        for (;;) {
            if (done())
                fail(field.position, "found no closing quote for this field before the end of the file");
            if (peek() != '"') {
                field.text += peek();
                step();
                continue;
            }
            step();
            if (done() || peek() == ',' || at_line_end())
                return field;
            if (peek() != '"')
                fail(position_, "found \"" + printable(text_.substr(at_, 1)) +
                                    "\" after a closing quote, expected a comma or the end of the line");
            field.text += '"';
            step();
        }
    }

    std::string name_;
    std::string_view text_;
    std::size_t at_ = 0;
    Position position_;
};

const std::vector<std::string>& column_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        const ResultRow row;
        for_each_field(row, [&](const Field& field, const auto&) { list.emplace_back(field.name); });
        return list;
    }();
    return names;
}

/// They came later.
constexpr auto columns_that_may_be_missing = std::to_array<std::string_view>(
    {"mode", "mode_share", "adjusted_s", "meaning", "launches", "interval_low_s", "interval_high_s",
     "interval_confidence", "half_round_trip_s", "bandwidth", "host", "mpi_library", "started_utc", "kind"});

template <typename Value>
std::string expected_as(const Value&) {
    if constexpr (std::is_enum_v<Value>) {
        std::string expected;
        for (const std::string_view name : all_names<Value>())
            expected += (expected.empty() ? "one of \"" : ", \"") + std::string(name) + "\"";
        return expected;
    } else if constexpr (std::is_floating_point_v<Value>) {
        return "a number";
    } else {
        return "a whole number";
    }
}

/// Fills one row from the fields of a record.
struct FieldReader {
    const CsvReader& csv;
    const std::vector<CsvField>& record;
    const std::vector<std::optional<std::size_t>>& places; ///< of each column in the record
    std::size_t column = 0;

    template <typename Value>
    void operator()(const Field& named, Value&& value) {
        const auto place = places[column++];
        if (!place)
            return;
        const CsvField& found = record[*place];
        // As result_csv_line() wrote it.
        const std::string text(std::is_arithmetic_v<std::remove_cvref_t<Value>> ? std::string_view(found.text)
                                                                                : from_csv(found.text));
        if constexpr (std::is_same_v<Value, FlagWords<Flags>&> || std::is_same_v<Value, FlagWords<Flags>>) {
            try {
                value.flags = flags_from_words(text);
            } catch (const InputError& error) {
                csv.fail(found.position, error.what());
            }
        } else {
            if constexpr (std::is_same_v<Value, double&>)
                if (text.empty()) {
                    value = std::numeric_limits<double>::quiet_NaN();
                    return;
                }
            if (!set_field(text, value))
                csv.fail(found.position, "found \"" + printable(found.text) + "\", expected " +
                                             expected_as(value) + " as " + named.name);
        }
    }
};

/// Where each column of ResultRow stands in the header.
std::vector<std::optional<std::size_t>> places_of_columns(const CsvReader& csv,
                                                          const std::vector<CsvField>& header) {
    const std::vector<std::string>& names = column_names();
    std::vector<std::optional<std::size_t>> places(names.size());
    for (std::size_t i = 0; i < header.size(); ++i) {
        const auto found = std::find(names.begin(), names.end(), header[i].text);
        if (found == names.end())
            csv.fail(header[i].position, "found an unknown column \"" + printable(header[i].text) +
                                             "\", expected the columns " + result_csv_header());
        auto& place = places[static_cast<std::size_t>(found - names.begin())];
        if (place)
            csv.fail(header[i].position, "found the column \"" + *found + "\" twice");
        place = i;
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!places[i] &&
            std::ranges::find(columns_that_may_be_missing, names[i]) == columns_that_may_be_missing.end())
            csv.fail(header.front().position,
                     "found no column \"" + names[i] + "\", expected the columns " + result_csv_header());
    return places;
}

/// Refuses a row that contradicts itself. @param fail (column, what) throws
void refuse_contradictions(const ResultRow& row,
                           const std::function<void(std::string_view, const std::string&)>& fail) {
    const Measurement& m = row.measurement;
    const auto number = [](auto value) { return number_text(value); };
    if (m.summary.count < 0)
        fail("count", "found a negative count, expected 0 or more");
    if (m.ranks < 0)
        fail("ranks", "found " + number(std::int64_t{m.ranks}) + ", expected 0 or more ranks");
    if (m.message_bytes < 0)
        fail("message_bytes", "found " + number(m.message_bytes) + ", expected 0 or more bytes");
    if (m.chunks < 0)
        fail("chunks", "found " + number(m.chunks) + ", expected 0 or more");
    if (m.argument < 0)
        fail("argument", "found " + number(m.argument) + ", expected 0 or more");
    if (m.standard_error_s < 0)
        fail("standard_error_s",
             "found " + number(m.standard_error_s) + ", expected an error of 0 or more, or nothing");
    if (m.value_s < 0 || std::isinf(m.value_s))
        fail("value_s",
             "found " + number(m.value_s) + ", expected a time, or nothing where none was measured");
    if (std::isfinite(m.value_s) && m.summary.count == 0)
        fail("count", "found 0 single measurements beside a time, expected 1 or more");
    if (std::isfinite(m.value_s) && has(m.flags, Flag::wrong_result))
        fail("value_s", "found a time beside the flag \"" +
                            flag_words(static_cast<Flags>(Flag::wrong_result)) +
                            "\", expected nothing where the operation delivered wrong data");
    if (row.launches < 0)
        fail("launches", "found " + number(std::int64_t{row.launches}) + ", expected 0 or more");
    if (row.kind != "raw" && row.kind != "merged")
        fail("kind", "found \"" + printable(row.kind) + "\", expected \"raw\" or \"merged\"");
    if (row.kind == "raw" && row.launches > 1)
        fail("launches", "found " + number(std::int64_t{row.launches}) + " of a raw run, expected 1");
    if (!(row.interval_confidence >= 0 && row.interval_confidence <= 1))
        fail("interval_confidence",
             "found " + number(row.interval_confidence) + ", expected a share from 0 to 1");
    if (row.interval_confidence > 0 && !(row.interval_low_s <= row.interval_high_s))
        fail("interval_low_s",
             "found no interval from low to high beside a confidence of " + number(row.interval_confidence));
    if (!(m.mode_share >= 0 && m.mode_share <= 1))
        fail("mode_share", "found " + number(m.mode_share) + ", expected a share from 0 to 1");

    const auto argument_is = [&](std::string_view column, std::int64_t found) {
        if (found != m.argument)
            fail(column, "found " + number(found) + " beside the argument " + number(m.argument) +
                             ", expected the same where " + std::string(to_text(row.suite.varied)) +
                             " is varied");
    };
    if (row.suite.varied == Varied::message_length)
        argument_is("message_bytes", m.message_bytes);
    if (row.suite.varied == Varied::nodes)
        argument_is("ranks", m.ranks);
    if (row.suite.varied == Varied::chunks)
        argument_is("chunks", m.chunks);

    constexpr double digits_lost = 1e-6; // of other programs that wrote the file
    if (row.half_round_trip_s > 0 &&
        !(std::abs(2 * row.half_round_trip_s - m.value_s) <= digits_lost * m.value_s))
        fail("half_round_trip_s", "found " + number(row.half_round_trip_s) + " beside a value of " +
                                      number(m.value_s) + ", expected half of it");
    if (row.half_round_trip_s < 0)
        fail("half_round_trip_s",
             "found " + number(row.half_round_trip_s) + ", expected a number of 0 or more");
    if (row.bandwidth < 0)
        fail("bandwidth", "found " + number(row.bandwidth) + ", expected a number of 0 or more");

    const std::array<std::pair<std::string_view, double>, 5> quantiles{
        {{"minimum_s", m.summary.minimum},
         {"quartile25_s", m.summary.quartile25},
         {"median_s", m.summary.median},
         {"quartile75_s", m.summary.quartile75},
         {"maximum_s", m.summary.maximum}}};
    const std::pair<std::string_view, double>* smaller = nullptr;
    for (const auto& quantile : quantiles) {
        if (std::isnan(quantile.second))
            continue;
        if (smaller != nullptr && quantile.second < smaller->second)
            fail(quantile.first, "found " + number(quantile.second) + ", which is less than " +
                                     std::string(smaller->first) + ", " + number(smaller->second));
        smaller = &quantile;
    }

    const auto pattern_of = [](Meaning meaning) {
        switch (meaning) {
        case Meaning::round_trip:
        case Meaning::one_way:
        case Meaning::exchange:
        case Meaning::window:
        case Meaning::one_sided:
            return std::optional(Pattern::ping_pong);
        case Meaning::work:
            return std::optional(Pattern::master_worker);
        case Meaning::collective:
            return std::optional(Pattern::collective);
        case Meaning::local:
            return std::optional(Pattern::simple);
        case Meaning::unknown:
            break;
        }
        return std::optional<Pattern>();
    };
    const OperationInfo& operation = row.suite.operation;
    if (const auto expected = pattern_of(operation.meaning); expected && *expected != operation.pattern)
        fail("pattern", "found \"" + std::string(to_text(operation.pattern)) +
                            "\" beside a time that is that of: " + std::string(to_text(operation.meaning)) +
                            ", expected \"" + std::string(to_text(*expected)) + "\"");
}

/// The measurement of a row: what the file does not tell is unknown.
Measurement measurement_of(const ResultRow& row) {
    Measurement measurement = row.measurement;
    const skalib::Summary told = measurement.summary;
    measurement.summary = skalib::Summary::unknown();
    measurement.summary.count = measurement.summary.cut_count = told.count;
    measurement.summary.cut_mean = measurement.value_s;
    measurement.summary.cut_standard_error = measurement.standard_error_s;
    measurement.summary.minimum = told.minimum;
    measurement.summary.quartile25 = told.quartile25;
    measurement.summary.median = told.median;
    measurement.summary.quartile75 = told.quartile75;
    measurement.summary.maximum = told.maximum;
    if (std::isnan(measurement.adjusted_s))
        measurement.adjusted_s = measurement.value_s;
    if (row.bandwidth > 0 && measurement.message_bytes > 0) {
        const double messages = row.bandwidth * measurement.value_s *
                                directions_of(row.suite.operation.meaning) /
                                static_cast<double>(measurement.message_bytes);
        // Nearly always a whole number; what the division left of it is not meant.
        const double whole = std::round(messages);
        measurement.messages = std::abs(messages - whole) < 1e-9 * messages ? whole : messages;
    }
    return measurement;
}

Suite suite_of(const ResultRow& row) {
    Suite suite = row.suite;
    const Measurement& first = row.measurement;
    suite.family = suite.name;
    suite.operation.title = suite.operation.name;
    // Whether what is varied otherwise has lengths, too, is not known.
    if (suite.varied == Varied::message_length)
        suite.operation.varied = {suite.varied};
    // The file doesn't tell how its arguments were chosen; message lengths nearly always grow by factors.
    suite.arguments.scale =
        suite.varied == Varied::message_length ? skalib::Scale::fixed_log : skalib::Scale::fixed_linear;
    suite.arguments.start = first.argument;
    suite.arguments.end = first.argument;
    suite.message_bytes = first.message_bytes;
    suite.chunks = first.chunks;
    suite.ranks = suite.varied == Varied::nodes ? 0 : first.ranks;
    return suite;
}

} // namespace

bool looks_like_result_csv(const std::string& text) {
    std::string_view start = text;
    if (start.starts_with("\xEF\xBB\xBF"))
        start.remove_prefix(3);
    return start.starts_with("run,suite,") || start.starts_with("\"run\",\"suite\",");
}

std::vector<ImportedRun> parse_result_csv(const std::string& name, const std::string& text) {
    CsvReader csv(name, text);
    const std::optional<std::vector<CsvField>> header = csv.next();
    if (!header)
        csv.fail({}, "found an empty file, expected the columns " + result_csv_header());
    const std::vector<std::optional<std::size_t>> places = places_of_columns(csv, *header);
    const auto place_of = [&](std::string_view column) {
        const std::vector<std::string>& names = column_names();
        return places[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) -
                                               names.begin())];
    };
    std::vector<ImportedRun> runs;
    std::map<std::string, std::size_t> run_index;
    std::map<std::pair<std::size_t, std::string>, std::size_t> suite_index;
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::int64_t, std::size_t>> argument_lines;
    std::map<std::string, std::pair<OperationInfo, std::size_t>> operations; // with the line of the first
    while (const std::optional<std::vector<CsvField>> record = csv.next()) {
        if (record->size() != header->size())
            csv.fail(record->back().position, "found " + std::to_string(record->size()) +
                                                  " fields, expected " + std::to_string(header->size()) +
                                                  " as in the header");
        const auto field = [&](std::string_view column) -> const CsvField& {
            return (*record)[*place_of(column)];
        };
        ResultRow row;
        row.measurement.adjusted_s = std::numeric_limits<double>::quiet_NaN(); // should the column be missing
        for_each_field(row, FieldReader{csv, *record, places});
        const Measurement& told = row.measurement;
        refuse_contradictions(row, [&](std::string_view column, const std::string& what) {
            csv.fail(place_of(column) ? field(column).position : record->front().position, what);
        });
        const auto refuse_change = [&](std::string_view column, bool same, const std::string& what) {
            if (!same)
                csv.fail(place_of(column) ? field(column).position : record->front().position, what);
        };
        // An operation is one thing, in all suites and runs.
        const auto [operation_at, new_operation] = operations.try_emplace(
            row.suite.operation.name, row.suite.operation, record->front().position.line);
        const auto& [operation, operation_line] = operation_at->second;
        refuse_change("pattern", operation.pattern == row.suite.operation.pattern,
                      "found " + printable(operation.name) + " with pattern \"" +
                          std::string(to_text(row.suite.operation.pattern)) + "\", in line " +
                          std::to_string(operation_line) + " it has \"" +
                          std::string(to_text(operation.pattern)) + "\"");
        refuse_change("type", operation.type == row.suite.operation.type,
                      "found " + printable(operation.name) + " with type " +
                          std::to_string(row.suite.operation.type) + ", in line " +
                          std::to_string(operation_line) + " it has " + std::to_string(operation.type));

        const auto [run_at, new_run] = run_index.try_emplace(row.run, runs.size());
        if (new_run) {
            runs.emplace_back();
            runs.back().run.uuid = row.run;
            runs.back().run.parameter_file = name;
            runs.back().run.facts[fact_read_from] = "result CSV";
            runs.back().run.kind = row.kind;
            runs.back().run.host = row.host;
            runs.back().run.mpi_library = row.mpi_library;
            runs.back().run.started_utc = row.started_utc;
        }
        ImportedRun& run = runs[run_at->second];
        const auto same_in_run = [&](std::string_view column, const std::string& first,
                                     const std::string& found) {
            refuse_change(column, first == found,
                          "found \"" + printable(found) + "\", and \"" + printable(first) +
                              "\" in a former row of run " + printable(row.run));
        };
        same_in_run("kind", run.run.kind, row.kind);
        same_in_run("host", run.run.host, row.host);
        same_in_run("mpi_library", run.run.mpi_library, row.mpi_library);
        same_in_run("started_utc", run.run.started_utc, row.started_utc);
        if (row.kind == "merged")
            run.run.merged_runs = std::max(run.run.merged_runs, row.launches);
        run.run.ranks = std::max(run.run.ranks, told.ranks);

        const auto [suite_at, new_suite] =
            suite_index.try_emplace({run_at->second, row.suite.name}, run.suites.size());
        if (new_suite)
            run.suites.push_back({suite_of(row), {}, {}, {}});
        ImportedRun::ImportedSuite& suite = run.suites[suite_at->second];
        if (!(suite.suite.operation == suite_of(row).operation))
            csv.fail(
                field("operation").position,
                "found another operation, pattern or varied parameter than in the former rows of suite \"" +
                    printable(row.suite.name) + "\"");

        // What a suite does not vary is the same at all of its arguments.
        const std::string of_suite =
            " in suite \"" + printable(row.suite.name) + "\" of one run, which " +
            (suite.suite.varied == Varied::none ? "varies nothing"
                                                : "varies " + std::string(to_text(suite.suite.varied)));
        const auto fixed = [&](std::string_view column, std::int64_t first, std::int64_t found) {
            refuse_change(column, first == found,
                          "found " + std::to_string(found) + ", and " + std::to_string(first) +
                              " in a former row," + of_suite);
        };
        if (!new_suite) {
            const Measurement& first = suite.measurements.front();
            if (suite.suite.varied != Varied::nodes)
                fixed("ranks", first.ranks, told.ranks);
            if (suite.suite.varied != Varied::message_length)
                fixed("message_bytes", first.message_bytes, told.message_bytes);
            if (suite.suite.varied != Varied::chunks)
                fixed("chunks", first.chunks, told.chunks);
        }

        const auto [argument_at, new_argument] =
            argument_lines[{run_at->second, suite_at->second}].try_emplace(told.argument,
                                                                           field("argument").position.line);
        if (!new_argument)
            csv.fail(field("argument").position, "found argument " + std::to_string(told.argument) +
                                                     " of suite \"" + printable(row.suite.name) +
                                                     "\" again, it stands in line " +
                                                     std::to_string(argument_at->second));
        suite.suite.arguments.start = std::min(suite.suite.arguments.start, told.argument);
        suite.suite.arguments.end = std::max(suite.suite.arguments.end, told.argument);
        suite.measurements.push_back(measurement_of(row));
        std::optional<MergeFacts>& facts = suite.merged.emplace_back();
        if (row.kind == "merged") {
            facts.emplace();
            facts->runs = facts->measured_runs = row.launches;
            facts->interval_low_s = row.interval_low_s;
            facts->interval_high_s = row.interval_high_s;
            facts->interval_confidence = row.interval_confidence;
            // The launches' own values are not in the file. Their range is known of a single one, and where
            // they were too few for an interval of the usual confidence, so that it is their range.
            constexpr double usual_confidence = 0.95;
            constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
            const bool is_one = row.launches == 1;
            const bool is_range = row.interval_confidence > 0 && row.interval_confidence < usual_confidence;
            facts->minimum_s = is_one ? told.value_s : is_range ? row.interval_low_s : unknown;
            facts->maximum_s = is_one ? told.value_s : is_range ? row.interval_high_s : unknown;
            facts->mad_s = facts->between_runs_error_s = is_one ? 0 : unknown;
        }
    }
    return runs;
}

std::string result_csv_header() {
    std::string header;
    for (const std::string& name : column_names())
        header += (header.empty() ? "" : ",") + name;
    return header;
}

std::string result_csv_line(const ResultRow& row) {
    std::string line;
    bool first = true;
    for_each_field(row, [&]<typename Value>(const Field&, const Value& value) {
        if (!std::exchange(first, false))
            line += ',';
        if constexpr (std::is_same_v<Value, double>)
            line += std::isnan(value) ? "" : field_text(value); // an empty field, as in SQL
        else if constexpr (std::is_arithmetic_v<Value>)
            line += field_text(value);
        else
            line += for_csv(field_text(value));
    });
    return line;
}

} // namespace skampi
