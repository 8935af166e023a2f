// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/run_rows.hpp"

#include "store/row.hpp"

#include <utility>

namespace skampi {

void compare_checksums(const Connection& connection, std::int64_t stored, std::int64_t computed,
                       const std::string& what) {
    if (stored != computed)
        connection.fail_damaged("the checksum of " + what + " does not match");
}

// --- runs

RunId RunRows::insert_run(const Run& run) const {
    {
        Query insert = connection_.query(insert_sql<Run>("run", {"suites", "events", "checksum"}));
        RowWriter(insert).write(run);
        insert.run(0, 0, 0);
    }
    const RunId id = connection_.last_insert_id();
    take_into_inventory(run.uuid);
    replace_parts(id, run);
    return id;
}

void RunRows::take_into_inventory(const std::string& run_uuid) const {
    const std::int64_t before = connection_.integer("SELECT checksum FROM inventory");
    connection_.query("UPDATE inventory SET runs = runs + 1, checksum = ?")
        .run(chained_checksum(before, run_uuid));
}

void RunRows::check_inventory() const {
    // One statement: a writer may store a run between two.
    Query query = connection_.query("SELECT inventory.runs, inventory.checksum, run.uuid FROM inventory "
                                    "LEFT JOIN run ON true ORDER BY run.id");
    std::int64_t expected = 0;
    std::int64_t checksum = 0;
    std::int64_t found = 0;
    std::int64_t chained = 0;
    bool any = false;
    while (query.next()) {
        any = true;
        expected = query.integer();
        checksum = query.integer();
        if (query.column_is_null())
            continue; // there are no runs
        ++found;
        chained = chained_checksum(chained, query.text());
    }
    if (!any)
        connection_.fail_damaged("the row of the table inventory is missing");
    if (found != expected)
        connection_.fail_damaged("it holds " + std::to_string(found) + (found == 1 ? " run" : " runs") +
                                 ", expected " + std::to_string(expected));
    if (chained != checksum)
        connection_.fail_damaged("a run was removed and another one put in its place");
}

void RunRows::replace_run(RunId id, const Run& run) const {
    {
        Query update = connection_.query(update_sql<Run>("run", {}));
        RowWriter(update).write(run);
        update.run(id);
    }
    replace_parts(id, run);
}

void RunRows::insert_facts(const char* table, const char* key, std::int64_t id,
                           const std::map<std::string, std::string>& facts) const {
    connection_.query("DELETE FROM " + std::string(table) + " WHERE " + key + " = ?").run(id);
    Query insert = connection_.query("INSERT INTO " + std::string(table) + " (" + key +
                                     ", name, value) VALUES (?, ?, ?)");
    for (const auto& [name, value] : facts)
        insert.run(id, name, value);
}

template <typename Row>
void RunRows::replace_rows(const char* table, RunId id, const std::vector<Row>& rows) const {
    connection_.query("DELETE FROM " + std::string(table) + " WHERE run = ?").run(id);
    Query insert = connection_.query(insert_sql<Row>(table, {"run", "ordinal"}));
    std::int64_t ordinal = 0;
    for (const Row& row : rows) {
        RowWriter(insert).write(row);
        insert.run(id, ordinal++);
    }
}

template <typename Row>
std::vector<Row> RunRows::rows_of(const char* table, RunId id) const {
    std::vector<Row> rows;
    Query query =
        connection_.query(select_sql<Row>("", std::string(table) + " WHERE run = ? ORDER BY ordinal"));
    query.bind(id);
    while (query.next())
        rows.push_back(RowReader(connection_, query).read<Row>());
    return rows;
}

void RunRows::replace_parts(RunId id, const Run& run) const {
    insert_facts("run_fact", "run", id, run.facts);
    insert_facts("run_setting", "run", id, run.settings);
    replace_rows("rank", id, run.rank_facts);
    replace_rows("merged_run", id, run.sources);
    replace_rows("differing_fact", id, run.differing_facts);
    replace_rows("forced_difference", id, run.forced_differences);
    replace_rows("detour", id, run.detours);
}

void RunRows::insert_event(RunId run, const Event& event) const {
    Query insert = connection_.query(insert_sql<Event>("event", {"run"}));
    RowWriter(insert).write(event);
    insert.run(run);
}

void RunRows::seal_run(RunId id) const {
    if (connection_.integer("SELECT count(*) FROM run WHERE id = " + std::to_string(id)) == 0)
        return; // the part of the commit that made it was undone
    std::int64_t checksum = 0;
    const Run run = run_row(id, checksum);
    const RunParts parts = parts_of(id);
    connection_.query("UPDATE run SET suites = ?, events = ?, checksum = ? WHERE id = ?")
        .run(parts.suites, parts.events, checksum_of(run, parts, events(id)), id);
}

Run RunRows::run(RunId id) const {
    const Snapshot snapshot(connection_);
    std::int64_t checksum = 0;
    Run run = run_row(id, checksum);
    compare_checksums(connection_, checksum, checksum_of(run, parts_of(id), events(id)), "run " + run.uuid);
    return run;
}

Run RunRows::run_row(RunId id, std::int64_t& checksum) const {
    Run run;
    {
        Query query = connection_.query(select_sql<Run>("checksum", "run WHERE id = ?"));
        query.bind(id);
        if (!query.next())
            connection_.fail("there is no run " + std::to_string(id));
        run = RowReader(connection_, query).read<Run>();
        checksum = query.integer();
    }
    run.facts = facts("run_fact", "run", id);
    run.settings = facts("run_setting", "run", id);
    run.rank_facts = rows_of<RankFacts>("rank", id);
    run.sources = rows_of<MergedSource>("merged_run", id);
    run.differing_facts = rows_of<DifferingFact>("differing_fact", id);
    run.forced_differences = rows_of<ForcedDifference>("forced_difference", id);
    run.detours = rows_of<CoreDetours>("detour", id);
    return run;
}

RunParts RunRows::parts_of(RunId id) const {
    Query count = connection_.query("SELECT (SELECT count(*) FROM suite WHERE run = ?1), "
                                    "(SELECT count(*) FROM event WHERE run = ?1)");
    count.bind(id);
    (void)count.next();
    RunParts parts;
    parts.suites = count.integer();
    parts.events = count.integer();
    return parts;
}

std::vector<Event> RunRows::events(RunId id) const {
    Query query = connection_.query(select_sql<Event>("", "event WHERE run = ? ORDER BY id"));
    query.bind(id);
    std::vector<Event> events;
    while (query.next())
        events.push_back(RowReader(connection_, query).read<Event>());
    return events;
}

std::map<std::string, std::string> RunRows::facts(const char* table, const char* key, std::int64_t id) const {
    std::map<std::string, std::string> facts;
    Query query =
        connection_.query("SELECT name, value FROM " + std::string(table) + " WHERE " + key + " = ?");
    query.bind(id);
    while (query.next()) {
        std::string name = query.text();
        facts[std::move(name)] = query.text();
    }
    return facts;
}

// --- suites

SuiteId RunRows::insert_suite(RunId run, int ordinal, const Suite& suite) const {
    static const std::string sql = insert_sql<StoredSuite>("suite", {"run", "measurements", "checksum"});
    Query insert = connection_.query(sql);
    StoredSuite stored;
    stored.ordinal = ordinal;
    stored.suite = suite;
    RowWriter(insert).write(stored);
    insert.run(run, 0, 0);
    return connection_.last_insert_id();
}

void RunRows::replace_suite(SuiteId id, const Suite& suite, SuiteState state) const {
    static const std::string sql = update_sql<Suite>("suite", {"state"});
    Query update = connection_.query(sql);
    RowWriter(update).write(suite);
    update.run(to_text(state), id);
}

void RunRows::replace_suite_facts(SuiteId id, const std::map<std::string, std::string>& facts) const {
    insert_facts("suite_fact", "suite", id, facts);
}

void RunRows::add_clock_estimates(SuiteId id, const std::vector<ClockEstimate>& estimates) const {
    std::int64_t ordinal =
        connection_.integer("SELECT count(*) FROM clock_estimate WHERE suite = " + std::to_string(id));
    Query insert = connection_.query(insert_sql<ClockEstimate>("clock_estimate", {"suite", "ordinal"}));
    for (const ClockEstimate& estimate : estimates) {
        RowWriter(insert).write(estimate);
        insert.run(id, ordinal++);
    }
}

void RunRows::seal_suite(SuiteId id) const {
    std::vector<SuiteRow> rows = suite_rows("WHERE id = ?", id);
    if (rows.empty())
        return; // the part of the commit that made it was undone
    StoredSuite& suite = rows.front().stored;
    read_parts(suite);
    Query count = connection_.query("SELECT count(*), (SELECT uuid FROM run WHERE run.id = (SELECT run FROM "
                                    "suite WHERE id = ?1)) FROM measurement WHERE suite = ?1");
    count.bind(id);
    (void)count.next();
    const std::int64_t measurements = count.integer();
    const std::string uuid = count.text();
    connection_.query("UPDATE suite SET measurements = ?, checksum = ? WHERE id = ?")
        .run(measurements, checksum_of(suite, uuid, measurements), id);
}

std::vector<RunRows::SuiteRow> RunRows::suite_rows(std::string_view which, std::int64_t id) const {
    std::vector<SuiteRow> rows;
    Query query = connection_.query(
        select_sql<StoredSuite>("id, measurements, checksum", "suite " + std::string(which)));
    query.bind(id);
    while (query.next()) {
        SuiteRow& row = rows.emplace_back();
        row.stored = RowReader(connection_, query).read<StoredSuite>();
        row.stored.id = query.integer();
        row.measurements = query.integer();
        row.checksum = query.integer();
    }
    return rows;
}

void RunRows::read_parts(StoredSuite& suite) const {
    suite.facts = facts("suite_fact", "suite", suite.id);
    suite.clock_estimates = clock_estimates(suite.id);
}

std::vector<ClockEstimate> RunRows::clock_estimates(SuiteId id) const {
    static const std::string sql =
        select_sql<ClockEstimate>("", "clock_estimate WHERE suite = ? ORDER BY ordinal");
    std::vector<ClockEstimate> estimates;
    Query query = connection_.query(sql);
    query.bind(id);
    while (query.next())
        estimates.push_back(RowReader(connection_, query).read<ClockEstimate>());
    return estimates;
}

StoredSuite RunRows::suite(SuiteId id) const {
    const Snapshot snapshot(connection_);
    std::vector<SuiteRow> rows = suite_rows("WHERE id = ?", id);
    if (rows.empty())
        connection_.fail("there is no suite " + std::to_string(id));
    auto& [stored, measurements, checksum] = rows.front();
    read_parts(stored);
    Query uuid = connection_.query("SELECT uuid FROM run WHERE id = (SELECT run FROM suite WHERE id = ?)");
    uuid.bind(id);
    compare_checksums(connection_, checksum,
                      checksum_of(stored, uuid.next() ? uuid.text() : "", measurements),
                      "suite \"" + stored.suite.name + "\"");
    return std::move(stored);
}

std::vector<StoredSuite> RunRows::suites(RunId id) const {
    const Snapshot snapshot(connection_);
    std::vector<SuiteRow> rows = suite_rows("WHERE run = ? ORDER BY ordinal", id);
    std::string run_uuid;
    {
        Query uuid = connection_.query("SELECT uuid FROM run WHERE id = ?");
        uuid.bind(id);
        if (uuid.next())
            run_uuid = uuid.text();
    }
    std::vector<StoredSuite> suites;
    suites.reserve(rows.size());
    for (auto& [stored, measurements, checksum] : rows) {
        read_parts(stored);
        const std::string name = "suite \"" + stored.suite.name + "\"";
        compare_checksums(connection_, checksum, checksum_of(stored, run_uuid, measurements), name);
        if (stored.ordinal != static_cast<int>(suites.size()))
            connection_.fail_damaged(name + " is not where its plan had it, a row is missing");
        suites.push_back(std::move(stored));
    }
    return suites;
}

const std::string& RunRows::identity_of(SuiteId suite) const {
    const auto known = identities_.find(suite);
    if (known != identities_.end())
        return known->second;
    constexpr std::size_t most_remembered = 4096;
    if (identities_.size() >= most_remembered)
        identities_.clear();
    Query query = connection_.query("SELECT run.uuid, suite.name FROM suite JOIN run ON run.id = suite.run "
                                    "WHERE suite.id = ?");
    query.bind(suite);
    if (!query.next())
        connection_.fail("there is no suite " + std::to_string(suite));
    std::string identity = query.text();
    identity += '\n' + query.text();
    return identities_.emplace(suite, std::move(identity)).first->second;
}

} // namespace skampi
