// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/measurement_rows.hpp"

#include "store/checksum.hpp"
#include "store/row.hpp"
#include "store/samples.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace skampi {

/// A measurement, and what its row says of its checksum.
struct MeasurementRows::Read {
    StoredMeasurement stored;
    std::int64_t batches = 0;
    std::int64_t checksum = 0;
};

namespace {

/// Inserts rows that are parts of one other, numbered from 0.
template <typename Row>
void insert_numbered(const Connection& connection, const char* table, MeasurementId id,
                     const std::vector<Row>& rows) {
    if (rows.empty())
        return;
    Query insert = connection.query(insert_sql<Row>(table, {"measurement", "ordinal"}));
    std::int64_t ordinal = 0;
    for (const Row& row : rows) {
        RowWriter(insert).write(row);
        insert.run(id, ordinal++);
    }
}

} // namespace

// --- writing

MeasurementId MeasurementRows::insert(SuiteId suite, const StoredMeasurement& stored) const {
    {
        static const std::string sql =
            insert_sql<StoredMeasurement>("measurement", {"id", "suite", "batches", "checksum"});
        Query insert = connection_.query(sql);
        RowWriter(insert).write(stored);
        insert.run(stored.id != 0 ? std::optional(stored.id) : std::nullopt, suite, std::int64_t{0},
                   checksum_of(stored, suites_.identity_of(suite), 0));
    }
    const MeasurementId id = connection_.last_insert_id();
    insert_parts(id, stored);
    return id;
}

void MeasurementRows::replace(MeasurementId id, const StoredMeasurement& stored, const Place& place) const {
    {
        static const std::string sql = update_sql<StoredMeasurement>("measurement", {"batches", "checksum"});
        Query update = connection_.query(sql);
        RowWriter(update).write(stored);
        update.run(place.batches, checksum_of(stored, suites_.identity_of(place.suite), place.batches), id);
    }
    connection_.query("DELETE FROM mode WHERE measurement = ?").run(id);
    connection_.query("DELETE FROM node_time WHERE measurement = ?").run(id);
    connection_.query("DELETE FROM merge_fact WHERE measurement = ?").run(id);
    connection_.query("DELETE FROM source WHERE measurement = ?").run(id);
    connection_.query("DELETE FROM source_node_time WHERE measurement = ?").run(id);
    insert_parts(id, stored);
}

void MeasurementRows::insert_parts(MeasurementId id, const StoredMeasurement& stored) const {
    insert_numbered(connection_, "mode", id, stored.measurement.modes);
    insert_numbered(connection_, "node_time", id, stored.measurement.node_times);
    if (!stored.merge)
        return;
    {
        static const std::string sql = insert_sql<MergeFacts>("merge_fact", {"measurement"});
        Query insert = connection_.query(sql);
        RowWriter(insert).write(*stored.merge);
        insert.run(id);
    }
    insert_sources(id, stored.merge->sources);
}

void MeasurementRows::insert_sources(MeasurementId id, const std::vector<Source>& sources) const {
    insert_numbered(connection_, "source", id, sources);
    static const std::string sql =
        insert_sql<NodeTime>("source_node_time", {"measurement", "source", "ordinal"});
    Query insert = connection_.query(sql);
    for (std::size_t source = 0; source < sources.size(); ++source) {
        std::int64_t ordinal = 0;
        for (const NodeTime& time : sources[source].own.node_times) {
            RowWriter(insert).write(time);
            insert.run(id, static_cast<std::int64_t>(source), ordinal++);
        }
    }
}

void MeasurementRows::insert_batches(MeasurementId id, const Place& place, std::int64_t argument,
                                     const std::vector<Batch>& batches) const {
    const std::string identity = identity_of(place.suite, argument);
    std::int64_t ordinal = place.batches;
    std::optional<Stretch> stretch; // stored last
    std::int64_t stretch_id = 0;
    for (const Batch& batch : batches) {
        if (stretch != stretch_of(batch)) {
            stretch = stretch_of(batch);
            static const std::string sql = insert_sql<Stretch>("stretch", {"measurement"});
            Query insert = connection_.query(sql);
            RowWriter(insert).write(*stretch);
            insert.run(id);
            stretch_id = connection_.last_insert_id();
        }
        static const std::string sql = insert_sql<Batch>(
            "batch", {"measurement", "ordinal", "stretch", "node_ranks", "durations_s", "checksum"});
        Query insert = connection_.query(sql);
        RowWriter(insert).write(batch);
        insert.bind(id);
        insert.bind(ordinal);
        insert.bind(stretch_id);
        insert.bind(
            static_cast<std::int64_t>(stored_lists(batch.node_durations, !stretch->listed_ranks.empty())));
        insert.bind_blob(floats_of(batch));
        insert.bind(checksum_of(batch, identity, ordinal));
        insert.run();
        ++ordinal;
    }
}

