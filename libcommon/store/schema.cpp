// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/schema.hpp"

#include "model/bus_bandwidth.hpp"
#include "model/clock_estimate.hpp"
#include "model/measurement.hpp"
#include "model/pair_map.hpp"
#include "model/result_row.hpp"
#include "model/run.hpp"
#include "model/session.hpp"
#include "model/stored.hpp"
#include "model/suite.hpp"
#include "tuning/rule.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skampi {

namespace {

template <typename Value>
constexpr bool is_optional = false;
template <typename Value>
constexpr bool is_optional<std::optional<Value>> = true;

/// The type of a column. A double that is not a number is stored as NULL.
template <typename Value>
const char* column_type() {
    if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>)
        return "REAL";
    else if constexpr (is_optional<Value>)
        return "INTEGER";
    else if constexpr (std::is_integral_v<Value>)
        return "INTEGER NOT NULL";
    else if constexpr (std::is_same_v<Value, EmptyIsNull<const std::string>>)
        return "TEXT";
    else
        return "TEXT NOT NULL";
}

struct ColumnText {
    std::string name;
    std::string type;
    std::string meaning;
};

/// A table of rows that are structs of the model, between columns that tie it to others.
class Table {
public:
    explicit Table(std::string name)
        : name_(std::move(name)) {}

    Table& column(const char* name, const char* type, const char* meaning = "") {
        columns_.push_back({name, type, meaning});
        return *this;
    }
    template <typename Row>
    Table& fields() {
        const Row row{};
        for_each_field(row, AddColumn{columns_});
        return *this;
    }
    Table& constraint(const char* text) {
        constraints_.emplace_back(text);
        return *this;
    }
    [[nodiscard]] std::string sql(const char* options = "STRICT") const {
        std::size_t widest = 0;
        for (const ColumnText& column : columns_)
            widest = std::max(widest, column.name.size());
        std::string text = "CREATE TABLE " + name_ + " (\n";
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const ColumnText& column = columns_[i];
            const bool last = i + 1 == columns_.size() && constraints_.empty();
            text += "    " + column.name + std::string(widest - column.name.size() + 1, ' ') + column.type +
                    (last ? "" : ",") + (column.meaning.empty() ? "" : " -- " + column.meaning) + "\n";
        }
        for (std::size_t i = 0; i < constraints_.size(); ++i)
            text += "    " + constraints_[i] + (i + 1 < constraints_.size() ? ",\n" : "\n");
        return text + ") " + options + ";\n\n";
    }

private:
    struct AddColumn {
        std::vector<ColumnText>& columns;
        template <typename Value>
        void operator()(const Field& field, const Value&) {
            columns.push_back({field.name, column_type<Value>(), field.meaning});
        }
        /// An unknown setting is NULL.
        template <typename Value>
        void operator()(const SuiteField& field, const Value&) {
            std::string type = column_type<Value>();
            if (is_setting(field.name))
                type = type.substr(0, type.find(" NOT NULL"));
            columns.push_back({field.name, std::move(type), field.meaning});
        }
    };

    std::string name_;
    std::vector<ColumnText> columns_;
    std::vector<std::string> constraints_;
};

constexpr const char* of_run = "INTEGER NOT NULL REFERENCES run ON DELETE CASCADE";
constexpr const char* of_suite = "INTEGER NOT NULL REFERENCES suite ON DELETE CASCADE";
constexpr const char* of_measurement = "INTEGER NOT NULL REFERENCES measurement ON DELETE CASCADE";
constexpr const char* clustered = "STRICT, WITHOUT ROWID";

/// A table of rows that belong to a row of another one, in an order.
template <typename Row>
std::string list_table(const char* name, const std::string& owner, const char* ordinal_meaning,
                       const char* owner_meaning = "") {
    return Table(name)
        .column(owner.c_str(), ("INTEGER NOT NULL REFERENCES " + owner + " ON DELETE CASCADE").c_str(),
                owner_meaning)
        .column("ordinal", "INTEGER NOT NULL", ordinal_meaning)
        .template fields<Row>()
        .constraint(("PRIMARY KEY (" + owner + ", ordinal)").c_str())
        .sql(clustered);
}

