#include "store/database.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "store/file_lock.hpp"
#include "store/import/importer.hpp"
#include "store/migration.hpp"
#include "store/row.hpp"
#include "store/schema.hpp"
#include "store/store_error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <sqlite3.h>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace skampi {

namespace {

using namespace std::chrono_literals;

/// Waiting for other connections: long for a writer, whose measurements would be lost, short for readers.
constexpr int writer_patience_ms = 60'000;
constexpr int reader_patience_ms = 10'000;
/// The end of a run waits so long for readers to go, to leave one file; then the file stays correct as it is.
constexpr auto patience_for_readers = 2s;

constexpr std::string_view sqlite_magic = "SQLite format 3";

/// What has to be read together is read from one state of the file, whatever is committed meanwhile.
class Snapshot {
public:
    explicit Snapshot(const Connection& connection)
        : connection_(connection)
        , own_(!connection.in_transaction()) {
        if (own_)
            connection_.query("BEGIN").run();
    }
    Snapshot(Snapshot&&) = delete;
    ~Snapshot() {
        try {
            if (own_ && connection_.in_transaction())
                connection_.query("ROLLBACK").run();
        } catch (const Error&) {
            // Nothing was written, so nothing can be lost; closing the connection ends it.
        }
    }

private:
    const Connection& connection_;
    bool own_;
};

/// A file: URI, because only URIs can say immutable. Everything but plain characters is escaped.
std::string immutable_uri(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '/' || c == '.' || c == '_' || c == '-';
        if (plain) {
            uri += c;
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            uri += '%';
            uri += digits[byte >> 4];
            uri += digits[byte & 15];
        }
    }
    return uri + "?immutable=1";
}

/// With the rights the process acts with, which access() would not look at.
bool may(const std::string& path, int mode) {
    return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

/// Absolute, because SQLite gives "", ":memory:" and "file:..." a meaning of their own; links followed,
/// because the files beside a database stand beside the real one.
std::string real_path(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
    const std::filesystem::path real = std::filesystem::weakly_canonical(absolute, failed);
    return failed ? absolute.string() : real.string();
}

/// Adds 32-bit floats, little-endian, whatever this machine is.
void add_floats(std::string& bytes, const std::vector<double>& numbers) {
    for (const double number : numbers) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        for (int shift = 0; shift < 32; shift += 8)
            bytes += static_cast<char>(bits >> shift & 0xFF);
    }
}

/// Of how many ranks a batch's single measurements are stored: of those listed, or all up to the last one.
std::size_t stored_lists(const std::vector<NodeDurations>& node_durations, bool listed) {
    return listed || node_durations.empty() ? node_durations.size()
                                            : static_cast<std::size_t>(node_durations.back().rank) + 1;
}

/// Calls for each list of ranks' times that is stored; one of a rank that took no part is empty.
template <typename Take>
void for_each_list(const Batch& batch, Take&& take) {
    static const std::vector<double> none;
    const std::vector<NodeDurations>& nodes = batch.node_durations;
    const bool listed = !listed_ranks(nodes).empty();
    auto next = nodes.begin();
    for (std::size_t list = 0; list < stored_lists(nodes, listed); ++list)
        take(listed || std::cmp_equal(next->rank, list) ? (next++)->duration_s : none);
}

/// All single measurements of a batch: as they are reported, then as each rank saw them. A rank that took no
/// part has as many that are not a number.
std::string floats_of(const Batch& batch) {
    std::string bytes;
    add_floats(bytes, batch.duration_s);
    const std::vector<double> none(batch.duration_s.size(), std::numeric_limits<double>::quiet_NaN());
    for_each_list(batch,
                  [&](const std::vector<double>& node) { add_floats(bytes, node.empty() ? none : node); });
    return bytes;
}

std::vector<double> numbers_in(std::string_view floats) {
    std::vector<double> numbers;
    numbers.reserve(floats.size() / 4);
    for (std::size_t i = 0; i + 3 < floats.size(); i += 4) {
        std::uint32_t bits = 0;
        for (std::size_t byte = 0; byte < 4; ++byte)
            bits |= std::uint32_t{static_cast<unsigned char>(floats[i + byte])} << (8 * byte);
        numbers.push_back(std::bit_cast<float>(bits));
    }
    return numbers;
}

/// The reverse of floats_of. @return false where the bytes are none of so many lists
bool set_durations(Batch& batch, std::string_view floats, std::int64_t node_ranks, std::string_view listed) {
    constexpr std::int64_t most = std::int64_t{1} << 24; // more is damage, and must not allocate
    if (node_ranks < 0 || node_ranks > most)
        return false;
    const std::size_t lists = 1 + static_cast<std::size_t>(node_ranks);
    if (floats.size() % (4 * lists) != 0)
        return false;
    const auto ranks = ranks_in(listed, lists - 1);
    if (!ranks && !listed.empty())
        return false;
    const std::size_t bytes = floats.size() / lists;
    batch.duration_s = numbers_in(floats.substr(0, bytes));
    for (std::size_t list = 1; list < lists; ++list) {
        std::vector<double> node = numbers_in(floats.substr(list * bytes, bytes));
        if (node.empty() || !std::ranges::all_of(node, [](double number) { return std::isnan(number); }))
            batch.node_durations.push_back(
                {listed.empty() ? static_cast<int>(list) - 1 : (*ranks)[list - 1], std::move(node)});
    }
    return true;
}

enum class JournalChoice { automatic, wal, rollback, memory };

JournalChoice journal_choice() {
    const char* text = std::getenv("SKAMPI_JOURNAL");
    if (!text || !*text)
        return JournalChoice::automatic;
    if (std::string_view(text) == "wal")
        return JournalChoice::wal;
    if (std::string_view(text) == "delete")
        return JournalChoice::rollback;
    throw InputError("environment variable SKAMPI_JOURNAL: found \"" + printable(text) +
                     "\", expected \"wal\" or \"delete\"");
}

void add_facts(Checksum& sum, const std::map<std::string, std::string>& facts) {
    sum.add(static_cast<std::int64_t>(facts.size()));
    for (const auto& [name, value] : facts) {
        sum.add(std::string_view(name));
        sum.add(std::string_view(value));
    }
}

/// How many rows of other tables belong to a run.
struct RunParts {
    std::int64_t suites = 0;
    std::int64_t events = 0;
};

// What a row belongs to is in its checksum by name, not by number: a row that was moved is noticed, and a
// copy of a run in another file has the same checksums.

std::int64_t checksum_of(const Run& run, const RunParts& parts, const std::vector<Event>& events) {
    Checksum sum;
    sum.add_row(run);
    add_facts(sum, run.facts);
    add_facts(sum, run.settings);
    for (const RankFacts& rank : run.rank_facts)
        sum.add_row(rank);
    sum.add(parts.suites);
    sum.add(parts.events);
    for (const Event& event : events)
        sum.add_row(event);
    return sum.value();
}

std::int64_t checksum_of(const StoredSuite& stored, const std::string& run_uuid, std::int64_t measurements) {
    Checksum sum;
    sum.add(std::string_view(run_uuid));
    sum.add_row(stored);
    add_facts(sum, stored.facts);
    sum.add(measurements);
    for (const ClockEstimate& estimate : stored.clock_estimates)
        sum.add_row(estimate);
    return sum.value();
}

/// @param suite "uuid of the run, name"
std::int64_t checksum_of(const StoredMeasurement& stored, const std::string& suite, std::int64_t batches) {
    Checksum sum;
    sum.add(std::string_view(suite));
    sum.add_row(stored);
    sum.add(batches);
    for (const ModeValue& mode : stored.measurement.modes)
        sum.add_row(mode);
    for (const NodeTime& time : stored.measurement.node_times)
        sum.add_row(time);
    if (stored.merge) {
        sum.add_row(*stored.merge);
        for (const Source& source : stored.merge->sources) {
            sum.add_row(source);
            for (const NodeTime& time : source.node_times)
                sum.add_row(time);
        }
    }
    return sum.value();
}

/// SELECT of suites, as read_suite_row() reads them.
std::string suite_row_sql(const std::string& which) {
    return select_sql<StoredSuite>("id, measurements, checksum", "suite " + which);
}

