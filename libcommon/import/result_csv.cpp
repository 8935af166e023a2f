// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/result_csv.hpp"

#include "base/text.hpp"
#include "import/csv_reader.hpp"
#include "import/imported_runs.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace skampi {

namespace {

const std::vector<std::string>& column_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        const ResultRow row;
        for_each_field(row, [&](const Field& field, const auto&) { list.emplace_back(field.name); });
        return list;
    }();
    return names;
}

constexpr const char* csv_kind = "result CSV";

/// Without these a row says nothing.
constexpr auto columns_needed =
    std::to_array<std::string_view>({"run", "suite", "operation", "varied", "argument", "value_s", "count"});

/// The columns of settings of suites: an empty field is an unknown setting.
bool is_setting_column(std::string_view column) {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> list;
        const Suite any;
        for_each_field(any, [&](const SuiteField& field, const auto&) {
            if (field.is(in_result) && is_setting(field.name))
                list.emplace_back(field.name);
        });
        return list;
    }();
    return std::ranges::find(names, column) != names.end();
}

/// Fills one row from the fields of a record.
struct FieldReader {
    const CsvReader& csv;
    const std::vector<std::optional<std::size_t>>& places; ///< of each column in the record
    Suite& suite; ///< of the row; its settings are unknown until they are read
    std::size_t column = 0;

    template <typename Value>
    void operator()(const Field& named, Value&& value) {
        using Plain = std::remove_cvref_t<Value>;
        const auto place = places[column++];
        if (!place)
            return;
        const std::string& found = csv.record()[*place];
        // As result_csv_line() wrote it.
        const std::string text(std::is_arithmetic_v<Plain> ? std::string_view(found) : from_csv(found));
        const std::string_view name = named.name;
        if (is_setting_column(name)) {
            // Of an operation that reduces nothing it is empty.
            if (text.empty() && !(name == "reduction" && knows(suite, "datatype")))
                return;
            learn(suite, name);
        }
        bool taken = false;
        if constexpr (std::is_same_v<Plain, double>) {
            value = std::numeric_limits<double>::quiet_NaN();
            const bool can_be_negative = name != "value_s" && name != "standard_error_s";
            taken = text.empty() || (set_field(text, value) && (can_be_negative || !(value < 0)));
        } else if constexpr (std::is_integral_v<Plain>) {
            taken = set_field(text, value) && !std::signbit(static_cast<double>(value));
        } else {
            taken = set_field(text, value);
        }
        if (!taken)
            csv.fail("found \"" + printable(found) + "\" as " + std::string(name) + ", expected " +
                     (std::is_integral_v<Plain>     ? "a whole number of 0 or more"
                      : std::is_arithmetic_v<Plain> ? "a number of 0 or more"
                                                    : named.meaning));
    }
};

/// Where each column of ResultRow stands in the header.
std::vector<std::optional<std::size_t>> places_of_columns(const CsvReader& csv) {
    const std::vector<std::string>& names = column_names();
    std::vector<std::optional<std::size_t>> places(names.size());
    for (std::size_t i = 0; i < csv.record().size(); ++i) {
        const std::string& title = csv.record()[i];
        const auto found = std::ranges::find(names, title);
        if (found == names.end())
            csv.fail("found an unknown column \"" + printable(title) + "\", expected the columns " +
                     result_csv_header());
        auto& place = places[static_cast<std::size_t>(found - names.begin())];
        if (place)
            csv.fail("found the column \"" + title + "\" twice");
        place = i;
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!places[i] && std::ranges::find(columns_needed, names[i]) != columns_needed.end())
            csv.fail("found no column \"" + names[i] + "\", expected the columns " + result_csv_header());
    return places;
}