/// Sessions of variants that are launched in turns. Their launches are runs: run.session.
std::string session_tables_sql() {
    const char* const number = "INTEGER NOT NULL";
    const char* const of_session = "INTEGER NOT NULL REFERENCES session ON DELETE CASCADE";
    return Table("session")
               .column("id", "INTEGER PRIMARY KEY")
               .fields<Session>()
               .column("checksum", number,
                       "of this row and its rows in variant, variant_setting, session_failure")
               .constraint("UNIQUE (uuid)")
               .sql() +
           Table("variant")
               .column("session", of_session)
               .column("ordinal", number, "order in which they were given, from 0: the reference")
               .fields<Variant>()
               .constraint("PRIMARY KEY (session, ordinal)")
               .constraint("UNIQUE (session, name)")
               .sql(clustered) +
           Table("variant_setting")
               .column("session", of_session)
               .column("variant", number, "variant.ordinal")
               .column("name", "TEXT NOT NULL", "variable of the ranks' environment that the variant changes")
               .column("value", "TEXT", "NULL = it is removed")
               .constraint("PRIMARY KEY (session, variant, name)")
               .sql(clustered) +
           Table("session_failure")
               .column("id", "INTEGER PRIMARY KEY", "order of the failures")
               .column("session", of_session)
               .fields<SessionFailure>()
               .sql();
}

/// Tuning files that were made of runs, and what was decided for them.
std::string tuning_tables_sql() {
    const char* const number = "INTEGER NOT NULL";
    return Table("tuning_file")
               .column("id", "INTEGER PRIMARY KEY", "order in which they were made")
               .fields<TuningFile>()
               .column("checksum", number, "of this row and its rows in rule")
               .sql() +
           list_table<TuningRule>("rule", "tuning_file", "from 0");
}

