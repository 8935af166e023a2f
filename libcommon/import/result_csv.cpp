#include "import/result_csv.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "import/csv_reader.hpp"
#include "import/importer.hpp"
#include "import/result_contradictions.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
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

/// They came later. So did all settings of suites.
constexpr auto columns_that_may_be_missing = std::to_array<std::string_view>(
    {"argument_name", "argument_unit", "mode", "mode_share", "adjusted_s", "meaning", "launches",
     "interval_low_s", "interval_high_s", "interval_confidence", "half_round_trip_s", "bandwidth", "host",
     "mpi_library", "started_utc", "kind", "variant", "round"});

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

constexpr std::string_view reduction = "reduction";

/// Fills one row from the fields of a record.
struct FieldReader {
    const CsvReader& csv;
    const std::vector<std::optional<std::size_t>>& places; ///< of each column in the record
    Suite& suite; ///< of the row; its settings are unknown until they are read
    std::size_t column = 0;

    template <typename Value>
    void operator()(const Field& named, Value&& value) {
        const auto place = places[column++];
        if (!place)
            return;
        const CsvField& found = csv.record()[*place];
        // As result_csv_line() wrote it.
        const std::string text(std::is_arithmetic_v<std::remove_cvref_t<Value>> ? std::string_view(found.text)
                                                                                : from_csv(found.text));
        if (is_setting_column(named.name)) {
            // Of an operation that reduces nothing it is empty.
            const bool told = !text.empty() || (named.name == reduction && knows(suite, "datatype"));
            if (!told)
                return;
            learn(suite, named.name);
        }
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
std::vector<std::optional<std::size_t>> places_of_columns(const CsvReader& csv) {
    const std::vector<CsvField>& header = csv.record();
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
        if (!places[i] && !is_setting_column(names[i]) &&
            std::ranges::find(columns_that_may_be_missing, names[i]) == columns_that_may_be_missing.end())
            csv.fail(header.front().position,
                     "found no column \"" + names[i] + "\", expected the columns " + result_csv_header());
    return places;
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

Run run_of(const ResultRow& row, const std::string& file) {
    Run run;
    run.uuid = row.run;
    run.parameter_file = file;
    run.facts[fact_read_from] = csv_kind;
    run.kind = row.kind;
    run.host = row.host;
    run.mpi_library = row.mpi_library;
    run.started_utc = row.started_utc;
    run.variant = row.variant;
    return run;
}

/// What a merged run's row tells of its launches; nothing of a raw one.
std::optional<MergeFacts> merge_facts_of(const ResultRow& row) {
    if (row.kind != "merged")
        return std::nullopt;
    MergeFacts facts;
    facts.runs = facts.measured_runs = row.launches;
    facts.interval_low_s = row.interval_low_s;
    facts.interval_high_s = row.interval_high_s;
    facts.interval_confidence = row.interval_confidence;
    // The launches' own values are not in the file. Their range is known of a single one, and where they were
    // too few for an interval of the usual confidence, so that it is their range.
    constexpr double usual_confidence = 0.95;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const double value_s = row.measurement.value_s;
    const bool is_one = row.launches == 1;
    const bool is_range = row.interval_confidence > 0 && row.interval_confidence < usual_confidence;
    facts.minimum_s = is_one ? value_s : is_range ? row.interval_low_s : unknown;
    facts.maximum_s = is_one ? value_s : is_range ? row.interval_high_s : unknown;
    facts.mad_s = facts.between_runs_error_s = is_one ? 0 : unknown;
    return facts;
}

/// Reads a result CSV row by row. What has been read is with the sink; of runs and suites only that is kept
/// which their other rows, wherever these stand, are compared with.
class ResultCsvImport {
public:
    ResultCsvImport(TextSource& text, ImportSink& sink)
        : file_(text.name())
        , csv_(text)
        , sink_(sink) {}

    void read() {
        if (!csv_.next())
            csv_.fail({}, "found an empty file, expected the columns " + result_csv_header());
        const std::size_t columns = csv_.record().size();
        places_ = places_of_columns(csv_);
        while (csv_.next()) {
            const std::vector<CsvField>& record = csv_.record();
            if (record.size() != columns)
                csv_.fail(record.back().position, "found " + std::to_string(record.size()) +
                                                      " fields, expected " + std::to_string(columns) +
                                                      " as in the header");
            ResultRow row;
            row.measurement.adjusted_s = std::numeric_limits<double>::quiet_NaN(); // if the column is missing
            forget_settings(row.suite);
            for_each_field(row, FieldReader{csv_, places_, row.suite});
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
    /// What two suites of one name, in any runs, may differ in beside what is fixed while one thing is
    /// varied.
    using Measured =
        std::tuple<std::string, std::string, Meaning, Varied, std::string>; // name, ..., settings
    /// Of a suite of a run: there are as many as runs times suites.
    struct KnownSuite {
        SuiteId id;
        const Suite* measured; ///< what it measures, as in the first row of any run that does
        int ranks;             ///< these in the first row of this run
        std::int64_t message_bytes;
        std::int64_t chunks;
        std::int64_t smallest; ///< arguments so far
        std::int64_t largest;
    };
    struct KnownOperation {
        OperationInfo operation;
        std::size_t line; ///< where it is first
    };

    /// Of the row being read; that of the whole row where the column is missing.
    [[nodiscard]] Position position_of(std::string_view column) const {
        const std::vector<std::string>& names = column_names();
        const auto place =
            places_[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())];
        return csv_.record()[place.value_or(0)].position;
    }
    [[noreturn]] void fail(std::string_view column, const std::string& what) const {
        csv_.fail(position_of(column), what);
    }

    void add(const ResultRow& row) {
        refuse_contradictions(row,
                              [&](std::string_view column, const std::string& what) { fail(column, what); });
        refuse_other_operation(row);
        const std::size_t run = run_of_row(row);
        KnownSuite& suite = suite_of_row(row, run);
        const Measurement& told = row.measurement;
        const std::size_t line = position_of("argument").line;
        if (const auto known = sink_.add(suite.id, static_cast<std::int64_t>(line), measurement_of(row),
                                         merge_facts_of(row)))
            fail("argument", "found argument " + std::to_string(told.argument) + " of suite \"" +
                                 printable(row.suite.name) + "\" again, it stands in line " +
                                 std::to_string(*known));
        suite.smallest = std::min(suite.smallest, told.argument);
        suite.largest = std::max(suite.largest, told.argument);
        Run& of = runs_[run].run;
        if (row.kind == "merged")
            of.merged_runs = std::max(of.merged_runs, row.launches);
        of.ranks = std::max(of.ranks, told.ranks);
    }

    /// An operation is one thing, in all suites and runs.
    void refuse_other_operation(const ResultRow& row) {
        const OperationInfo& found = row.suite.operation;
        const auto [at, is_new] =
            operations_.try_emplace(found.name, KnownOperation{found, csv_.record().front().position.line});
        const auto& [operation, line] = at->second;
        if (operation.pattern != found.pattern)
            fail("pattern", "found " + printable(operation.name) + " with pattern \"" +
                                std::string(to_text(found.pattern)) + "\", in line " + std::to_string(line) +
                                " it has \"" + std::string(to_text(operation.pattern)) + "\"");
        if (operation.type != found.type)
            fail("type", "found " + printable(operation.name) + " with type " + std::to_string(found.type) +
                             ", in line " + std::to_string(line) + " it has " +
                             std::to_string(operation.type));
    }

    /// @return its place among the runs
    std::size_t run_of_row(const ResultRow& row) {
        const auto [at, is_new] = run_places_.try_emplace(row.run, runs_.size());
        if (is_new) {
            const Run run = run_of(row, file_);
            runs_.push_back({sink_.begin_run(run), run});
        }
        const Run& known = runs_[at->second].run;
        const auto same = [&](const char* column, const std::string& first, const std::string& found) {
            if (first != found)
                fail(column, "found \"" + printable(found) + "\", and \"" + printable(first) +
                                 "\" in a former row of run " + printable(row.run));
        };
        same("kind", known.kind, row.kind);
        same("host", known.host, row.host);
        same("mpi_library", known.mpi_library, row.mpi_library);
        same("started_utc", known.started_utc, row.started_utc);
        same("variant", known.variant, row.variant);
        return at->second;
    }

    KnownSuite& suite_of_row(const ResultRow& row, std::size_t run) {
        const Suite& told = row.suite;
        const Measurement& m = row.measurement;
        const std::size_t name = suite_names_.try_emplace(told.name, suite_names_.size()).first->second;
        const auto measured =
            measured_
                .try_emplace(Measured(told.name, told.operation.name, told.operation.meaning, told.varied,
                                      settings_of(told)),
                             suite_of(row))
                .first;
        const auto [at, is_new] = suites_.try_emplace({run, name});
        KnownSuite& suite = at->second;
        if (is_new) {
            suite = {0, &measured->second, m.ranks, m.message_bytes, m.chunks, m.argument, m.argument};
            suite.id = sink_.begin_suite(runs_[run].id, whole(suite));
            return suite;
        }
        if (suite.measured != &measured->second)
            fail("operation",
                 "found another operation, pattern, varied parameter or setting than in the former rows of "
                 "suite \"" +
                     printable(told.name) + "\"");
        // What a suite does not vary is the same at all of its arguments.
        const auto fixed = [&](Varied varied, const char* column, std::int64_t first, std::int64_t found) {
            if (told.varied != varied && first != found)
                fail(column,
                     "found " + std::to_string(found) + ", and " + std::to_string(first) +
                         " in a former row, in suite \"" + printable(told.name) + "\" of one run, which " +
                         (told.varied == Varied::none ? "varies nothing"
                                                      : "varies " + std::string(to_text(told.varied))));
        };
        fixed(Varied::nodes, "ranks", suite.ranks, m.ranks);
        fixed(Varied::message_length, "message_bytes", suite.message_bytes, m.message_bytes);
        fixed(Varied::chunks, "chunks", suite.chunks, m.chunks);
        return suite;
    }

    static std::string settings_of(const Suite& suite) {
        std::string text = suite.unknown_fields;
        for_each_field(suite, [&](const SuiteField& field, const auto& value) {
            if (field.is(in_result) && is_setting(field.name))
                text += '\n' + field_text(value);
        });
        return text;
    }

    /// What a row tells of its suite that is the same in other runs.
    static Suite suite_of(const ResultRow& row) {
        Suite suite = row.suite;
        suite.family = suite.name;
        suite.operation.title = suite.operation.name;
        // Whether what is varied otherwise has lengths, too, is not known.
        if (suite.varied == Varied::message_length)
            suite.operation.varied = {suite.varied};
        return suite;
    }

    /// All that is known of a suite by now.
    static Suite whole(const KnownSuite& known) {
        Suite suite = *known.measured;
        suite.arguments.start = known.smallest;
        suite.arguments.end = known.largest;
        suite.message_bytes = known.message_bytes;
        suite.chunks = known.chunks;
        suite.ranks = suite.varied == Varied::nodes ? 0 : known.ranks;
        learn(suite, "message_bytes");
        learn(suite, "chunks");
        if (suite.ranks > 0)
            learn(suite, "ranks");
        return suite;
    }

    std::string file_;
    CsvReader csv_;
    ImportSink& sink_;
    std::vector<std::optional<std::size_t>> places_; ///< of the columns
    std::map<std::string, KnownOperation> operations_;
    std::vector<KnownRun> runs_;
    std::unordered_map<std::string, std::size_t> run_places_; ///< by uuid
    std::map<Measured, Suite> measured_;
    std::unordered_map<std::string, std::size_t> suite_names_;
    std::map<std::pair<std::size_t, std::size_t>, KnownSuite>
        suites_; ///< by places of the run and of the name
};

/// Whether a text begins like a result CSV, so that its errors are those of a result CSV.
bool is_result_csv(const std::string& beginning) {
    std::string_view start = beginning;
    if (start.starts_with("\xEF\xBB\xBF"))
        start.remove_prefix(3);
    return start.starts_with("run,suite,") || start.starts_with("\"run\",\"suite\",");
}

/// Reads a result CSV (RFC 4180; LF or CRLF; a byte order mark is allowed), row by row: rows of several runs
/// and suites may stand in any order. The columns that came later may be missing.
void read_result_csv(TextSource& text, ImportSink& sink) {
    ResultCsvImport(text, sink).read();
}

} // namespace

extern const Importer result_csv_importer{csv_kind, is_result_csv, read_result_csv};

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