/// The measurement of a row: what the file does not say is unknown.
Measurement measurement_of(const ResultRow& row) {
    Measurement measurement = row.measurement;
    measurement.summary.cut_count = measurement.summary.count;
    measurement.summary.cut_mean = measurement.value_s;
    measurement.summary.cut_standard_error = measurement.standard_error_s;
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

Run run_of(const ResultRow& row) {
    Run run;
    run.uuid = row.run;
    run.facts[fact_read_from] = csv_kind;
    run.kind = row.kind;
    run.host = row.host;
    run.mpi_library = row.mpi_library;
    run.started_utc = row.started_utc;
    run.variant = row.variant;
    return run;
}

/// What a merged run's row says of its launches; nothing of a raw one.
std::optional<MergeFacts> merge_facts_of(const ResultRow& row) {
    if (row.kind != "merged")
        return std::nullopt;
    MergeFacts facts;
    facts.runs = facts.measured_runs = row.launches;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const bool is_interval = row.error.starts_with("interval");
    facts.interval_low_s = is_interval ? row.low : unknown;
    facts.interval_high_s = is_interval ? row.high : unknown;
    facts.interval_confidence = row.interval_confidence;
    facts.in_a_row = row.error == "interval_in_a_row";
    facts.value_kind = row.error == "range_of_minimum" ? "min" : "";
    // The launches' own values are not in the file. Their range is known of a single one, and where the file
    // holds it in place of an interval.
    const double value_s = row.measurement.value_s;
    const bool is_one = row.launches == 1;
    const bool is_range = row.error.starts_with("range");
    facts.minimum_s = is_one ? value_s : is_range ? row.low : unknown;
    facts.maximum_s = is_one ? value_s : is_range ? row.high : unknown;
    facts.mad_s = facts.between_runs_error_s = is_one ? 0 : unknown;
    return facts;
}

/// Reads a result CSV row by row. What has been read is with the sink; of runs and suites only that is kept
/// which their other rows, wherever these stand, are compared with.
class ResultCsvImport {
public:
    ResultCsvImport(TextSource& text, ImportSink& sink)
        : csv_(text)
        , sink_(sink) {}

    void read() {
        if (!csv_.next())
            csv_.fail("found an empty file, expected the columns " + result_csv_header());
        const std::size_t columns = csv_.record().size();
        const std::vector<std::optional<std::size_t>> places = places_of_columns(csv_);
        while (csv_.next()) {
            if (csv_.record().size() != columns)
                csv_.fail("found " + std::to_string(csv_.record().size()) + " fields, expected " +
                          std::to_string(columns) + " as in the header");
            ResultRow row;
            row.measurement = without_value(row.measurement); // of what the columns do not say
            forget_settings(row.suite);
            for_each_field(row, FieldReader{csv_, places, row.suite});
            add(row);
        }
        for (const auto& [run_and_name, suite] : suites_)
            sink_.end_suite(suite.id, whole(suite), {});
        for (const KnownRun& known : runs_)
            sink_.end_run(known.id, known.run);
    }

private:
    struct KnownRun {
        RunId id;
        Run run;
    };
    /// Of a suite of a run: there are as many as runs times suites.
    struct KnownSuite {
        SuiteId id;
        const Suite* measured; ///< what it measures, shared by all runs that do
        int ranks;             ///< these in the first row of this run
        std::int64_t message_bytes;
        std::int64_t chunks;
        std::int64_t smallest; ///< arguments so far
        std::int64_t largest;
    };

    void add(const ResultRow& row) {
        const Measurement& stated = row.measurement;
        KnownRun& run = run_of_row(row);
        KnownSuite& suite = suite_of_row(row, run.id);
        if (const auto known = sink_.add(suite.id, static_cast<std::int64_t>(csv_.line()),
                                         measurement_of(row), merge_facts_of(row)))
            csv_.fail("found argument " + std::to_string(stated.argument) + " of suite \"" +
                      printable(row.suite.name) + "\" again, it stands in line " + std::to_string(*known));
        suite.smallest = std::min(suite.smallest, stated.argument);
        suite.largest = std::max(suite.largest, stated.argument);
        if (row.kind == "merged")
            run.run.merged_runs = std::max(run.run.merged_runs, row.launches);
        run.run.ranks = std::max(run.run.ranks, stated.ranks);
    }

    KnownRun& run_of_row(const ResultRow& row) {
        const auto [at, is_new] = run_places_.try_emplace(row.run, runs_.size());
        const Run found = run_of(row);
        if (is_new) {
            if (row.kind != "raw" && row.kind != "merged")
                csv_.fail("found \"" + printable(row.kind) + "\", expected raw or merged as kind");
            runs_.push_back({sink_.begin_run(found), found});
        }
        KnownRun& known = runs_[at->second];
        for (const auto member :
             {&Run::kind, &Run::host, &Run::mpi_library, &Run::started_utc, &Run::variant})
            if (known.run.*member != found.*member)
                csv_.fail("found \"" + printable(found.*member) + "\", and \"" +
                          printable(known.run.*member) + "\" in a former row of run " + printable(row.run));
        return known;
    }

    KnownSuite& suite_of_row(const ResultRow& row, RunId run) {
        const Measurement& m = row.measurement;
        const Suite* const measured = measured_as(row.suite);
        const auto [at, is_new] =
            suites_.try_emplace({run, row.suite.name}, KnownSuite{0, measured, m.ranks, m.message_bytes,
                                                                  m.chunks, m.argument, m.argument});
        KnownSuite& suite = at->second;
        if (is_new)
            suite.id = sink_.begin_suite(run, whole(suite));
        // What a suite does not vary is the same at all of its arguments.
        const Varied varied = row.suite.varied;
        if (suite.measured != measured || (varied != Varied::nodes && suite.ranks != m.ranks) ||
            (varied != Varied::message_length && suite.message_bytes != m.message_bytes) ||
            (varied != Varied::chunks && suite.chunks != m.chunks))
            csv_.fail(
                "found another operation, setting, number of ranks, message length or number of chunks than "
                "in the former rows of suite \"" +
                printable(row.suite.name) + "\"");
        return suite;
    }

    /// What rows of any run say of one suite.
    const Suite* measured_as(const Suite& stated) {
        std::string text = stated.unknown_fields + '\n' + stated.name;
        for_each_field(stated, [&](const SuiteField& field, const auto& value) {
            if (field.is(in_result))
                text += '\n' + field_text(value);
        });
        const auto [at, is_new] = measured_.try_emplace(std::move(text), stated);
        Suite& suite = at->second;
        if (is_new) {
            suite.family = suite.name;
            suite.operation.title = suite.operation.name;
            // Whether what is varied otherwise has lengths, too, is not known.
            if (suite.varied == Varied::message_length)
                suite.operation.varied = {suite.varied};
        }
        return &suite;
    }

    /// All that is known of a suite by now.
    static Suite whole(const KnownSuite& known) {
        Suite suite = *known.measured;
        suite.arguments.start = known.smallest;
        suite.arguments.end = known.largest;
        tell(suite, "message_bytes", &Suite::message_bytes, known.message_bytes);
        tell(suite, "chunks", &Suite::chunks, known.chunks);
        suite.ranks = suite.varied == Varied::nodes ? 0 : known.ranks;
        if (suite.ranks > 0)
            learn(suite, "ranks");
        return suite;
    }

    CsvReader csv_;
    ImportSink& sink_;
    std::vector<KnownRun> runs_;
    std::unordered_map<std::string, std::size_t> run_places_; ///< by uuid
    std::unordered_map<std::string, Suite> measured_;
    std::map<std::pair<RunId, std::string>, KnownSuite> suites_;
};

/// Whether a text begins like a result CSV, so that its errors are those of a result CSV.
bool is_result_csv(const std::string& beginning) {
    std::string_view start = beginning;
    if (start.starts_with("\xEF\xBB\xBF"))
        start.remove_prefix(3);
    return start.starts_with("run,suite,") || start.starts_with("\"run\",\"suite\",");
}

} // namespace

/// RFC 4180; LF or CRLF; a byte order mark is allowed. Rows of several runs and suites may stand in any
/// order.
extern const Importer result_csv_importer{
    csv_kind, {}, is_result_csv, [](const Importer&, TextSource& text, ImportSink& sink) {
        ResultCsvImport(text, sink).read();
    }};

std::string result_csv_header() {
    std::string header;
    for (const std::string& name : column_names())
        header += (header.empty() ? "" : ",") + name;
    return header;
}

std::string result_csv_line(const ResultRow& row) {
    std::string line;
    bool first = true;
    for_each_field(row, [&]<typename Value>(const Field& field, const Value& value) {
        if (!std::exchange(first, false))
            line += ',';
        if (is_setting_column(field.name) && is_unknown(row.suite, field.name))
            return;
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