std::string tables_sql() {
    const char* const number = "INTEGER NOT NULL";
    const char* const text = "TEXT NOT NULL";
    return Table("run")
               .column("id", "INTEGER PRIMARY KEY")
               .fields<Run>()
               .column("suites", number, "number of its rows in suite")
               .column("events", number, "number of its rows in event")
               .column("checksum", number,
                       "of this row and its rows in run_fact, run_setting, rank, merged_run, "
                       "differing_fact, forced_difference, detour, event")
               .constraint("UNIQUE (uuid)")
               .constraint("CHECK (kind IN ('raw', 'merged'))")
               .sql() +
           Table("inventory")
               .column("id", "INTEGER PRIMARY KEY CHECK (id = 1)", "one row, made with the file")
               .column("runs", number, "number of rows in run")
               .column("checksum", number, "of the uuids of all runs, chained in the order of run.id")
               .sql() +
           Table("run_fact")
               .column("run", of_run)
               .column("name", text, "cpu model, kernel, governor, ...")
               .column("value", text)
               .constraint("PRIMARY KEY (run, name)")
               .sql(clustered) +
           Table("run_setting")
               .column("run", of_run)
               .column("name", text, "environment variable that the MPI library acts on")
               .column("value", text)
               .constraint("PRIMARY KEY (run, name)")
               .sql(clustered) +
           list_table<RankFacts>("rank", "run", "from 0; raw: the number of the rank") +
           list_table<MergedSource>("merged_run", "run",
                                    "of one of the runs that it was merged from, from 0, oldest first",
                                    "a merged run") +
           list_table<DifferingFact>("differing_fact", "run", "from 0, by name", "a merged run") +
           list_table<ForcedDifference>("forced_difference", "run", "from 0",
                                        "a run that was merged with --force") +
           list_table<CoreDetours>("detour", "run", "from 0", "of skampi-run links") +
           Table("suite")
               .column("id", "INTEGER PRIMARY KEY")
               .column("run", of_run)
               .fields<StoredSuite>()
               .column("measurements", number, "number of its rows in measurement")
               .column("checksum", number,
                       "of this row, its rows in suite_fact and clock_estimate, and the uuid of its run")
               .constraint("UNIQUE (run, ordinal)")
               .constraint("UNIQUE (run, name)")
               .constraint("CHECK (state IN ('open', 'finished', 'put off', 'failed'))")
               .sql() +
           Table("suite_fact")
               .column("suite", of_suite)
               .column("name", text, "partner, pages (of rank 0's buffers), hosts, ...")
               .column("value", text)
               .constraint("PRIMARY KEY (suite, name)")
               .sql(clustered) +
           list_table<ClockEstimate>("clock_estimate", "suite", "order of the estimates, from 0") +
           Table("measurement")
               .column("id", "INTEGER PRIMARY KEY")
               .column("suite", of_suite)
               .fields<StoredMeasurement>()
               .column("batches", number, "number of its rows in batch")
               .column("checksum", number,
                       "of this row, its rows in mode, node_time, merge_fact, source and source_node_time, "
                       "the name of its suite and the uuid of its run")
               .constraint("UNIQUE (suite, argument)")
               .sql() +
           list_table<ModeValue>("mode", "measurement", "from 0") +
           list_table<NodeTime>("node_time", "measurement", "from 0") +
           Table("stretch")
               .column("id", "INTEGER PRIMARY KEY")
               .column("measurement", of_measurement)
               .fields<Stretch>()
               .sql() +
           Table("batch")
               .column("id", "INTEGER PRIMARY KEY")
               .column("measurement", of_measurement)
               .column("ordinal", number, "order of the batches, from 0")
               .fields<Batch>()
               .column("stretch", number, "stretch.id: how it and its neighbours were made")
               .column("node_ranks", number, "number of ranks whose times durations_s holds")
               .column(
                   "durations_s", "BLOB NOT NULL",
                   "32-bit floats, little-endian: time per call of each single measurement, overhead not "
                   "subtracted; then the times of each rank (stretch.listed_ranks), NaN where a rank took no part")
               .column("checksum", number, "of this row, its stretch, argument, suite and run")
               .constraint("UNIQUE (measurement, ordinal)")
               .sql() +
           Table("merge_fact")
               .column("measurement", "INTEGER PRIMARY KEY REFERENCES measurement ON DELETE CASCADE")
               .fields<MergeFacts>()
               .sql() +
           list_table<Source>("source", "measurement", "from 0") +
           Table("source_node_time")
               .column("measurement", of_measurement, "the merged measurement")
               .column("source", number, "source.ordinal")
               .column("ordinal", number, "from 0")
               .fields<NodeTime>()
               .constraint("PRIMARY KEY (measurement, source, ordinal)")
               .sql(clustered) +
           Table("event")
               .column("id", "INTEGER PRIMARY KEY", "order of the events")
               .column("run", of_run)
               .fields<Event>()
               .sql() +
           Table("pair_map")
               .column("id", "INTEGER PRIMARY KEY", "order in which they were measured")
               .column("run", of_run)
               .fields<PairMap>()
               .column("pairs", "BLOB NOT NULL",
                       "of each pair the rank that begins, the other (32-bit integers) and half of the round "
                       "trip in seconds (32-bit float), all little-endian")
               .column("checksum", number, "of this row and its run's uuid")
               .sql() +
           session_tables_sql() + tuning_tables_sql();
}