void add_samples(Checksum& sum, const std::vector<double>& durations_s) {
    sum.add(static_cast<std::int64_t>(durations_s.size()));
    for (const double duration_s : durations_s)
        sum.add(as_stored(duration_s));
}

/// There are many batches: four bytes are enough to notice what fell over.
std::int64_t short_sum(const Checksum& sum) {
    return sum.value() & 0x7FFFFFFF;
}

/// @param measurement "suite, argument"
std::int64_t checksum_of(const Batch& batch, const std::string& measurement, std::int64_t ordinal) {
    Checksum sum;
    sum.add(std::string_view(measurement));
    sum.add(ordinal);
    sum.add_row(batch);
    sum.add_row(stretch_of(batch));
    add_samples(sum, batch.duration_s);
    for_each_list(batch, [&](const std::vector<double>& node) { add_samples(sum, node); });
    return short_sum(sum);
}

} // namespace

// --- Implementation

struct Database::Implementation {
    class Change;
    class Import;
    /// Where a measurement is, and what is stored beside it.
    struct Place {
        SuiteId suite = 0;
        bool finished = false;
        std::int64_t batches = 0;
    };

    std::string path;
    std::optional<FileLock> lock; ///< declared first: released when the connection has gone
    std::unique_ptr<Connection> connection;
    std::optional<Transaction> gathered; ///< changes that wait for others to become one commit with them
    std::chrono::steady_clock::duration gathering_time{0};
    std::chrono::steady_clock::time_point last_commit{}; ///< since gathering began
    int open_changes = 0;
    bool writable = false;
    bool temporary = false; ///< what was read from a text
    JournalChoice journal = JournalChoice::automatic;
    bool wal = false; ///< the journal is a write-ahead log now

    explicit Implementation(std::string name)
        : path(std::move(name)) {}
    Implementation(Implementation&&) = delete;
    ~Implementation() {
        if (!connection || !writable)
            return;
        try {
            end_gathering();
            leave_one_file();
        } catch (const Error&) {
            // All commits are in the file or the log beside it; the next opening brings them together.
        }
    }

    // --- opening
    /// @return false for what can be no database: pipes and devices  @throws NotADatabase for other files
    [[nodiscard]] bool open_for_reading();
    void open_for_writing();
    [[nodiscard]] static std::unique_ptr<Implementation> to_write(const std::string& path,
                                                                  JournalChoice journal);
    void open_temporary();
    /// @return whether the file holds anything yet  @throws StoreError when it is none of ours
    [[nodiscard]] bool holds_our_schema() const;
    void create_schema() const;
    void refuse_damage() const;
    /// @param beginning of a file that SQLite refused
    [[noreturn]] void fail_to_open(const std::string& beginning) const;

    // --- the journal
    void use_working_journal();
    void leave_one_file();
    [[nodiscard]] bool set_journal(const char* mode) const;

    /// All public functions begin with one of these. @param what is done, for messages
    [[nodiscard]] Connection& begin(const char* what) {
        connection->doing(what);
        seal();
        return *connection;
    }
    [[nodiscard]] Connection& begin_writing(const char* what) {
        connection->doing(what);
        if (!writable)
            connection->fail("it was opened for reading only");
        return *connection;
    }
    /// A commit that must survive a loss of power: with the write-ahead log only this one waits for the disk,
    /// and takes all former ones with it.
    void durably(const std::function<void()>& writes);
    void commit_gathered();
    void end_gathering(); ///< the same, if there is anything and no change is open

    // --- rows
    void insert_facts(const char* table, const char* key, std::int64_t id,
                      const std::map<std::string, std::string>& facts) const;
    [[nodiscard]] std::map<std::string, std::string> facts(const char* table, const char* key,
                                                           std::int64_t id) const;
    [[nodiscard]] std::vector<ClockEstimate> read_clock_estimates(SuiteId id) const;
    void insert_rank_facts(RunId id, const Run& run) const;
    [[nodiscard]] RunId insert_run(const Run& run);
    [[nodiscard]] SuiteId insert_suite(RunId run, int ordinal, const Suite& suite) const;
    void replace_run(RunId id, const Run& run);
    /// The run as it is stored, with what changes of it.
    [[nodiscard]] Run updated_run(RunId id, const Run& facts);
    void insert_parts(MeasurementId id, const StoredMeasurement& stored) const;
    /// @param source its ordinal
    void insert_node_times_of_source(MeasurementId id, std::int64_t source,
                                     const std::vector<NodeTime>& times) const;
    void replace_measurement(MeasurementId id, const StoredMeasurement& stored, const Place& place) const;
    /// The measurement that a suite has at an argument.
    [[nodiscard]] std::optional<MeasurementId> measurement_at(SuiteId suite, std::int64_t argument) const;
    /// Under its id; where that is 0 under a new one. The suite's checksum is the caller's business.
    [[nodiscard]] MeasurementId insert_measurement(SuiteId suite, const StoredMeasurement& stored) const;
    /// @param ordinal of the first
    void insert_batches(MeasurementId id, const std::string& identity, std::int64_t ordinal,
                        const std::vector<Batch>& batches) const;
    struct SuiteRow {
        StoredSuite stored;
        std::int64_t measurements = 0;
        std::int64_t checksum = 0;
    };
    [[nodiscard]] Run read_run_row(RunId id, std::int64_t& checksum) const;
    [[nodiscard]] Run read_run(RunId id) const;
    [[nodiscard]] RunParts count_parts(RunId id) const;
    [[nodiscard]] std::vector<Event> read_events(RunId id) const;
    /// A suite without its facts and clock estimates, and what its row says of its checksum.
    [[nodiscard]] SuiteRow read_suite_row(Query& query) const;
    /// "uuid of the run, name" of a suite, by which its measurements know it.
    [[nodiscard]] const std::string& identity_of(SuiteId suite) const;
    /// The same and the argument, by which its batches know a measurement.
    [[nodiscard]] std::string identity_of(SuiteId suite, const Measurement& measurement) const {
        return identity_of(suite) + '\n' + std::to_string(measurement.argument);
    }
    /// @throws StoreError when there is none
    [[nodiscard]] Place place_of(MeasurementId id) const;
    /// Of a merged measurement, with their node times.
    [[nodiscard]] std::vector<Source> sources_of(MeasurementId id) const;

    // --- checksums of rows whose parts have changed: made once, when a commit ends or somebody reads
    std::set<RunId> unsealed_runs;
    std::set<SuiteId> unsealed_suites;
    void seal();
    void seal_run(RunId id) const;
    void seal_suite(SuiteId id) const;
    mutable std::map<SuiteId, std::string> identities; ///< of suites; they never change
    void must_have_changed(const char* what, std::int64_t id) const {
        if (connection->changes() == 0)
            connection->fail("there is no " + std::string(what) + " " + std::to_string(id));
    }
    void compare_checksums(std::int64_t stored, std::int64_t computed, const std::string& what) const {
        if (stored != computed)
            connection->fail("the checksum of " + what +
                             " does not match: the file is damaged or was edited; it is left as it is");
    }
};

void Database::Implementation::fail_to_open(const std::string& beginning) const {
    if (beginning.starts_with(sqlite_magic))
        throw StoreError(path, "open this file", "the file is damaged; it is left as it is");
    throw StoreError(path, "open this file", "it is neither a SKaMPI database nor a " + importable_kinds(),
                     ExitStatus::bad_input);
}

bool Database::Implementation::holds_our_schema() const {
    const std::int64_t id = connection->integer("PRAGMA application_id");
    const std::int64_t version = connection->integer("PRAGMA user_version");
    const std::int64_t entries = connection->integer("SELECT count(*) FROM sqlite_schema");
    if (id == 0 && version == 0 && entries == 0)
        return false;
    if (id == prerelease_application_id)
        throw StoreError(path, "open this file",
                         "it was written before release 0.2.0 of SKaMPI, in a format that is no longer read: "
                         "measure again",
                         ExitStatus::bad_input);
    if (id != application_id)
        throw StoreError(path, "open this file", "it is an SQLite database, but none of SKaMPI",
                         ExitStatus::bad_input);
    if (version > schema_version)
        throw StoreError(path, "open this file",
                         "it was written by a newer SKaMPI (database version " + std::to_string(version) +
                             ", this one knows versions up to " + std::to_string(schema_version) + ")",
                         ExitStatus::bad_input);
    if (version < 1)
        connection->fail("its database version is " + std::to_string(version) +
                         ", expected 1 or more: the file is damaged or was edited; it is left as it is");
    return true;
}