void MeasurementRows::drop_batches(SuiteId suite, const StoredMeasurement& stored) const {
    connection_.query("DELETE FROM batch WHERE measurement = ?").run(stored.id);
    connection_.query("DELETE FROM stretch WHERE measurement = ?").run(stored.id);
    connection_.query("UPDATE measurement SET batches = 0, checksum = ? WHERE id = ?")
        .run(checksum_of(stored, suites_.identity_of(suite), 0), stored.id);
}

// --- reading

MeasurementRows::Place MeasurementRows::place_of(MeasurementId id) const {
    Query query = connection_.query("SELECT suite, finished, batches FROM measurement WHERE id = ?");
    query.bind(id);
    if (!query.next())
        connection_.fail("there is no measurement " + std::to_string(id));
    Place place;
    place.suite = query.integer();
    place.finished = query.integer() != 0;
    place.batches = query.integer();
    return place;
}

std::optional<MeasurementId> MeasurementRows::at(SuiteId suite, std::int64_t argument) const {
    Query known = connection_.query("SELECT id FROM measurement WHERE suite = ? AND argument = ?");
    known.bind(suite);
    known.bind(argument);
    return known.next() ? std::optional(known.integer()) : std::nullopt;
}

void MeasurementRows::for_each(SuiteId suite, const std::function<void(StoredMeasurement&&)>& take) const {
    const Snapshot snapshot(connection_);
    std::vector<Read> rows = rows_of(suite);
    compare_count(suite, std::ssize(rows));
    read_parts(suite, rows);
    for (auto& [stored, batches, checksum] : rows) {
        if (stored.merge)
            stored.merge->sources = sources_of(stored.id);
        compare_checksums(connection_, checksum, checksum_of(stored, suites_.identity_of(suite), batches),
                          "the measurement at argument " + std::to_string(stored.measurement.argument));
        take(std::move(stored));
        stored = {}; // of many launches the sources fill the memory
    }
}

std::vector<MeasurementRows::Read> MeasurementRows::rows_of(SuiteId suite) const {
    std::vector<Read> rows;
    Query query = connection_.query(select_sql<StoredMeasurement>(
        "id, batches, checksum", "measurement WHERE suite = ? ORDER BY argument"));
    query.bind(suite);
    while (query.next()) {
        Read& row = rows.emplace_back();
        row.stored = RowReader(connection_, query).read<StoredMeasurement>();
        row.stored.id = query.integer();
        row.batches = query.integer();
        row.checksum = query.integer();
    }
    return rows;
}

void MeasurementRows::compare_count(SuiteId suite, std::int64_t found) const {
    Query query = connection_.query("SELECT measurements, name FROM suite WHERE id = ?");
    query.bind(suite);
    if (!query.next())
        return;
    if (const std::int64_t planned = query.integer(); planned != found)
        connection_.fail_damaged("suite \"" + query.text() + "\" has " + std::to_string(found) +
                                 " measurements, expected " + std::to_string(planned));
}