/// The fields in the result, "suite.varied AS varied, ...", and what is computed from them.
std::string result_view_sql() {
    std::string columns;
    const auto add = [&](const char* table, const char* column, const char* name) {
        columns += std::string(columns.empty() ? "" : ", ") + table + "." + column + " AS " + name;
    };
    const auto add_fields = [&]<typename Row>(const char* table, const Row& row) {
        for_each_field(row, [&](const Field& field, const auto&) {
            if (field.is(in_result))
                add(table, field.name, field.name);
        });
    };
    add("run", "uuid", "run");
    add("suite", "name", "suite");
    add_fields("suite", Suite{});
    add_fields("measurement", Measurement{});
    // As value_error() says, without regard to who reads it: NULL stands for what is not a number.
    const std::string has_interval = "merge_fact.runs >= 5 AND (merge_fact.interval_confidence > 0 OR "
                                     "(merge_fact.in_a_row = 1 AND merge_fact.value_kind <> 'min'))";
    const std::string above_zero =
        "measurement.value_s > 0 AND (instr(measurement.flags, 'unreliable') = 0 OR "
        "(measurement.value_s > 2 * max(measurement.standard_error_s, coalesce(measurement.overhead_error_s, 0)) "
        "AND "
        "measurement.value_s > 0.01 * measurement.overhead_s))";
    const std::string finite_error = "coalesce(measurement.standard_error_s <= 1.7976931348623157e308, 0)";
    const auto end_of_error = [&](const char* merged, const char* of_run) {
        return fmt::format(
            R"sql(CASE WHEN measurement.value_s IS NULL OR merge_fact.runs < 2 THEN NULL
            WHEN merge_fact.runs IS NULL
            THEN CASE WHEN measurement.count > 1 AND {5} AND {2} THEN max(0.0, measurement.value_s {1} measurement.standard_error_s) END
            WHEN {3} THEN CASE WHEN merge_fact.interval_high_s > 0 THEN max(0.0, merge_fact.interval_{0}_s) END
            WHEN merge_fact.minimum_s IS NOT NULL AND merge_fact.maximum_s > 0
            THEN max(0.0, merge_fact.{4}_s) END)sql",
            merged, of_run, above_zero, has_interval,
            std::string_view(merged) == "low" ? "minimum" : "maximum", finite_error);
    };
    std::string bus_share;
    for (const BusOperation& each : bus_operations)
        bus_share += fmt::format(" WHEN '{}' THEN {}", each.operation,
                                 each.data == BusData::message ? "1"
                                 : each.data == BusData::there_and_back
                                     ? "2.0 * (measurement.ranks - 1) / measurement.ranks"
                                     : "measurement.ranks - 1");
    // As bytes_moved() says: by the messages stored, else by what follows from the meaning.
    const std::string bandwidth =
        R"sql(CASE WHEN measurement.message_bytes > 0 AND measurement.value_s > 0 THEN
            CASE WHEN measurement.messages > 0
                 THEN measurement.messages / CASE suite.meaning WHEN 'exchange' THEN 2 ELSE 1 END
                 WHEN suite.varied = 'message length' AND coalesce(measurement.computation_s, 0) = 0
                 THEN CASE suite.meaning WHEN 'round trip' THEN 2 WHEN 'exchange' THEN 1 WHEN 'one way' THEN 1
                                         WHEN 'one-sided call' THEN 1 WHEN 'collective call' THEN 1 END END
            * measurement.message_bytes / measurement.value_s END)sql";
    return "CREATE VIEW result AS\nSELECT " + columns + R"sql(,
       CASE run.kind WHEN 'raw' THEN 1 ELSE coalesce(merge_fact.runs, 0) END AS launches,
       )sql" +
           end_of_error("low", "-") + " AS low,\n       " + end_of_error("high", "+") + R"sql( AS high,
       CASE WHEN measurement.value_s IS NULL THEN 'nothing_measured'
            WHEN merge_fact.runs < 2
            THEN CASE measurement.count WHEN 1 THEN 'one_single_measurement' ELSE 'one_launch' END
            WHEN )sql" +
           has_interval +
           R"sql( THEN CASE merge_fact.in_a_row WHEN 1 THEN 'interval_in_a_row' ELSE 'interval' END
            WHEN merge_fact.runs IS NOT NULL AND (merge_fact.minimum_s IS NULL OR merge_fact.maximum_s IS NULL)
            THEN 'launches_without_range'
            WHEN merge_fact.runs IS NOT NULL
            THEN CASE merge_fact.value_kind WHEN 'min' THEN 'range_of_minimum' ELSE 'range' END
            WHEN measurement.count = 0 THEN 'no_single_measurement'
            WHEN measurement.count = 1 THEN 'one_single_measurement'
            WHEN NOT )sql" +
           finite_error + R"sql( THEN 'unknown'
            WHEN )sql" +
           above_zero + R"sql( THEN 'repeatability' ELSE 'below_overhead' END AS error,
       CASE WHEN measurement.value_s IS NOT NULL AND merge_fact.in_a_row = 0 AND )sql" +
           has_interval + R"sql( THEN merge_fact.interval_confidence ELSE 0 END AS interval_confidence,
       CASE suite.meaning WHEN 'round trip' THEN measurement.value_s / 2 END AS half_round_trip_s,
       )sql" +
           bandwidth + " AS bandwidth,\n       " + bandwidth +
           " * CASE WHEN suite.pattern = 'ping-pong' THEN 1 ELSE CASE suite.operation" + bus_share +
           R"sql( END END AS bus_bandwidth,
       run.host AS host, run.mpi_library AS mpi_library, run.started_utc AS started_utc, run.kind AS kind,
       run.variant AS variant, run.round AS round
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
LEFT JOIN merge_fact ON merge_fact.measurement = measurement.id
WHERE measurement.finished
ORDER BY run.id, suite.ordinal, measurement.argument;

)sql";
}