void Database::Implementation::create_schema() const {
    Transaction transaction(*connection);
    connection->execute(schema_sql().c_str());
    connection->execute(("PRAGMA application_id = " + std::to_string(application_id)).c_str());
    connection->execute(("PRAGMA user_version = " + std::to_string(schema_version)).c_str());
    transaction.commit();
}

void Database::Implementation::refuse_damage() const {
    // Single measurements are nearly all of a file of many runs; each row is checked when it is read.
    Query findings = connection->query(
        "SELECT q.quick_check FROM sqlite_schema s, pragma_quick_check(s.name) q "
        "WHERE s.type = 'table' AND s.name NOT IN ('batch', 'stretch') AND q.quick_check != 'ok'");
    if (findings.next())
        connection->fail("the file is damaged (" + findings.text() + "); it is left as it is");
}

void Database::Implementation::open_temporary() {
    connection = Connection::to_temporary(path);
    connection->execute("PRAGMA foreign_keys = OFF"); // its only writer names nothing that is not there
    temporary = true;
    writable = true;
    create_schema();
}

bool Database::Implementation::open_for_reading() {
    struct stat facts = {};
    if (stat(path.c_str(), &facts) != 0)
        throw StoreError(path, "open this file", std::strerror(errno), ExitStatus::bad_input);
    if (S_ISDIR(facts.st_mode))
        throw StoreError(path, "open this file", "it is a folder, expected a database or a result CSV",
                         ExitStatus::bad_input);
    if (!may(path, R_OK))
        throw StoreError(path, "open this file", std::strerror(errno), ExitStatus::bad_input);
    if (!S_ISREG(facts.st_mode))
        return false;

    const std::string real = real_path(path);
    const auto attempt = [&](const std::string& name, int flags) {
        connection = std::make_unique<Connection>(name, path, SQLITE_OPEN_NOMUTEX | flags);
        connection->set_busy_timeout(reader_patience_ms);
        connection->execute("PRAGMA query_only = ON");
        connection->execute("PRAGMA cell_size_check = ON");
        if (!holds_our_schema())
            throw StoreError(path, "open this file", "it is empty", ExitStatus::bad_input);
        if (connection->integer("PRAGMA user_version") < schema_version)
            connection = migrated_copy(*connection, migrations(), schema_version);
    };
    const std::string folder = std::filesystem::path(real).parent_path().string();
    try {
        attempt(real, SQLITE_OPEN_READONLY);
        return true;
    } catch (const StoreError& error) {
        if (error.status() == ExitStatus::bad_input)
            throw;
        // A writer killed in the middle of a commit leaves a journal that SQLite must roll back before
        // anybody can read.
        struct stat journal_file = {};
        if (stat((real + "-journal").c_str(), &journal_file) == 0 && journal_file.st_size > 0) {
            if (!may(folder, W_OK) || !may(path, W_OK))
                throw StoreError(path, "open this file",
                                 "its last commit was cut short, and " + path +
                                     "-journal, which tells how to undo it, "
                                     "cannot be used without writing here; "
                                     "copy both to a folder of your own");
            attempt(real, SQLITE_OPEN_READWRITE);
            return true;
        }
        // A file whose writer ended without the last step still says that it has a log. Where nothing can be
        // created beside it SQLite cannot read it, unless told that nobody writes; which is so when there is
        // no log.
        struct stat log = {};
        const bool no_log = stat((real + "-wal").c_str(), &log) != 0 || log.st_size == 0;
        if (may(folder, W_OK))
            throw;
        if (!no_log)
            throw StoreError(
                path, "open this file",
                "its last commits are in " + path +
                    "-wal, which cannot be read without writing here; copy both to a folder of your own");
    }
    attempt(immutable_uri(real), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    return true;
}

void Database::Implementation::open_for_writing() {
    const std::string real = real_path(path);
    struct stat facts = {};
    const bool was_there = stat(path.c_str(), &facts) == 0;
    if (was_there && S_ISDIR(facts.st_mode))
        throw StoreError(path, "write this file", "it is a folder", ExitStatus::bad_input);
    const std::string folder = std::filesystem::path(real).parent_path().string();
    if (!was_there && stat(folder.c_str(), &facts) != 0)
        throw StoreError(path, "create this file", "there is no folder " + folder);
    if (journal != JournalChoice::memory)
        journal = journal_choice(); // complains before anything is touched

    lock.emplace(FileLock::path_for(real), path);
    const bool exists = stat(real.c_str(), &facts) == 0; // asked again now that nobody else can create it
    try {
        connection = std::make_unique<Connection>(
            real, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX);
        connection->set_busy_timeout(writer_patience_ms);
        if (connection->is_read_only())
            throw StoreError(path, "write this file", "it is read-only");
        connection->execute("PRAGMA cell_size_check = ON");
        connection->execute("PRAGMA foreign_keys = ON");
        connection->execute("PRAGMA temp_store = MEMORY");
        if (holds_our_schema()) {
            refuse_damage();
            migrate(*connection, migrations(), schema_version);
        } else {
            create_schema();
        }
        writable = true;
        use_working_journal();
    } catch (...) {
        if (!exists) {
            // Nobody else can have written into it: the lock is still ours.
            writable = false;
            connection.reset();
            unlink(real.c_str());
            unlink((real + "-journal").c_str());
            unlink((real + "-wal").c_str());
            unlink((real + "-shm").c_str());
        }
        throw;
    }
}

bool Database::Implementation::set_journal(const char* mode) const {
    // Needs the file for itself, and SQLite does not wait for readers here.
    const auto give_up = std::chrono::steady_clock::now() + patience_for_readers;
    for (;;) {
        try {
            return connection->text("PRAGMA journal_mode = " + std::string(mode)) == mode;
        } catch (const FileBusy&) {
            if (std::chrono::steady_clock::now() > give_up)
                return false;
        }
        std::this_thread::sleep_for(10ms);
    }
}

void Database::Implementation::use_working_journal() {
    if (temporary || connection->in_transaction())
        return;
    if (journal == JournalChoice::memory) {
        (void)set_journal("memory");
        connection->execute("PRAGMA synchronous = OFF");
        connection->execute("PRAGMA foreign_keys = OFF"); // its only writer names nothing that is not there
        return;
    }
    const bool wanted = journal == JournalChoice::wal ||
                        (journal == JournalChoice::automatic && !is_network_file_system(real_path(path)));
    // Not granted by a file system without shared memory, or while readers stay: then the other one serves.
    (void)set_journal(wanted ? "wal" : "delete");
    wal = connection->text("PRAGMA journal_mode") == "wal";
    connection->execute(wal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
    // A check-point waits for the disk, between two measurements: rarely.
    connection->execute("PRAGMA wal_autocheckpoint = 8192");
}

void Database::Implementation::leave_one_file() {
    if (temporary || journal == JournalChoice::memory || connection->in_transaction())
        return;
    if (wal) {
        connection->execute("PRAGMA wal_checkpoint(TRUNCATE)");
        if (!set_journal("delete"))
            return;
        wal = false;
    }
    connection->execute("PRAGMA synchronous = FULL");
}

class Database::Implementation::Change {
public:
    explicit Change(Implementation& implementation)
        : implementation_(implementation)
        , outermost_(implementation.open_changes == 0)
        , transaction_(begin(implementation)) {
        ++implementation_.open_changes;
    }
    Change(Change&&) = delete;
    ~Change() {
        --implementation_.open_changes;
        if (committed_)
            return;
        implementation_.identities.clear(); // a number may name another suite next time
        if (!outermost_ || implementation_.gathered)
            return;
        implementation_.unsealed_runs.clear();
        implementation_.unsealed_suites.clear();
    }
    void commit() {
        const bool gathers = implementation_.gathered.has_value();
        if (outermost_ && !gathers)
            implementation_.seal();
        transaction_.commit();
        committed_ = true;
        if (outermost_ && gathers &&
            std::chrono::steady_clock::now() - implementation_.last_commit >= implementation_.gathering_time)
            implementation_.commit_gathered();
    }

private:
    static const Connection& begin(Implementation& implementation) {
        if (implementation.gathering_time.count() > 0 && !implementation.gathered &&
            !implementation.connection->in_transaction())
            implementation.gathered.emplace(*implementation.connection);
        return *implementation.connection;
    }

    Implementation& implementation_;
    bool outermost_;
    bool committed_ = false;
    Transaction transaction_;
};

void Database::Implementation::commit_gathered() {
    seal();
    gathered->commit();
    gathered.reset();
    last_commit = std::chrono::steady_clock::now();
}

void Database::Implementation::end_gathering() {
    if (gathered && open_changes == 0)
        commit_gathered();
}

void Database::Implementation::durably(const std::function<void()>& writes) {
    end_gathering();
    const bool raise = wal && !connection->in_transaction();
    if (raise)
        connection->execute("PRAGMA synchronous = FULL");
    {
        Change change(*this);
        writes();
        change.commit();
    }
    end_gathering();
    if (raise)
        connection->execute("PRAGMA synchronous = NORMAL");
}

void Database::Implementation::seal() {
    for (const SuiteId id : std::exchange(unsealed_suites, {}))
        seal_suite(id);
    for (const RunId id : std::exchange(unsealed_runs, {}))
        seal_run(id);
}

void Database::Implementation::seal_run(RunId id) const {
    if (connection->integer("SELECT count(*) FROM run WHERE id = " + std::to_string(id)) == 0)
        return; // the part of the commit that made it was undone
    std::int64_t checksum = 0;
    const Run run = read_run_row(id, checksum);
    const RunParts parts = count_parts(id);
    const std::vector<Event> events = read_events(id);
    connection->query("UPDATE run SET suites = ?, events = ?, checksum = ? WHERE id = ?")
        .run(parts.suites, parts.events, checksum_of(run, parts, events), id);
}

void Database::Implementation::seal_suite(SuiteId id) const {
    StoredSuite suite;
    {
        Query query = connection->query(suite_row_sql("WHERE id = ?"));
        query.bind(id);
        if (!query.next())
            return; // the part of the commit that made it was undone
        suite = read_suite_row(query).stored;
    }
    suite.facts = facts("suite_fact", "suite", id);
    suite.clock_estimates = read_clock_estimates(id);
    Query count = connection->query(
        "SELECT count(*), (SELECT uuid FROM run WHERE run.id = (SELECT run FROM suite WHERE id = ?1)) FROM measurement WHERE suite = ?1");
    count.bind(id);
    (void)count.next();
    const std::int64_t measurements = count.integer();
    const std::string uuid = count.text();
    connection->query("UPDATE suite SET measurements = ?, checksum = ? WHERE id = ?")
        .run(measurements, checksum_of(suite, uuid, measurements), id);
}

void Database::Implementation::insert_facts(const char* table, const char* key, std::int64_t id,
                                            const std::map<std::string, std::string>& facts) const {
    connection->query("DELETE FROM " + std::string(table) + " WHERE " + key + " = ?").run(id);
    Query insert = connection->query("INSERT INTO " + std::string(table) + " (" + key +
                                     ", name, value) VALUES (?, ?, ?)");
    for (const auto& [name, value] : facts)
        insert.run(id, name, value);
}

std::map<std::string, std::string> Database::Implementation::facts(const char* table, const char* key,
                                                                   std::int64_t id) const {
    std::map<std::string, std::string> facts;
    Query query =
        connection->query("SELECT name, value FROM " + std::string(table) + " WHERE " + key + " = ?");
    query.bind(id);
    while (query.next()) {
        std::string name = query.text();
        facts[std::move(name)] = query.text();
    }
    return facts;
}

std::vector<ClockEstimate> Database::Implementation::read_clock_estimates(SuiteId id) const {
    static const std::string sql =
        select_sql<ClockEstimate>("", "clock_estimate WHERE suite = ? ORDER BY ordinal");
    std::vector<ClockEstimate> estimates;
    Query query = connection->query(sql);
    query.bind(id);
    while (query.next())
        estimates.push_back(RowReader(*connection, query).read<ClockEstimate>());
    return estimates;
}

void Database::Implementation::insert_rank_facts(RunId id, const Run& run) const {
    connection->query("DELETE FROM rank WHERE run = ?").run(id);
    Query insert = connection->query(insert_sql<RankFacts>("rank", {"run", "ordinal"}));
    std::int64_t ordinal = 0;
    for (const RankFacts& rank : run.rank_facts) {
        RowWriter(insert).write(rank);
        insert.run(id, ordinal++);
    }
}

RunId Database::Implementation::insert_run(const Run& run) {
    {
        Query insert = connection->query(insert_sql<Run>("run", {"suites", "events", "checksum"}));
        RowWriter(insert).write(run);
        insert.run(0, 0, 0); // counted and summed when the commit ends
    }
    const RunId id = connection->last_insert_id();
    insert_facts("run_fact", "run", id, run.facts);
    insert_facts("run_setting", "run", id, run.settings);
    insert_rank_facts(id, run);
    unsealed_runs.insert(id);
    return id;
}

SuiteId Database::Implementation::insert_suite(RunId run, int ordinal, const Suite& suite) const {
    static const std::string sql = insert_sql<StoredSuite>("suite", {"run", "measurements", "checksum"});
    Query insert = connection->query(sql);
    StoredSuite stored;
    stored.ordinal = ordinal;
    stored.suite = suite;
    RowWriter(insert).write(stored);
    insert.run(run, 0, 0);
    return connection->last_insert_id();
}

void Database::Implementation::replace_run(RunId id, const Run& run) {
    {
        Query update = connection->query(update_sql<Run>("run", {}));
        RowWriter(update).write(run);
        update.run(id);
    }
    insert_facts("run_fact", "run", id, run.facts);
    insert_facts("run_setting", "run", id, run.settings);
    insert_rank_facts(id, run);
    unsealed_runs.insert(id);
}

void Database::Implementation::insert_parts(MeasurementId id, const StoredMeasurement& stored) const {
    const Measurement& measurement = stored.measurement;
    std::int64_t ordinal = 0;
    if (!measurement.modes.empty()) {
        static const std::string sql = insert_sql<ModeValue>("mode", {"measurement", "ordinal"});
        Query insert = connection->query(sql);
        for (const ModeValue& mode : measurement.modes) {
            RowWriter(insert).write(mode);
            insert.run(id, ordinal++);
        }
    }
    ordinal = 0;
    if (!measurement.node_times.empty()) {
        static const std::string sql = insert_sql<NodeTime>("node_time", {"measurement", "ordinal"});
        Query insert = connection->query(sql);
        for (const NodeTime& time : measurement.node_times) {
            RowWriter(insert).write(time);
            insert.run(id, ordinal++);
        }
    }
    if (!stored.merge)
        return;
    {
        static const std::string sql = insert_sql<MergeFacts>("merge_fact", {"measurement"});
        Query insert = connection->query(sql);
        RowWriter(insert).write(*stored.merge);
        insert.run(id);
    }
    ordinal = 0;
    static const std::string sql = insert_sql<Source>("source", {"measurement", "ordinal"});
    Query insert = connection->query(sql);
    for (const Source& source : stored.merge->sources) {
        RowWriter(insert).write(source);
        insert.run(id, ordinal);
        insert_node_times_of_source(id, ordinal++, source.node_times);
    }
}

void Database::Implementation::insert_node_times_of_source(MeasurementId id, std::int64_t source,
                                                           const std::vector<NodeTime>& times) const {
    if (times.empty())
        return;
    static const std::string sql =
        insert_sql<NodeTime>("source_node_time", {"measurement", "source", "ordinal"});
    Query insert = connection->query(sql);
    std::int64_t ordinal = 0;
    for (const NodeTime& time : times) {
        RowWriter(insert).write(time);
        insert.run(id, source, ordinal++);
    }
}

std::optional<MeasurementId> Database::Implementation::measurement_at(SuiteId suite,
                                                                      std::int64_t argument) const {
    Query known = connection->query("SELECT id FROM measurement WHERE suite = ? AND argument = ?");
    known.bind(suite);
    known.bind(argument);
    return known.next() ? std::optional(known.integer()) : std::nullopt;
}

MeasurementId Database::Implementation::insert_measurement(SuiteId suite,
                                                           const StoredMeasurement& stored) const {
    {
        static const std::string sql =
            insert_sql<StoredMeasurement>("measurement", {"id", "suite", "batches", "checksum"});
        Query insert = connection->query(sql);
        RowWriter(insert).write(stored);
        insert.run(stored.id != 0 ? std::optional(stored.id) : std::nullopt, suite, std::int64_t{0},
                   checksum_of(stored, identity_of(suite), 0));
    }
    const MeasurementId id = connection->last_insert_id();
    insert_parts(id, stored);
    return id;
}

void Database::Implementation::replace_measurement(MeasurementId id, const StoredMeasurement& stored,
                                                   const Place& place) const {
    {
        static const std::string sql = update_sql<StoredMeasurement>("measurement", {"batches", "checksum"});
        Query update = connection->query(sql);
        RowWriter(update).write(stored);
        update.run(place.batches, checksum_of(stored, identity_of(place.suite), place.batches), id);
    }
    connection->query("DELETE FROM mode WHERE measurement = ?").run(id);
    connection->query("DELETE FROM node_time WHERE measurement = ?").run(id);
    connection->query("DELETE FROM merge_fact WHERE measurement = ?").run(id);
    connection->query("DELETE FROM source WHERE measurement = ?").run(id);
    connection->query("DELETE FROM source_node_time WHERE measurement = ?").run(id);
    insert_parts(id, stored);
}

void Database::Implementation::insert_batches(MeasurementId id, const std::string& identity,
                                              std::int64_t ordinal, const std::vector<Batch>& batches) const {
    std::optional<Stretch> stretch; // stored last
    std::int64_t stretch_id = 0;
    for (const Batch& batch : batches) {
        if (stretch != stretch_of(batch)) {
            stretch = stretch_of(batch);
            static const std::string sql = insert_sql<Stretch>("stretch", {"measurement"});
            Query insert = connection->query(sql);
            RowWriter(insert).write(*stretch);
            insert.run(id);
            stretch_id = connection->last_insert_id();
        }
        {
            static const std::string sql = insert_sql<Batch>(
                "batch", {"measurement", "ordinal", "stretch", "node_ranks", "durations_s", "checksum"});
            Query insert = connection->query(sql);
            RowWriter(insert).write(batch);
            insert.bind(id);
            insert.bind(ordinal);
            insert.bind(stretch_id);
            insert.bind(static_cast<std::int64_t>(
                stored_lists(batch.node_durations, !stretch->listed_ranks.empty())));
            insert.bind_blob(floats_of(batch));
            insert.bind(checksum_of(batch, identity, ordinal));
            insert.run();
        }
        ++ordinal;
    }
}

Run Database::Implementation::read_run_row(RunId id, std::int64_t& checksum) const {
    Run run;
    {
        Query query = connection->query(select_sql<Run>("checksum", "run WHERE id = ?"));
        query.bind(id);
        if (!query.next())
            connection->fail("there is no run " + std::to_string(id));
        run = RowReader(*connection, query).read<Run>();
        checksum = query.integer();
    }
    run.facts = facts("run_fact", "run", id);
    run.settings = facts("run_setting", "run", id);
    Query ranks = connection->query(select_sql<RankFacts>("", "rank WHERE run = ? ORDER BY ordinal"));
    ranks.bind(id);
    while (ranks.next())
        run.rank_facts.push_back(RowReader(*connection, ranks).read<RankFacts>());
    return run;
}

RunParts Database::Implementation::count_parts(RunId id) const {
    Query count = connection->query("SELECT (SELECT count(*) FROM suite WHERE run = ?1), "
                                    "(SELECT count(*) FROM event WHERE run = ?1)");
    count.bind(id);
    (void)count.next();
    RunParts parts;
    parts.suites = count.integer();
    parts.events = count.integer();
    return parts;
}

std::vector<Event> Database::Implementation::read_events(RunId id) const {
    Query query = connection->query(select_sql<Event>("", "event WHERE run = ? ORDER BY id"));
    query.bind(id);
    std::vector<Event> events;
    while (query.next())
        events.push_back(RowReader(*connection, query).read<Event>());
    return events;
}

Run Database::Implementation::read_run(RunId id) const {
    const Snapshot snapshot(*connection);
    std::int64_t checksum = 0;
    Run run = read_run_row(id, checksum);
    compare_checksums(checksum, checksum_of(run, count_parts(id), read_events(id)), "run " + run.uuid);
    return run;
}

Database::Implementation::SuiteRow Database::Implementation::read_suite_row(Query& query) const {
    SuiteRow row;
    row.stored = RowReader(*connection, query).read<StoredSuite>();
    row.stored.id = query.integer();
    row.measurements = query.integer();
    row.checksum = query.integer();
    return row;
}

const std::string& Database::Implementation::identity_of(SuiteId suite) const {
    const auto known = identities.find(suite);
    if (known != identities.end())
        return known->second;
    constexpr std::size_t most_remembered = 4096;
    if (identities.size() >= most_remembered)
        identities.clear();
    Query query = connection->query("SELECT run.uuid, suite.name FROM suite JOIN run ON run.id = suite.run "
                                    "WHERE suite.id = ?");
    query.bind(suite);
    if (!query.next())
        connection->fail("there is no suite " + std::to_string(suite));
    std::string identity = query.text();
    identity += '\n' + query.text();
    return identities.emplace(suite, std::move(identity)).first->second;
}

std::vector<Source> Database::Implementation::sources_of(MeasurementId id) const {
    std::vector<Source> sources;
    {
        static const std::string sql =
            select_sql<Source>("measurement", "source WHERE measurement = ? ORDER BY ordinal");
        Query query = connection->query(sql);
        query.bind(id);
        while (query.next())
            sources.push_back(RowReader(*connection, query).read<Source>());
    }
    static const std::string sql =
        select_sql<NodeTime>("source", "source_node_time WHERE measurement = ? ORDER BY source, ordinal");
    Query query = connection->query(sql);
    query.bind(id);
    while (query.next()) {
        const auto time = RowReader(*connection, query).read<NodeTime>();
        const std::int64_t source = query.integer();
        if (source < 0 || source >= std::ssize(sources))
            connection->fail("a node time of source " + std::to_string(source) +
                             " belongs to none: the file is damaged or was edited; it is left as it is");
        sources[static_cast<std::size_t>(source)].node_times.push_back(time);
    }
    return sources;
}

Database::Implementation::Place Database::Implementation::place_of(MeasurementId id) const {
    Query query = connection->query("SELECT suite, finished, batches FROM measurement WHERE id = ?");
    query.bind(id);
    if (!query.next())
        connection->fail("there is no measurement " + std::to_string(id));
    Place place;
    place.suite = query.integer();
    place.finished = query.integer() != 0;
    place.batches = query.integer();
    return place;
}

// --- Database

Database::Database(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

namespace {

/// None where the text is of no kind.
const Importer* importer_of(const std::string& text) {
    if (text.starts_with(sqlite_magic))
        return nullptr;
    const auto found =
        std::ranges::find_if(importers(), [&](const Importer& each) { return each.recognises(text); });
    return found == importers().end() ? nullptr : &*found;
}

} // namespace

/// Stores what an importer reads in a temporary database, in one commit.
class Database::Implementation::Import : public ImportSink {
public:
    explicit Import(Implementation& implementation)
        : implementation_(implementation)
        , change_(implementation) {}
    void commit() { change_.commit(); }

    RunId begin_run(const Run& run) override { return implementation_.insert_run(run); }
    SuiteId begin_suite(RunId run, const Suite& suite) override {
        int ordinal = 0;
        {
            Query last =
                implementation_.connection->query("SELECT max(ordinal) + 1 FROM suite WHERE run = ?");
            last.bind(run);
            (void)last.next();
            ordinal = static_cast<int>(last.integer()); // 0 where there is none
        }
        return implementation_.insert_suite(run, ordinal, suite);
    }
    std::optional<std::int64_t> add(SuiteId suite, std::int64_t place, const Measurement& measurement,
                                    const std::optional<MergeFacts>& merged) override {
        // A measurement's place is its id.
        if (const auto known = implementation_.measurement_at(suite, measurement.argument))
            return known;
        (void)implementation_.insert_measurement(suite, {place, true, measurement, merged});
        return std::nullopt;
    }
    void end_suite(SuiteId id, const Suite& suite, const std::map<std::string, std::string>& facts) override {
        static const std::string sql = update_sql<Suite>("suite", {"state"});
        {
            Query update = implementation_.connection->query(sql);
            RowWriter(update).write(suite);
            update.run(to_text(SuiteState::finished), id);
        }
        implementation_.insert_facts("suite_fact", "suite", id, facts);
        implementation_.seal_suite(id);
    }
    void end_run(RunId id, const Run& run) override { implementation_.replace_run(id, run); }

private:
    Implementation& implementation_;
    Change change_;
};

Database Database::open(const std::string& path, const std::function<void(double)>& advanced) {
    auto implementation = std::make_unique<Implementation>(path);
    bool is_file = false;
    try {
        if (implementation->open_for_reading())
            return Database(std::move(implementation));
    } catch (const NotADatabase&) {
        // Closed before the file is opened beside SQLite: closing a file drops all of a process's locks on
        // it.
        implementation->connection.reset();
        is_file = true;
    }
    TextSource text = TextSource::of_file(path, advanced);
    const Importer* importer = importer_of(text.beginning());
    if (importer == nullptr) {
        const std::string& beginning = text.beginning();
        if (!is_file && beginning.starts_with(sqlite_magic))
            throw StoreError(path, "open this file",
                             "it is a database, which cannot be read through a pipe: name its file",
                             ExitStatus::bad_input);
        if (is_file || beginning.find('\0') != std::string::npos)
            implementation->fail_to_open(beginning);
        importer =
            &importers().front(); // of a pipe with another text in it the errors are those of a result CSV
    }
    implementation->open_temporary();
    Implementation::Import import(*implementation);
    importer->reads(text, import);
    import.commit();
    implementation->writable = false;
    return Database(std::move(implementation));
}

std::unique_ptr<Database::Implementation> Database::Implementation::to_write(const std::string& path,
                                                                             JournalChoice journal) {
    auto implementation = std::make_unique<Implementation>(path);
    implementation->journal = journal;
    try {
        implementation->open_for_writing();
    } catch (const NotADatabase&) {
        implementation->connection.reset();
        implementation->fail_to_open(TextSource::of_file(path).beginning());
    }
    return implementation;
}

Database Database::open_for_writing(const std::string& path) {
    return Database(Implementation::to_write(path, JournalChoice::automatic));
}

Database Database::open_for_making(const std::string& path) {
    return Database(Implementation::to_write(path, JournalChoice::memory));
}

RunId Database::begin_run(const Run& run, const std::vector<Suite>& plan) {
    (void)implementation_->begin_writing("begin a run");
    implementation_->use_working_journal();
    RunId id = 0;
    implementation_->durably([&] {
        id = implementation_->insert_run(run);
        int ordinal = 0;
        for (const Suite& suite : plan)
            implementation_->unsealed_suites.insert(implementation_->insert_suite(id, ordinal++, suite));
    });
    return id;
}

std::optional<RunId> Database::find_open_run(const Series& series, std::vector<std::string>* why_not) const {
    Connection& connection = implementation_->begin("look for an unfinished run");
    const Snapshot snapshot(connection);
    std::vector<RunId> unfinished;
    {
        Query query =
            connection.query("SELECT id FROM run WHERE kind = 'raw' AND ended_utc IS NULL ORDER BY id DESC");
        while (query.next())
            unfinished.push_back(query.integer());
    }
    std::vector<std::string> of_newest;
    for (const RunId id : unfinished) {
        std::vector<std::string> differences = Series(implementation_->read_run(id)).differences(series);
        if (differences.empty())
            return id;
        if (of_newest.empty())
            of_newest = std::move(differences);
    }
    if (why_not != nullptr)
        *why_not = std::move(of_newest);
    return std::nullopt;
}

Run Database::Implementation::updated_run(RunId id, const Run& facts) {
    seal(); // what was written before in the same commit is part of what is read
    Run run = read_run(id);
    run.clock_resolution_s = facts.clock_resolution_s;
    run.clock_cost_s = facts.clock_cost_s;
    run.reference_probe_s = facts.reference_probe_s;
    run.lowest_probe_s = facts.lowest_probe_s;
    run.highest_probe_s = facts.highest_probe_s;
    run.reference_clock_hz = facts.reference_clock_hz;
    run.reference_core_throughput = facts.reference_core_throughput;
    run.measuring_share = facts.measuring_share;
    run.merged_runs = facts.merged_runs;
    run.facts = facts.facts;
    run.rank_facts = facts.rank_facts;
    return run;
}

void Database::update_run(RunId id, const Run& facts) {
    (void)implementation_->begin_writing("update a run");
    Implementation::Change change(*implementation_);
    implementation_->replace_run(id, implementation_->updated_run(id, facts));
    change.commit();
}

void Database::end_run(RunId id, const Run& facts) {
    (void)implementation_->begin_writing("end a run");
    implementation_->durably([&] {
        Run run = implementation_->updated_run(id, facts);
        run.ended_utc = facts.ended_utc.empty() ? utc_now() : facts.ended_utc;
        implementation_->replace_run(id, run);
    });
    implementation_->leave_one_file();
}

void Database::begin_suite(SuiteId suite) {
    Connection& connection = implementation_->begin_writing("begin a suite");
    implementation_->durably([&] {
        connection.query("UPDATE suite SET in_progress = 1, attempts = attempts + 1 WHERE id = ?").run(suite);
        implementation_->must_have_changed("suite", suite);
        implementation_->unsealed_suites.insert(suite);
    });
}

void Database::set_suite_facts(SuiteId suite, const std::map<std::string, std::string>& facts) {
    (void)implementation_->begin_writing("store what was found out about a suite");
    Implementation::Change change(*implementation_);
    implementation_->insert_facts("suite_fact", "suite", suite, facts);
    implementation_->unsealed_suites.insert(suite);
    change.commit();
}

void Database::set_launch_correlation(SuiteId suite, double correlation) {
    Connection& connection = implementation_->begin_writing("store the correlation of a suite's launches");
    Implementation::Change change(*implementation_);
    connection.query("UPDATE suite SET launch_correlation = ? WHERE id = ?").run(correlation, suite);
    implementation_->must_have_changed("suite", suite);
    implementation_->unsealed_suites.insert(suite);
    change.commit();
}

void Database::add_clock_estimates(SuiteId suite, const std::vector<ClockEstimate>& estimates) {
    Connection& connection = implementation_->begin_writing("store estimates of the global clock");
    if (estimates.empty())
        return;
    Implementation::Change change(*implementation_);
    std::int64_t ordinal =
        connection.integer("SELECT count(*) FROM clock_estimate WHERE suite = " + std::to_string(suite));
    Query insert = connection.query(insert_sql<ClockEstimate>("clock_estimate", {"suite", "ordinal"}));
    for (const ClockEstimate& estimate : estimates) {
        RowWriter(insert).write(estimate);
        insert.run(suite, ordinal++);
    }
    implementation_->unsealed_suites.insert(suite);
    change.commit();
}

void Database::end_suite(SuiteId suite, SuiteState state, const std::string& reason) {
    Connection& connection = implementation_->begin_writing("end a suite");
    Implementation::Change change(*implementation_);
    // Open again means stopped on the user's order: an attempt that was nobody's fault does not count.
    const int taken_back = state == SuiteState::open ? 1 : 0;
    connection
        .query("UPDATE suite SET attempts = attempts - in_progress * ?, in_progress = 0, state = ?, "
               "reason = ? WHERE id = ?")
        .run(taken_back, to_text(state), reason, suite);
    implementation_->must_have_changed("suite", suite);
    implementation_->unsealed_suites.insert(suite);
    change.commit();
}

MeasurementId Database::begin_measurement(SuiteId suite, const Measurement& planned) {
    (void)implementation_->begin_writing("begin a measurement");
    MeasurementId id = 0;
    {
        Implementation::Change change(*implementation_);
        if (const auto begun = implementation_->measurement_at(suite, planned.argument))
            return *begun;
        id = implementation_->insert_measurement(suite, {0, false, planned, {}});
        implementation_->unsealed_suites.insert(suite);
        change.commit();
    }
    implementation_->end_gathering();
    return id;
}

void Database::add_batches(MeasurementId measurement, const std::vector<Batch>& batches,
                           const Measurement& summary, bool finished) {
    (void)implementation_->begin_writing("store a measurement");
    Implementation::Change change(*implementation_);
    Implementation::Place place = implementation_->place_of(measurement);
    const std::string identity = implementation_->identity_of(place.suite, summary);
    implementation_->insert_batches(measurement, identity, place.batches, batches);
    place.batches += std::ssize(batches);
    implementation_->replace_measurement(measurement, {measurement, finished, summary, {}}, place);
    change.commit();
}

void Database::update_measurements(const std::vector<StoredMeasurement>& measurements) {
    (void)implementation_->begin_writing("update measurements");
    Implementation::Change change(*implementation_);
    for (StoredMeasurement stored : measurements) {
        const Implementation::Place place = implementation_->place_of(stored.id);
        stored.finished = place.finished;
        implementation_->replace_measurement(stored.id, stored, place);
    }
    change.commit();
}

MeasurementId Database::add_merged(SuiteId suite, const Measurement& merged, const MergeFacts& facts) {
    (void)implementation_->begin_writing("store a merged measurement");
    Implementation::Change change(*implementation_);
    const MeasurementId id = implementation_->insert_measurement(suite, {0, true, merged, facts});
    implementation_->unsealed_suites.insert(suite);
    change.commit();
    return id;
}

void Database::drop_samples(SuiteId suite) {
    Connection& connection = implementation_->begin_writing("remove the single measurements of a suite");
    Implementation::Change change(*implementation_);
    for (const StoredMeasurement& stored : measurements(suite)) {
        connection.query("DELETE FROM batch WHERE measurement = ?").run(stored.id);
        connection.query("DELETE FROM stretch WHERE measurement = ?").run(stored.id);
        const std::int64_t checksum = checksum_of(stored, implementation_->identity_of(suite), 0);
        connection.query("UPDATE measurement SET batches = 0, checksum = ? WHERE id = ?")
            .run(checksum, stored.id);
    }
    change.commit();
}

std::int64_t Database::drop_unfinished(SuiteId suite) {
    Connection& connection = implementation_->begin_writing("remove the unfinished measurements of a suite");
    Implementation::Change change(*implementation_);
    connection.query("DELETE FROM measurement WHERE suite = ? AND NOT finished").run(suite);
    const std::int64_t dropped = connection.changes();
    implementation_->unsealed_suites.insert(suite);
    change.commit();
    return dropped;
}

void Database::add_event(RunId run, const Event& event) {
    Connection& connection = implementation_->begin_writing("store an event");
    Implementation::Change change(*implementation_);
    {
        Query insert = connection.query(insert_sql<Event>("event", {"run"}));
        RowWriter(insert).write(event);
        insert.run(run);
    }
    implementation_->unsealed_runs.insert(run);
    change.commit();
}

void Database::in_one_commit(const std::function<void()>& writes) {
    Connection& connection = implementation_->begin_writing("write several things at once");
    Implementation::Change change(*implementation_);
    writes();
    connection.doing("write several things at once");
    change.commit();
}

void Database::gather_commits(std::chrono::steady_clock::duration time) {
    implementation_->end_gathering();
    // Without the log a long transaction may keep readers out.
    implementation_->gathering_time = implementation_->wal ? time : time.zero();
    implementation_->last_commit = std::chrono::steady_clock::now();
}

void Database::in_one_state(const std::function<void()>& reads) const {
    const Snapshot snapshot(implementation_->begin("read several things at once"));
    reads();
}

std::vector<RunId> Database::runs() const {
    Connection& connection = implementation_->begin("read the runs");
    Query query = connection.query("SELECT id FROM run ORDER BY id");
    std::vector<RunId> runs;
    while (query.next())
        runs.push_back(query.integer());
    return runs;
}

Run Database::run(RunId run) const {
    (void)implementation_->begin("read a run");
    return implementation_->read_run(run);
}

RunContents Database::contents(RunId run) const {
    Connection& connection = implementation_->begin("count the measurements of a run");
    const Snapshot snapshot(connection);
    RunContents contents;
    {
        // What the suites say of themselves: no measurement is read for it.
        Query count =
            connection.query("SELECT coalesce(sum(measurements), 0), (SELECT kind = 'merged' FROM run WHERE "
                             "id = ?1) FROM suite WHERE run = ?1");
        count.bind(run);
        if (!count.next())
            return contents;
        contents.points = count.integer();
        if (count.integer() == 0)
            return contents;
    }
    const char* const of_run = "FROM suite JOIN measurement ON measurement.suite = suite.id ";
    Query without = connection.query(
        std::string("SELECT count(*) ") + of_run +
        "WHERE suite.run = ? AND measurement.value_s IS NOT NULL AND NOT EXISTS (SELECT 1 FROM source WHERE "
        "source.measurement = measurement.id)");
    without.bind(run);
    contents.all_have_sources = without.next() && without.integer() == 0;
    Query sources = connection.query(
        std::string("SELECT source.run, sum(source.value_s IS NOT NULL AND NOT source.interpolated AND NOT "
                    "source.other_mode) ") +
        of_run +
        "JOIN source ON source.measurement = measurement.id WHERE suite.run = ? GROUP BY source.run");
    sources.bind(run);
    while (sources.next()) {
        const std::string uuid = sources.text();
        contents.points_of_source[uuid] = sources.integer();
    }
    return contents;
}

StoredSuite Database::suite(SuiteId suite) const {
    Connection& connection = implementation_->begin("read a suite");
    const Snapshot snapshot(connection);
    Query query = connection.query(suite_row_sql("WHERE id = ?"));
    query.bind(suite);
    if (!query.next())
        connection.fail("there is no suite " + std::to_string(suite));
    auto [stored, measurements, checksum] = implementation_->read_suite_row(query);
    stored.facts = implementation_->facts("suite_fact", "suite", suite);
    stored.clock_estimates = implementation_->read_clock_estimates(suite);
    Query uuid = connection.query("SELECT uuid FROM run WHERE id = (SELECT run FROM suite WHERE id = ?)");
    uuid.bind(suite);
    implementation_->compare_checksums(checksum,
                                       checksum_of(stored, uuid.next() ? uuid.text() : "", measurements),
                                       "suite \"" + stored.suite.name + "\"");
    return stored;
}

std::vector<StoredSuite> Database::suites(RunId run) const {
    Connection& connection = implementation_->begin("read the suites of a run");
    const Snapshot snapshot(connection);
    std::vector<StoredSuite> suites;
    struct Sum {
        std::int64_t measurements = 0;
        std::int64_t checksum = 0;
    };
    std::vector<Sum> sums;
    {
        Query query = connection.query(suite_row_sql("WHERE run = ? ORDER BY ordinal"));
        query.bind(run);
        while (query.next()) {
            auto [stored, measurements, checksum] = implementation_->read_suite_row(query);
            suites.push_back(std::move(stored));
            sums.push_back({measurements, checksum});
        }
    }
    Query uuid = connection.query("SELECT uuid FROM run WHERE id = ?");
    uuid.bind(run);
    const std::string run_uuid = uuid.next() ? uuid.text() : std::string();
    for (std::size_t i = 0; i < suites.size(); ++i) {
        suites[i].facts = implementation_->facts("suite_fact", "suite", suites[i].id);
        suites[i].clock_estimates = implementation_->read_clock_estimates(suites[i].id);
        implementation_->compare_checksums(sums[i].checksum,
                                           checksum_of(suites[i], run_uuid, sums[i].measurements),
                                           "suite \"" + suites[i].suite.name + "\"");
        if (suites[i].ordinal != static_cast<int>(i))
            connection.fail("suite \"" + suites[i].suite.name +
                            "\" is not where its plan had it: a row is "
                            "missing; the file is left as it is");
    }
    return suites;
}

std::vector<StoredMeasurement> Database::measurements(SuiteId suite) const {
    std::vector<StoredMeasurement> measurements;
    for_each_measurement(suite,
                         [&](StoredMeasurement&& stored) { measurements.push_back(std::move(stored)); });
    return measurements;
}

void Database::for_each_measurement(SuiteId suite,
                                    const std::function<void(StoredMeasurement&&)>& take) const {
    Connection& connection = implementation_->begin("read the measurements of a suite");
    const Snapshot snapshot(connection);
    std::vector<StoredMeasurement> measurements;
    struct Sum {
        std::int64_t batches = 0;
        std::int64_t checksum = 0;
    };
    std::vector<Sum> sums;
    {
        Query query = connection.query(select_sql<StoredMeasurement>(
            "id, batches, checksum", "measurement WHERE suite = ? ORDER BY argument"));
        query.bind(suite);
        while (query.next()) {
            auto stored = RowReader(connection, query).read<StoredMeasurement>();
            stored.id = query.integer();
            Sum sum;
            sum.batches = query.integer();
            sum.checksum = query.integer();
            sums.push_back(sum);
            measurements.push_back(std::move(stored));
        }
    }
    {
        Query query = connection.query("SELECT measurements, name FROM suite WHERE id = ?");
        query.bind(suite);
        if (query.next())
            if (const std::int64_t planned = query.integer(); planned != std::ssize(measurements))
                connection.fail("suite \"" + query.text() + "\" has " + std::to_string(measurements.size()) +
                                " measurements, expected " + std::to_string(planned) +
                                ": the file is damaged or was edited; it is left as it is");
    }
    // What belongs to them is read for all of them at once: in one sweep where their numbers lie close
    // together, as they mostly do.
    std::unordered_map<MeasurementId, StoredMeasurement*> by_id;
    MeasurementId first = std::numeric_limits<MeasurementId>::max();
    MeasurementId last = 0;
    for (StoredMeasurement& stored : measurements) {
        by_id.emplace(stored.id, &stored);
        first = std::min(first, stored.id);
        last = std::max(last, stored.id);
    }
    const bool close_together = last - first < 2 * std::ssize(measurements);
    const auto read_parts = [&]<typename Row>(const char* table, const char* order, auto&& add) {
        Query query = connection.query(select_sql<Row>(
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
            Row row = RowReader(connection, query).template read<Row>();
            if (const auto of = by_id.find(query.integer()); of != by_id.end())
                add(*of->second, std::move(row));
        }
    };
    constexpr const char* in_order = " ORDER BY measurement, ordinal";
    read_parts.template operator()<ModeValue>("mode", in_order, [](StoredMeasurement& of, ModeValue mode) {
        of.measurement.modes.push_back(mode);
    });
    read_parts.template operator()<NodeTime>("node_time", in_order, [](StoredMeasurement& of, NodeTime time) {
        of.measurement.node_times.push_back(time);
    });
    read_parts.template operator()<MergeFacts>(
        "merge_fact", "", [](StoredMeasurement& of, MergeFacts facts) { of.merge = std::move(facts); });
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        StoredMeasurement& stored = measurements[i];
        if (stored.merge)
            stored.merge->sources = implementation_->sources_of(stored.id);
        implementation_->compare_checksums(
            sums[i].checksum, checksum_of(stored, implementation_->identity_of(suite), sums[i].batches),
            "the measurement at argument " + std::to_string(stored.measurement.argument));
        take(std::move(stored));
        stored = {}; // of many launches the sources fill the memory
    }
}

std::vector<Batch> Database::batches(MeasurementId measurement) const {
    Connection& connection = implementation_->begin("read the single measurements");
    const Snapshot snapshot(connection);
    std::string identity;
    std::int64_t planned = 0;
    {
        Query query = connection.query("SELECT suite, argument, batches FROM measurement WHERE id = ?");
        query.bind(measurement);
        if (!query.next())
            return {};
        const SuiteId suite = query.integer();
        Measurement of;
        of.argument = query.integer();
        planned = query.integer();
        identity = implementation_->identity_of(suite, of);
    }
    std::vector<Batch> batches;
    Query query = connection.query(select_sql<Batch>("stretch, node_ranks, durations_s, checksum, ordinal",
                                                     "batch WHERE measurement = ? ORDER BY ordinal"));
    Query stretches = connection.query(select_sql<Stretch>("", "stretch WHERE id = ? AND measurement = ?"));
    query.bind(measurement);
    while (query.next()) {
        Batch batch = RowReader(connection, query).read<Batch>();
        const std::int64_t stretch = query.integer();
        const std::int64_t node_ranks = query.integer();
        const std::string floats = query.blob();
        const std::int64_t checksum = query.integer();
        const std::int64_t ordinal = query.integer();
        const std::string name = "batch " + std::to_string(ordinal);
        stretches.rewind();
        stretches.bind(stretch);
        stretches.bind(measurement);
        Stretch common;
        if (stretches.next())
            common = RowReader(connection, stretches).read<Stretch>();
        set_stretch(batch, common);
        if (!set_durations(batch, floats, node_ranks, common.listed_ranks))
            connection.fail(name + " has impossible counts: the file is damaged; it is left as it is");
        implementation_->compare_checksums(checksum, checksum_of(batch, identity, ordinal), name);
        batches.push_back(std::move(batch));
    }
    if (std::ssize(batches) != planned)
        connection.fail("a measurement has " + std::to_string(batches.size()) + " batches, expected " +
                        std::to_string(planned) + ": the file is damaged or was edited; it is left as it is");
    return batches;
}

std::vector<Event> Database::events(RunId run) const {
    (void)implementation_->begin("read the events of a run");
    return implementation_->read_events(run);
}

void Database::for_each_result(const std::function<void(const ResultRow&)>& row,
                               const std::optional<std::string>& uuid) const {
    // The view knows nothing of checksums: compare them first, by reading what it is made from.
    for (const RunId id : runs()) {
        if (uuid && run(id).uuid != *uuid)
            continue;
        for (const StoredSuite& stored : suites(id))
            for_each_measurement(stored.id, [](const StoredMeasurement&) {});
    }
    Connection& connection = implementation_->begin("read the results");
    // Not the cached statement: the callback may well read results, too.
    Query query = connection.fresh_query(select_sql<ResultRow>("", uuid ? "result WHERE run = ?" : "result"));
    if (uuid)
        query.bind(*uuid);
    while (query.next())
        row(RowReader(connection, query).read<ResultRow>());
}

const std::string& Database::path() const {
    return implementation_->path;
}

void Database::check_integrity() const {
    constexpr const char* what = "check this file";
    Connection& connection = implementation_->begin(what);
    if (const std::string finding = connection.text("PRAGMA integrity_check(1)"); finding != "ok")
        connection.fail("the file is damaged (" + finding + "); it is left as it is");
    {
        Query orphans = connection.fresh_query("PRAGMA foreign_key_check");
        if (orphans.next())
            connection.fail("table " + orphans.text() +
                            " has rows that belong to nothing: the file is damaged or was edited; "
                            "it is left as it is");
    }
    for (const RunId id : runs())
        check_run(id);
}

void Database::check_run(RunId run) const {
    // Reading compares all checksums and counts.
    (void)this->run(run);
    (void)events(run);
    for (const StoredSuite& suite : suites(run))
        for (const StoredMeasurement& measurement : measurements(suite.id))
            (void)batches(measurement.id);
}

std::int64_t Database::bytes_in_use() const {
    Connection& connection = implementation_->begin("look at the size of this file");
    const std::int64_t pages =
        connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count");
    return pages * connection.integer("PRAGMA page_size");
}

} // namespace skampi