/// What belongs to them is read for all of them at once: in one sweep where their numbers lie close together,
/// as they mostly do.
void MeasurementRows::read_parts(SuiteId suite, std::vector<Read>& rows) const {
    std::unordered_map<MeasurementId, StoredMeasurement*> by_id;
    MeasurementId first = std::numeric_limits<MeasurementId>::max();
    MeasurementId last = 0;
    for (Read& row : rows) {
        by_id.emplace(row.stored.id, &row.stored);
        first = std::min(first, row.stored.id);
        last = std::max(last, row.stored.id);
    }
    const bool close_together = last - first < 2 * std::ssize(rows);
    const auto read = [&]<typename Row>(const char* table, const char* order, auto&& add) {
        Query query = connection_.query(select_sql<Row>(
            "measurement",
            std::string(table) +
                (close_together ? " WHERE measurement BETWEEN ? AND ?"
                                : " WHERE measurement IN (SELECT id FROM measurement WHERE suite = ?)") +
                order));
        if (close_together) {
            query.bind(first);
            query.bind(last);
        } else {
            query.bind(suite);
        }
        while (query.next()) {
            Row row = RowReader(connection_, query).template read<Row>();
            if (const auto of = by_id.find(query.integer()); of != by_id.end())
                add(*of->second, std::move(row));
        }
    };
    constexpr const char* in_order = " ORDER BY measurement, ordinal";
    read.operator()<ModeValue>("mode", in_order, [](StoredMeasurement& of, ModeValue mode) {
        of.measurement.modes.push_back(mode);
    });
    read.operator()<NodeTime>("node_time", in_order, [](StoredMeasurement& of, NodeTime time) {
        of.measurement.node_times.push_back(time);
    });
    read.operator()<MergeFacts>("merge_fact", "",
                                [](StoredMeasurement& of, MergeFacts facts) { of.merge = std::move(facts); });
}

std::vector<Source> MeasurementRows::sources_of(MeasurementId id) const {
    std::vector<Source> sources;
    {
        static const std::string sql =
            select_sql<Source>("measurement", "source WHERE measurement = ? ORDER BY ordinal");
        Query query = connection_.query(sql);
        query.bind(id);
        while (query.next())
            sources.push_back(RowReader(connection_, query).read<Source>());
    }
    static const std::string sql =
        select_sql<NodeTime>("source", "source_node_time WHERE measurement = ? ORDER BY source, ordinal");
    Query query = connection_.query(sql);
    query.bind(id);
    while (query.next()) {
        const auto time = RowReader(connection_, query).read<NodeTime>();
        const std::int64_t source = query.integer();
        if (source < 0 || source >= std::ssize(sources))
            connection_.fail_damaged("a node time of source " + std::to_string(source) + " belongs to none");
        sources[static_cast<std::size_t>(source)].own.node_times.push_back(time);
    }
    return sources;
}

std::vector<Batch> MeasurementRows::batches(MeasurementId id) const {
    const Snapshot snapshot(connection_);
    std::string identity;
    std::int64_t planned = 0;
    {
        Query query = connection_.query("SELECT suite, argument, batches FROM measurement WHERE id = ?");
        query.bind(id);
        if (!query.next())
            return {};
        const SuiteId suite = query.integer();
        identity = identity_of(suite, query.integer());
        planned = query.integer();
    }
    std::vector<Batch> batches;
    Query query = connection_.query(select_sql<Batch>("stretch, node_ranks, durations_s, checksum, ordinal",
                                                      "batch WHERE measurement = ? ORDER BY ordinal"));
    Query stretches = connection_.query(select_sql<Stretch>("", "stretch WHERE id = ? AND measurement = ?"));
    query.bind(id);
    while (query.next()) {
        Batch batch = RowReader(connection_, query).read<Batch>();
        const std::int64_t stretch = query.integer();
        const std::int64_t node_ranks = query.integer();
        const std::string floats = query.blob();
        const std::int64_t checksum = query.integer();
        const std::int64_t ordinal = query.integer();
        const std::string name = "batch " + std::to_string(ordinal);
        stretches.rewind();
        stretches.bind(stretch);
        stretches.bind(id);
        Stretch common;
        if (stretches.next())
            common = RowReader(connection_, stretches).read<Stretch>();
        set_stretch(batch, common);
        if (!set_durations(batch, floats, node_ranks, common.listed_ranks))
            connection_.fail_damaged(name + " has impossible counts");
        compare_checksums(connection_, checksum, checksum_of(batch, identity, ordinal), name);
        batches.push_back(std::move(batch));
    }
    if (std::ssize(batches) != planned)
        connection_.fail_damaged("a measurement has " + std::to_string(batches.size()) +
                                 " batches, expected " + std::to_string(planned));
    return batches;
}

} // namespace skampi