constexpr const char* source_flat_sql = R"sql(
CREATE VIEW source_flat AS
SELECT run.uuid AS run, suite.name AS suite, measurement.argument AS argument, measurement.value_s AS merged_value_s,
       source.run AS source_run, source.database AS database, source.value_s AS value_s,
       source.standard_error_s AS standard_error_s, source.count AS count, source.interpolated AS interpolated,
       source.chosen AS chosen, source.left_out AS left_out, source.other_mode AS other_mode, source.mode AS mode,
       source.flags AS flags, source.probe_s AS probe_s
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
JOIN source ON source.measurement = measurement.id
ORDER BY run.id, suite.ordinal, measurement.argument, source.ordinal;
)sql";

constexpr const char* further_sql = R"sql(
CREATE INDEX event_of_run ON event (run);
CREATE INDEX stretch_of_measurement ON stretch (measurement);

CREATE VIEW run_summary AS
SELECT run.uuid AS run, run.kind AS kind, run.launch AS launch, run.variant AS variant, run.host AS host, run.mpi_library AS mpi_library,
       run.ranks AS ranks, run.started_utc AS started_utc, run.ended_utc AS ended_utc,
       run.measuring_share AS measuring_share,
       (SELECT count(*) FROM suite WHERE suite.run = run.id) AS suites,
       (SELECT count(*) FROM suite WHERE suite.run = run.id AND suite.state = 'finished') AS suites_finished,
       (SELECT count(*) FROM suite WHERE suite.run = run.id AND suite.state = 'put off') AS suites_put_off,
       (SELECT count(*) FROM suite WHERE suite.run = run.id AND suite.state = 'failed') AS suites_failed,
       (SELECT count(*) FROM suite JOIN measurement ON measurement.suite = suite.id
        WHERE suite.run = run.id AND measurement.finished) AS measurements,
       (SELECT count(*) FROM suite JOIN measurement ON measurement.suite = suite.id
        WHERE suite.run = run.id AND measurement.finished AND measurement.flags <> '') AS measurements_flagged,
       (SELECT total(measurement.time_used_s) FROM suite JOIN measurement ON measurement.suite = suite.id
        WHERE suite.run = run.id) AS time_used_s,
       (SELECT count(*) FROM event WHERE event.run = run.id) AS events
FROM run
ORDER BY run.id;

CREATE VIEW suite_summary AS
SELECT run.uuid AS run, suite.name AS suite, suite.operation AS operation, suite.pattern AS pattern,
       suite.varied AS varied, suite.state AS state, suite.attempts AS attempts, suite.in_progress AS in_progress,
       suite.reason AS reason, suite.merged_launches AS merged_launches,
       suite.unfinished_launches AS unfinished_launches, coalesce(sum(measurement.finished), 0) AS measurements,
       coalesce(sum(NOT measurement.finished), 0) AS measurements_begun,
       min(measurement.argument) AS first_argument, max(measurement.argument) AS last_argument,
       total(measurement.time_used_s) AS time_used_s
FROM run
JOIN suite ON suite.run = run.id
LEFT JOIN measurement ON measurement.suite = suite.id
GROUP BY suite.id
ORDER BY run.id, suite.ordinal;

CREATE VIEW overlap AS
SELECT run.uuid AS run, suite.name AS suite, suite.operation AS operation, measurement.argument AS argument,
       measurement.message_bytes AS message_bytes, measurement.ranks AS ranks, measurement.alone_s AS alone_s,
       measurement.computation_s AS computation_s, measurement.value_s AS value_s,
       max(0.0, min(1.0, (measurement.alone_s + measurement.computation_s - measurement.value_s) /
                         min(measurement.alone_s, measurement.computation_s))) AS overlap
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
WHERE measurement.alone_s > 0 AND measurement.finished
ORDER BY run.id, suite.ordinal, measurement.argument;
)sql";

constexpr const char* sample_flat_sql = R"sql(
CREATE VIEW sample_flat AS
WITH RECURSIVE
  list(batch, lists, many, ranks) AS (
    SELECT batch.id, 1 + node_ranks, length(durations_s) / 4, listed_ranks
    FROM batch JOIN stretch ON stretch.id = batch.stretch),
  -- 2 to the power of a float's exponent, its bias and the places of its mantissa taken off
  larger(exponent, factor) AS (SELECT 150, 1.0 UNION ALL SELECT exponent + 1, factor * 2 FROM larger WHERE exponent < 254),
  smaller(exponent, factor) AS (SELECT 149, 0.5 UNION ALL SELECT exponent - 1, factor / 2 FROM smaller WHERE exponent > 1),
  power AS (SELECT * FROM larger UNION ALL SELECT * FROM smaller),
  place(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM place WHERE n + 1 < (SELECT max(many) FROM list)),
  byte AS (
    SELECT batch,
           CASE WHEN place < many / lists THEN NULL
                WHEN ranks = '' THEN place / (many / lists) - 1
                ELSE CAST(substr(ranks, 8 * (place / (many / lists)) - 7, 8) AS INTEGER) END AS rank,
           place % (many / lists) AS n,
           16 * instr('123456789ABCDEF', substr(four, 1, 1)) + instr('123456789ABCDEF', substr(four, 2, 1)) AS b0,
           16 * instr('123456789ABCDEF', substr(four, 3, 1)) + instr('123456789ABCDEF', substr(four, 4, 1)) AS b1,
           16 * instr('123456789ABCDEF', substr(four, 5, 1)) + instr('123456789ABCDEF', substr(four, 6, 1)) AS b2,
           16 * instr('123456789ABCDEF', substr(four, 7, 1)) + instr('123456789ABCDEF', substr(four, 8, 1)) AS b3
    FROM (SELECT list.batch AS batch, lists, many, ranks, place.n AS place, hex(substr(durations_s, 4 * place.n + 1, 4)) AS four
          FROM list JOIN batch ON batch.id = list.batch JOIN place ON place.n < many)),
  duration AS (
    SELECT batch, rank, n, CASE WHEN b3 < 128 THEN 1 ELSE -1 END AS sign, b3 % 128 * 2 + b2 / 128 AS exponent,
           b2 % 128 * 65536 + b1 * 256 + b0 AS mantissa
    FROM byte)
SELECT run.uuid AS run, suite.name AS suite, suite.operation AS operation, measurement.argument AS argument,
       stretch.pass AS pass, batch.ordinal AS batch, duration.rank AS rank, duration.n AS n, batch.start_s AS time_s,
       -- the factor of exponent 0 is that of 1; exponent 255 is no number: it has no factor
       sign * power.factor * (mantissa + CASE duration.exponent WHEN 0 THEN 0 ELSE 8388608 END) AS duration_s,
       stretch.block AS block, stretch.synchronization AS synchronization, batch.dropped AS dropped, batch.disturbed AS disturbed,
       stretch.probe_before_s AS probe_before_s, stretch.probe_after_s AS probe_after_s
FROM run
JOIN suite ON suite.run = run.id
JOIN measurement ON measurement.suite = suite.id
JOIN batch ON batch.measurement = measurement.id
JOIN stretch ON stretch.id = batch.stretch
JOIN duration ON duration.batch = batch.id
LEFT JOIN power ON power.exponent = max(duration.exponent, 1)
WHERE duration.rank IS NULL OR power.factor IS NOT NULL
ORDER BY run.id, suite.ordinal, measurement.argument, batch.ordinal, duration.rank, duration.n;
)sql";

} // namespace

std::string schema_sql() {
    return tables_sql() + "INSERT INTO inventory VALUES (1, 0, 0);\n" + result_view_sql() + further_sql +
           sample_flat_sql + source_flat_sql;
}

} // namespace skampi
