// SPDX-License-Identifier: GPL-2.0-or-later
// skampi-run as its users start it: a real MPI job of two ranks, looked at through its output and its
// database.
#include "all_done.hpp"
#include "base/child.hpp"
#include "base/text.hpp"
#include "close_to.hpp"
#include "environment.hpp"
#include "killed_job.hpp"
#include "model/series.hpp"
#include "model/session.hpp"
#include "model/session_start.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <vector>

using namespace skampi;

namespace {

Command job(const ScratchFolder& scratch, std::vector<std::string> arguments, int ranks = 2) {
    Command command;
    command.argv = {from_environment("SKAMPI_MPIEXEC"), "-n", std::to_string(ranks),
                    from_environment("SKAMPI_RUN")};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.directory = scratch.path();
    command.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
    command.timeout_s = 120;
    return command;
}

/// PATH without the directories that hold a program, which may be installed here.
std::string path_without(const std::string& program) {
    std::string kept;
    std::istringstream all(from_environment("PATH"));
    for (std::string directory; std::getline(all, directory, ':');)
        if (!std::filesystem::exists(std::filesystem::path(directory) / program))
            kept += (kept.empty() ? "" : ":") + directory;
    return kept;
}

std::string write_file(const ScratchFolder& scratch, const std::string& name, const std::string& text) {
    std::ofstream(scratch / name) << text;
    return scratch / name;
}

/// Three short suites with a fixed grid, so that every run has the same measurements.
/// Without overhead, in which a short call may vanish, and without long waits for undisturbed cores.
const char* const three_suites = R"(@ABSOLUTE yes
@TIMESUITEDEFAULT 3 s
@MEASUREMENTS
ping-pong { Type = 1; Scale = Fixed_log; End_Argument = 1KiB; Max_Repetition = 40; Node_Times = yes; }
broadcast { Type = 17; Scale = Fixed_log; End_Argument = 256; Max_Repetition = 40; Node_Times = yes; }
clock { Type = 24; Max_Repetition = 40; }
)";

using Key = std::pair<std::string, std::int64_t>;

std::map<Key, StoredMeasurement> finished(const Database& database, RunId run) {
    std::map<Key, StoredMeasurement> all;
    for (const StoredSuite& suite : database.suites(run))
        for (const StoredMeasurement& m : database.measurements(suite.id))
            if (m.finished)
                CHECK(all.emplace(Key{suite.suite.name, m.measurement.argument}, m).second);
    return all;
}

/// An operation that `skampi-run list` names.
struct Listed {
    std::string name;
    std::vector<std::string> parameters;
    [[nodiscard]] bool has(const std::string& parameter) const {
        return std::find(parameters.begin(), parameters.end(), parameter) != parameters.end();
    }
};

/// All of them but those that MPICH 4.0.2 cannot do: its MPI_Gather_init and MPI_Scatter_init send what the
/// buffer held when the request was made, its MPI_Allgather_init crashes now and then. What is tested here is
/// skampi-run.
std::vector<Listed> listed_operations() {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"), "list", "--json"};
    const ChildResult list = run(command);
    REQUIRE(list.ok());
    command.argv = {from_environment("SKAMPI_RUN"), "--version"};
    const bool mpich_4_0 = run(command).out.find("MPICH Version: 4.0.") != std::string::npos;
    std::vector<Listed> listed;
    const nlohmann::json all = nlohmann::json::parse(list.out);
    for (const nlohmann::json& row : all["operations"]) {
        const std::string name = row["name"];
        if (!mpich_4_0 ||
            (name != "MPI_Gather_init" && name != "MPI_Scatter_init" && name != "MPI_Allgather_init"))
            listed.push_back({name, row["parameters"].get<std::vector<std::string>>()});
    }
    return listed;
}

/// What `skampi-run algorithms` lists of four operations and can be chosen within a launch.
std::vector<nlohmann::json> listed_algorithms() {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"),
                    "algorithms",
                    "bcast",
                    "allreduce",
                    "allgather",
                    "alltoall",
                    "--json"};
    const ChildResult list = run(command);
    REQUIRE(list.ok());
    const nlohmann::json whole = nlohmann::json::parse(list.out);
    std::vector<nlohmann::json> rows;
    for (const nlohmann::json& row : whole.at("algorithms"))
        if (row["acts"] != "launch")
            rows.push_back(row);
    return rows;
}

/// The suites of a database's run, each finished, measured and with right data.
std::vector<StoredSuite> suites_with_right_data(const std::string& path) {
    const Database database = Database::open(path);
    const std::vector<StoredSuite> suites = database.suites(database.runs().front());
    for (const StoredSuite& suite : suites) {
        INFO(suite.suite.name);
        CHECK(suite.state == SuiteState::finished);
        const auto measurements = database.measurements(suite.id);
        CHECK_FALSE(measurements.empty());
        for (const StoredMeasurement& m : measurements)
            CHECK_FALSE(has(m.measurement.flags, Flag::wrong_result));
    }
    return suites;
}

} // namespace

TEST_CASE("every operation of the list is measured with two ranks and delivers right data") {
    const ScratchFolder scratch;
    std::string text = "@MEASUREMENTS\n";
    int operations = 0;
    for (const Listed& operation : listed_operations()) {
        const std::string& name = operation.name;
        text += fmt::format(
            "{0} {{ Type = {0}; Max_Repetition = 20; Min_Repetition = 4; Passes = 1; Time_Suite = 2s; "
            "Scale = Fixed_log; Stepwidth = 16; }}\n",
            name);
        ++operations;
    }
    CHECK(operations >= 33);
    // Message lengths end early: what matters here is that all of them work.
    text = "@MEMORY 8KiB\n" + text;
    const std::string file = write_file(scratch, "all.skampi", text);
    const ChildResult result = run(job(scratch, {file, "-d", "all.db"}));
    INFO(result.err);
    CHECK(all_done(result));
    CHECK(suites_with_right_data(scratch / "all.db").size() == static_cast<std::size_t>(operations));
}

TEST_CASE("a job shows where it stands at any terminal, and what it found as lines in a file") {
    const ScratchFolder scratch;
    const std::string plan = write_file(scratch, "plan.skampi", three_suites);
    Command plain = job(scratch, {plan, "-d", "x.db", "--fresh"});
    const ChildResult quiet = run(plain);
    REQUIRE(quiet.ok());
    CHECK(quiet.out.starts_with("suite argument value_us "));
    // script(1) gives what it starts a terminal.
    std::string line;
    for (const std::string& word : plain.argv)
        line += for_shell(word) + " ";
    for (const std::string redirection : {"", "| cat", "2> errors"}) {
        CAPTURE(redirection);
        Command terminal = plain;
        terminal.argv = {"script", "-q", "-e", "-c", line + redirection, "/dev/null"};
        const ChildResult shown = run(terminal);
        REQUIRE(shown.ok());
        const bool is_table = redirection.empty();
        CHECK((shown.out.find("suite 1/3 ping-pong") != std::string::npos) == (redirection != "2> errors"));
        CHECK((shown.out.find("skampi-report x.db") != std::string::npos) == is_table);
        CHECK((shown.out.find("suite argument value_us ") != std::string::npos) == !is_table);
        CHECK(shown.out.find("SKAMPI: OK points=") != std::string::npos);
    }
}

TEST_CASE("a log is appended to by every run, and a log that cannot be written harms none") {
    const ScratchFolder scratch;
    const std::string suites =
        "@MEASUREMENTS\nclock { Type = MPI_Wtime; Max_Repetition = 20; Passes = 1; }\n";
    const std::string file = write_file(scratch, "log.skampi", "@LOGFILE today.log\n" + suites);
    for (int start = 0; start < 2; ++start)
        CHECK(all_done(run(job(scratch, {file, "-d", "log.db"}))));
    std::ifstream log(scratch / "today.log");
    std::vector<std::string> kinds;
    for (std::string line; std::getline(log, line);) {
        std::istringstream rest(line);
        const std::vector<std::string> words(std::istream_iterator<std::string>{rest}, {});
        REQUIRE(words.size() > 3);
        CHECK(words[0].size() == 20);
        if (words[2] != "warning:")
            kinds.push_back(words[2]);
        if (words[2] == "suite")
            CHECK(line.find("suite \"clock\": finished after ") != std::string::npos);
        if (words[2] == "end:")
            CHECK(line.find("points=1 ") != std::string::npos);
    }
    CHECK(kinds == std::vector<std::string>{"begin:", "suite", "end:", "begin:", "suite", "end:"});

    const ChildResult full = run(
        job(scratch, {write_file(scratch, "full.skampi", "@LOGFILE /dev/full\n" + suites), "-d", "f.db"}));
    CHECK(all_done(full));
    CHECK(full.out.find("SKAMPI: ") != std::string::npos);
    CHECK(full.err.find("warning: the log /dev/full cannot be written (No space left on device)") !=
          std::string::npos);
    const ChildResult wrong =
        run(job(scratch, {write_file(scratch, "own.skampi", "@LOGFILE own.db\n" + suites), "-d", "own.db"}));
    CHECK(wrong.exit_status == 2);
    CHECK(wrong.err.find("own.db: found the database") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch / "own.db"));
}

TEST_CASE("the wished resolution decides how many calls are timed together") {
    const ScratchFolder scratch;
    const auto block_with = [&](const std::string& resolution) {
        const std::string name = "at " + resolution;
        const std::string file =
            write_file(scratch, name,
                       "@RESOLUTION " + resolution +
                           "\n@MEASUREMENTS\nclock { Type = MPI_Wtime; Max_Repetition = 20; Passes = 1; }\n");
        CHECK(all_done(run(job(scratch, {file, "-d", name + ".db"}))));
        const Database database = Database::open(scratch / (name + ".db"));
        const StoredSuite suite = database.suites(database.runs().front()).front();
        const std::vector<Batch> batches = database.batches(database.measurements(suite.id).front().id);
        REQUIRE_FALSE(batches.empty());
        return batches.front().block;
    };
    // Fifty times as long a block, in powers of two and for a call whose time is found anew.
    const std::int64_t coarse = block_with("50 %");
    const std::int64_t fine = block_with("1 %");
    CHECK(coarse >= 1);
    CHECK(fine >= 8 * coarse);
}

TEST_CASE("@POSTPROC merges the launches of the series, and nothing else, when a run has ended") {
    const ScratchFolder scratch;
    const std::string suites =
        "@POSTPROC yes\n@MEASUREMENTS\nclock { Type = MPI_Wtime; Max_Repetition = 20; Passes = 1; }\n";
    const std::string file = write_file(scratch, "merge.skampi", suites);
    const auto start = [&](const std::string& variant, bool with_merge = true) {
        Command command = job(scratch, {file, "-d", "m.db", "--variant", variant});
        const std::filesystem::path merge = from_environment("SKAMPI_MERGE");
        command.environment["PATH"] = with_merge
                                          ? merge.parent_path().string() + ":" + from_environment("PATH")
                                          : path_without("skampi-merge");
        if (!with_merge) { // a program finds those that were built with it: a copy stands alone
            const std::string alone = scratch / "alone";
            std::filesystem::copy_file(from_environment("SKAMPI_RUN"), alone);
            std::ranges::replace(command.argv, from_environment("SKAMPI_RUN"), alone);
        }
        const ChildResult result = run(command);
        INFO(result.err);
        CHECK(all_done(result));
        return result.err;
    };
    CHECK(start("ours").find("merge") == std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch / "m.merged.db"));
    CHECK(start("other").find("merge") == std::string::npos);
    CHECK(start("ours", false).find("warning: nothing merged: skampi-merge is neither") != std::string::npos);
    CHECK(start("ours").find("merged the 3 runs of this series into m.merged.db") != std::string::npos);
    {
        const Database merged = Database::open(scratch / "m.merged.db");
        REQUIRE(merged.runs().size() == 1);
        const Run run = merged.run(merged.runs().front());
        CHECK(run.kind == "merged");
        CHECK(run.merged_runs == 3);
        CHECK(run.variant == "ours");
    }
    CHECK(start("ours").find("merged the 4 runs of this series into m.merged.db") != std::string::npos);
    // A pipe is read once.
    Command piped = job(scratch, {"/dev/stdin", "-d", "m.db", "--variant", "ours"});
    piped.argv.insert(piped.argv.begin(), {"sh", "-c", "cat \"$0\" | \"$@\"", file});
    piped.environment["PATH"] =
        std::filesystem::path(from_environment("SKAMPI_MERGE")).parent_path().string() + ":" +
        from_environment("PATH");
    const ChildResult from_pipe = run(piped);
    INFO(from_pipe.err);
    CHECK(all_done(from_pipe));
    CHECK(from_pipe.err.find("merged the 5 runs of this series into m.merged.db") != std::string::npos);
    // What is not ours stays.
    write_file(scratch, "m.merged.db", "my notes");
    CHECK(start("ours").find("warning: m.merged.db exists and is not a merged database") !=
          std::string::npos);
    std::ifstream notes(scratch / "m.merged.db");
    std::string text;
    CHECK(std::getline(notes, text));
    CHECK(text == "my notes");
    CHECK(Database::open(scratch / "m.db").runs().size() == 7);
}

TEST_CASE("a run with arguments that nothing was measured for says so and is not OK") {
    const ScratchFolder scratch;
    const std::string file =
        write_file(scratch, "short.skampi",
                   "@MEASUREMENTS\ncopies { Type = memcpy; Buffers = cold; Time_Suite = 0.1s; }\n");
    const ChildResult result = run(job(scratch, {file, "-d", "short.db"}));
    INFO(result.err);
    CHECK(result.exit_status == 1);
    CHECK(result.out.find("SKAMPI: INCOMPLETE ") != std::string::npos);
    CHECK(result.err.find("no time was left for ") != std::string::npos);
    const Database database = Database::open(scratch / "short.db");
    for (const StoredSuite& suite : database.suites(database.runs().back()))
        for (const StoredMeasurement& m : database.measurements(suite.id))
            CHECK((m.measurement.summary.count > 0 || has(m.measurement.flags, Flag::timed_out)));
}

TEST_CASE("arguments that are visited in turns are not accused of what the others left in the buffers") {
    const ScratchFolder scratch;
    const ChildResult result = run(
        job(scratch,
            {write_file(scratch, "turns.skampi",
                        "@MEASUREMENTS\nTurns { Type = MPI_Alltoall; Scale = Fixed_log; Start_Argument = 3; "
                        "End_Argument = 3000; Stepwidth = 3; Max_Repetition = 32; Min_Repetition = 32; "
                        "Passes = 4; Synchronization = barrier; Time_Suite = 4s; }\n"),
             "-d", "turns.db"}));
    INFO(result.err);
    CHECK(suites_with_right_data(scratch / "turns.db").size() == 1);
}

TEST_CASE("in place every operation that can work so delivers right data") {
    const ScratchFolder scratch;
    std::string text = "@MEASUREMENTS\n";
    std::size_t operations = 0;
    for (const Listed& operation : listed_operations()) {
        if (!operation.has("In_Place") || operation.name.ends_with("-computation"))
            continue;
        text += fmt::format("{0} {{ Type = {0}; In_Place = yes; Datatype = MPI_INT; Scale = Fixed_log; "
                            "Start_Argument = 8; End_Argument = 8KiB; Stepwidth = 1024; Max_Repetition = 4; "
                            "Min_Repetition = 2; Passes = 1; Time_Suite = 2s; }}\n",
                            operation.name);
        ++operations;
    }
    CHECK(operations >= 15);
    const ChildResult result =
        run(job(scratch, {write_file(scratch, "place.skampi", text), "-d", "place.db"}));
    INFO(result.err);
    CHECK(all_done(result));
    const std::vector<StoredSuite> suites = suites_with_right_data(scratch / "place.db");
    CHECK(suites.size() == operations);
    for (const StoredSuite& suite : suites)
        CHECK(suite.suite.in_place);
}

TEST_CASE("a gather of single messages delivers right data to either root, over lengths and ranks") {
    const ScratchFolder scratch;
    const std::string text = R"(@MEMORY 64KiB
@MEASUREMENTS
lengths { Type = 42; Root = 0, 1; In_Place = no, yes; Scale = Fixed_log; Stepwidth = 32; Max_Repetition = 8;
          Min_Repetition = 4; Passes = 1; Node_Times = yes; }
ranks { Type = Gather-Waitall; Variation = Nodes; Start_Argument = 1; Max_Repetition = 8; Min_Repetition = 4; Passes = 1; }
)";
    const ChildResult result =
        run(job(scratch, {write_file(scratch, "gather.skampi", text), "-d", "gather.db"}));
    INFO(result.err); // on a busy machine a value may be lost to the overhead: it is the data that matter
    const std::vector<StoredSuite> suites = suites_with_right_data(scratch / "gather.db");
    REQUIRE(suites.size() == 5);
    const Database database = Database::open(scratch / "gather.db");
    for (const StoredSuite& suite : suites) {
        const auto measurements = database.measurements(suite.id);
        const bool lengths = suite.suite.family == "lengths";
        // The root's memory holds what it sends and a message of each rank.
        CHECK(measurements.size() == (lengths ? 4u : 2u));
        for (const StoredMeasurement& m : measurements)
            CHECK(m.measurement.summary.count > 0);
    }
}

TEST_CASE("each operator reduces right, one-sided and locally, too, and is stored") {
    const ScratchFolder scratch;
    const std::string arithmetic = "MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN";
    std::string text = "@MEASUREMENTS\n";
    std::size_t operations = 0;
    for (const Listed& operation : listed_operations()) {
        if (operation.name != "MPI_Allreduce" && operation.name != "MPI_Reduce_local" &&
            operation.name != "MPI_Accumulate-fence" && operation.name != "MPI_Get_accumulate-lock" &&
            operation.name != "MPI_Fetch_and_op-flush")
            continue;
        const auto add = [&](const char* datatype, const std::string& reductions) {
            text += fmt::format("{0} {1} {{ Type = {0}; Variation = No_Variation; Datatype = {1}; "
                                "Reduction = {2}; Max_Repetition = 4; Min_Repetition = 2; Passes = 1; }}\n",
                                operation.name, datatype, reductions);
        };
        add("MPI_INT", "MPI_BOR, MPI_BAND, MPI_BXOR, MPI_LOR, MPI_LAND, MPI_LXOR, " + arithmetic);
        add("MPI_DOUBLE", arithmetic);
        ++operations;
    }
    CHECK(operations >= 2);
    const ChildResult result =
        run(job(scratch, {write_file(scratch, "reduce.skampi", text), "-d", "reduce.db"}));
    INFO(result.err);
    CHECK(all_done(result));
    const std::vector<StoredSuite> suites = suites_with_right_data(scratch / "reduce.db");
    CHECK(suites.size() == operations * 14);
    for (const StoredSuite& suite : suites)
        CHECK(suite.suite.name.ends_with("(Reduction = " + suite.suite.reduction + ")"));
}

TEST_CASE("messages above 2 GiB arrive whole") {
    // Takes half a minute for each suite and 10 GiB: SKAMPI_LARGE_MESSAGES=1 for a trial by hand.
    if (std::getenv("SKAMPI_LARGE_MESSAGES") == nullptr)
        return;
    const ScratchFolder scratch;
    std::string text = "@MEMORY 5GiB\n@MEASUREMENTS\n";
    const std::vector<std::string> names = {"MPI_Send-MPI_Recv", "MPI_Sendrecv", "Master-Isend",
                                            "MPI_Reduce_local"};
    for (const std::string& name : names)
        text += fmt::format(
            "{0} {{ Type = {0}; Scale = Fixed_linear; Start_Argument = 2147483656; "
            "End_Argument = 2147483656; Stepwidth = 1; Min_Repetition = 4; Max_Repetition = 4; Passes = 1; "
            "Time_Measurement = 1; }}\n",
            name);
    Command command = job(scratch, {write_file(scratch, "large.skampi", text), "-d", "large.db"});
    command.timeout_s = 600;
    const ChildResult result = run(command);
    INFO(result.err);
    CHECK(all_done(result));
    const std::vector<StoredSuite> suites = suites_with_right_data(scratch / "large.db");
    CHECK(suites.size() == names.size());
    const Database database = Database::open(scratch / "large.db");
    for (const StoredSuite& suite : suites)
        for (const StoredMeasurement& m : database.measurements(suite.id))
            CHECK(m.measurement.message_bytes == 2147483656);
}

TEST_CASE("a run leaves one self-contained file that says how it was made") {
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "three.skampi", three_suites);
    const ChildResult result = run(job(scratch, {file, "-d", "three.db"}));
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(std::filesystem::exists(scratch / "three.db"));
    CHECK_FALSE(std::filesystem::exists(scratch / "three.db-wal"));
    CHECK_FALSE(std::filesystem::exists(scratch / "three.db.lock"));
    const Database database = Database::open(scratch / "three.db");
    database.check_integrity();
    const Run facts = database.run(database.runs().front());
    CHECK(facts.parameter_text == three_suites);
    CHECK(facts.ranks == 2);
    CHECK(facts.rank_facts.size() == 2);
    CHECK_FALSE(facts.rank_facts[1].cpus_allowed.empty());
    CHECK_FALSE(facts.mpi_library.empty());
    CHECK_FALSE(facts.ended_utc.empty());
    CHECK(facts.clock_resolution_s > 0);
    CHECK(facts.measuring_share > 0);
    CHECK(facts.measuring_share <= 1);
    CHECK(facts.facts.count("kernel") == 1);
    const auto all = finished(database, database.runs().front());
    CHECK(all.size() == 11 + 9 + 1);
    for (const auto& [key, m] : all) {
        const auto& at = key;
        INFO(at.first << " at " << at.second);
        // Beside much load the time may be over before.
        CHECK((m.measurement.summary.count >= 4 || has(m.measurement.flags, Flag::timed_out)));
        if (key.first != "clock")
            CHECK(m.measurement.node_times.size() == 2);
        std::size_t samples = 0;
        for (const Batch& batch : database.batches(m.id))
            samples += batch.duration_s.size();
        CHECK(static_cast<std::int64_t>(samples) >= m.measurement.summary.count);
    }
}

TEST_CASE("runs with another setting are of another series, whatever name or file sets it") {
    const ScratchFolder scratch;
    write_file(scratch, "one.skampi", "@MEASUREMENTS\nclock { Type = 24; Max_Repetition = 8; }\n");
    std::filesystem::create_directories(scratch / "home/.openmpi");
    std::ofstream(scratch / "home/ucx.conf") << "UCX_RNDV_THRESH = 9000\n";
    std::ofstream(scratch / "home/.openmpi/mca-params.conf") << "mpi_leave_pinned = 0\n";
    const std::vector<std::map<std::string, std::string>> environments{
        {{"HOME", scratch.path().string()}}, {{"MPICH_NO_LOCAL", "1"}}, {{"HOME", scratch / "home"}}};
    std::set<std::string> series;
    for (const auto& environment : environments) {
        Command command = job(scratch, {"one.skampi", "-d", "x.db", "--fresh"});
        for (const auto& [name, value] : environment)
            command.environment[name] = value;
        const ChildResult result = run(std::move(command));
        REQUIRE_MESSAGE(result.ok(), result.err);
    }
    const Database database = Database::open(scratch / "x.db");
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        series.insert(Series(run).hash());
        if (run.mpi_library.starts_with("MPICH")) // it does not list this name, but reads it
            CHECK(run.settings.contains("MPIR_CVAR_NO_LOCAL") == (series.size() == 2));
    }
    CHECK(series.size() == 3);
}

TEST_CASE("killed at any moment and started again, a run goes on: nothing twice, nothing lost") {
    const char* journal = nullptr;
    SUBCASE("with the log") {
        journal = "wal";
    }
    SUBCASE("with the journal that the next start rolls back") {
        journal = "delete";
    }
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "three.skampi", three_suites);
    std::map<Key, StoredMeasurement> before;
    std::string uuid;
    int starts = 0;
    for (int kills = 0;; ++kills) {
        REQUIRE(++starts < 40);
        // On a busy machine the same suite is hit again and again: it must not be given up.
        // Later each time, so that it gets further, and in the middle of something.
        Command command = job(scratch, {file, "-d", "k.db", "--retries", "1000"});
        command.environment["SKAMPI_JOURNAL"] = journal;
        killed_job::run_and_kill(std::move(command), scratch.path(),
                                 kills < 5 ? 1 + 90 * kills : killed_job::never);
        killed_job::kill_holder(scratch / "k.db.lock");
        if (!killed_job::has_been_begun(scratch / "k.db"))
            continue;
        const Database database = Database::open(scratch / "k.db");
        database.check_integrity();
        REQUIRE(database.runs().size() <= 1);
        if (database.runs().empty())
            continue;
        const auto now = finished(database, database.runs().front());
        for (const auto& [key, m] : before) {
            REQUIRE(now.count(key) == 1);
            CHECK(now.at(key).id == m.id);
        }
        const std::string present = database.run(database.runs().front()).uuid;
        CHECK((uuid.empty() || uuid == present));
        uuid = present;
        before = now;
        // Killed after the last measurement, a run is complete too.
        if (!database.run(database.runs().front()).ended_utc.empty())
            break;
    }
    CHECK(starts > 1);
    CHECK(before.size() == 11 + 9 + 1);
    // What killed starts counted stands in the ledger, too.
    const Database database = Database::open(scratch / "k.db");
    const RunId run = database.runs().front();
    std::int64_t stored = 0;
    for (const StoredSuite& suite : database.suites(run))
        for (const StoredMeasurement& m : database.measurements(suite.id))
            stored += std::ssize(database.batches(m.id));
    CHECK(std::stoll(database.run(run).facts.at("ledger: batches")) >= stored);
}

TEST_CASE("SIGTERM ends a run after the present measurement, and the next start goes on") {
    const ScratchFolder scratch;
    const std::string file =
        write_file(scratch, "long.skampi",
                   "@MEASUREMENTS\nslow { Type = 1; Scale = Fixed_log; End_Argument = 64; "
                   "Standard_error = 0.0001; Max_Repetition = Invalid_Value; Time_Suite = 3s; }\n");
    std::string rank_0;
    Command command = job(scratch, {file, "-d", "long.db", "--progress", "json"});
    bool asked = false;
    command.on_line = [&](std::string_view line) {
        const auto at = line.find("\"pid\":");
        if (line.find("\"event\":\"start\"") != std::string_view::npos && at != std::string_view::npos &&
            !asked) {
            asked = true;
            kill(std::atoi(std::string(line.substr(at + 6)).c_str()), SIGTERM);
        }
    };
    const ChildResult result = run(command);
    CHECK(asked);
    CHECK_FALSE(result.ok());
    CHECK(result.out.find("SKAMPI: STOPPED") != std::string::npos);
    {
        const Database database = Database::open(scratch / "long.db");
        CHECK(database.run(database.runs().front()).ended_utc.empty());
    }
    CHECK(all_done(run(job(scratch, {file, "-d", "long.db"}))));
    const Database database = Database::open(scratch / "long.db");
    CHECK(database.runs().size() == 1);
    CHECK_FALSE(database.run(database.runs().front()).ended_utc.empty());
}

TEST_CASE("each way of starting together gives values for a collective") {
    const ScratchFolder scratch;
    // The barrier is not subtracted: where the cores are busy, little or nothing would be left.
    std::string text = "@ABSOLUTE yes\n@MEASUREMENTS\n";
    for (const char* how : {"window", "barrier", "dissemination"})
        for (const char* time : {"root", "max"})
            text += fmt::format(
                "{0} {1} {{ Type = 36; Scale = Fixed_log; End_Argument = 64; Synchronization = {0}; "
                "Reported_Time = {1}; Max_Repetition = 100; }}\n",
                how, time);
    const std::string file = write_file(scratch, "sync.skampi", text);
    const ChildResult result = run(job(scratch, {file, "-d", "sync.db"}));
    INFO(result.err);
    CHECK(all_done(result));
    const Database database = Database::open(scratch / "sync.db");
    for (const StoredSuite& suite : database.suites(database.runs().front())) {
        CHECK(suite.facts.count("exit skew MPI_Barrier, s") == 1);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            CHECK(m.measurement.summary.count >= 4);
    }
}

namespace {

/// A launch of the session "s" whose suites were measured between barriers, as it is stored.
void add_launch_without_windows(const std::string& path, const std::vector<std::string>& suites) {
    Database database = Database::open_for_writing(path);
    Run run;
    run.uuid = "first";
    run.variant = "a";
    run.session_place = {"s", 1, 0};
    std::vector<Suite> plan;
    for (const std::string& name : suites) {
        plan.emplace_back();
        plan.back().name = plan.back().family = name;
        plan.back().operation.pattern = Pattern::collective;
    }
    const RunId id = database.begin_run(run, plan);
    for (const StoredSuite& suite : database.suites(id)) {
        Measurement measurement;
        measurement.value_s = 1e-6;
        set(measurement.flags, Flag::unsynchronised);
        database.add_batches(database.begin_measurement(suite.id, measurement), {}, measurement, true);
    }
    run.ended_utc = "2026-03-01T10:05:00Z";
    database.end_run(id, run);
}

} // namespace

TEST_CASE("a launch starts between barriers what its session could not keep windows for, if it may") {
    const ScratchFolder scratch;
    add_launch_without_windows(scratch / "s.db", {"may", "must"});
    const std::string file = write_file(scratch, "s.skampi", R"(@ABSOLUTE yes
@MEASUREMENTS
may { Type = 17; Scale = Fixed_log; End_Argument = 64; Max_Repetition = 40; }
must { Type = 17; Scale = Fixed_log; End_Argument = 64; Max_Repetition = 40; Synchronization = window; }
other { Type = 17; Scale = Fixed_log; End_Argument = 64; Max_Repetition = 40; }
)");
    const ChildResult result =
        run(job(scratch, {file, "-d", "s.db", "--variant", "b", "--session-place", "s_round_1_place_1"}));
    INFO(result.err);
    CHECK(all_done(result));
    const Database database = Database::open(scratch / "s.db");
    for (const StoredSuite& suite : database.suites(database.runs().back())) {
        CAPTURE(suite.suite.name);
        const bool without = suite.suite.name == "may";
        CHECK(suite.facts.contains(fact_windows_given_up_in_round) == without);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            for (const Batch& batch : database.batches(m.id))
                CHECK((!without || batch.synchronization == Synchronization::dissemination));
    }
}

TEST_CASE("the time of the root is that of the rank that is it") {
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "of-root.skampi",
                                        "@MEASUREMENTS\nx { Type = 17; Scale = Fixed_log; "
                                        "Start_Argument = 4KiB; End_Argument = 4KiB; Root = 1; "
                                        "Reported_Time = root; Node_Times = yes; Time_Suite = 1s; }\n");
    CHECK(all_done(run(job(scratch, {file, "-d", "of-root.db"}))));
    const Database database = Database::open(scratch / "of-root.db");
    const StoredSuite suite = database.suites(database.runs().front()).front();
    const Measurement m = database.measurements(suite.id).front().measurement;
    REQUIRE(m.node_times.size() == 2);
    CHECK(m.value_s == close_to(m.node_times[1].value_s).epsilon(0.05));
}

TEST_CASE("what is done to the buffers between calls is no overhead of measuring") {
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "cold.skampi",
                                        "@MEASUREMENTS\n"
                                        "cold { Type = 17; Scale = Fixed_log; Start_Argument = 8; "
                                        "End_Argument = 8; Buffers = cold; Synchronization = dissemination; "
                                        "Time_Suite = 1s; }\n"
                                        "warm { Type = 17; Scale = Fixed_log; Start_Argument = 8; "
                                        "End_Argument = 8; Synchronization = dissemination; "
                                        "Time_Suite = 1s; }\n");
    CHECK(all_done(run(job(scratch, {file, "-d", "cold.db"}))));
    const Database database = Database::open(scratch / "cold.db");
    for (const StoredSuite& suite : database.suites(database.runs().front()))
        for (const StoredMeasurement& m : database.measurements(suite.id)) {
            CAPTURE(suite.suite.name);
            // Emptying the caches takes some ten milliseconds; a busy machine takes a core away for a few.
            CHECK(m.measurement.overhead_s < 10e-3);
        }
}

TEST_CASE("a root outside the communicator fails its suite only") {
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "root.skampi",
                                        "@MEASUREMENTS\nbad { Type = 17; End_Argument = 4; Root = 5; "
                                        "}\ngood { Type = 17; End_Argument = 4; Root = 1; }\n");
    const ChildResult result = run(job(scratch, {file, "-d", "root.db"}));
    CHECK(result.exit_status == 1);
    CHECK(result.err.find("Root = 5, but the last place among the ranks that take part is 1") !=
          std::string::npos);
    const Database database = Database::open(scratch / "root.db");
    const auto suites = database.suites(database.runs().front());
    CHECK(suites[0].state == SuiteState::failed);
    CHECK(suites[1].state == SuiteState::finished);
}

TEST_CASE("rank 0 alone reads the parameter file and the database: the others may be where neither is") {
    const ScratchFolder scratch;
    const ScratchFolder elsewhere;
    write_file(scratch, "three.skampi", three_suites);
    Command command = job(scratch, {"three.skampi", "-d", "three.db"}, 1);
    command.argv.insert(command.argv.end(),
                        {":", "-n", "1", "env", "-C", elsewhere.path().string(),
                         from_environment("SKAMPI_RUN"), "three.skampi", "-d", "three.db"});
    const ChildResult result = run(command);
    INFO(result.err);
    CHECK(all_done(result));
    CHECK(std::filesystem::is_empty(elsewhere.path()));
    for (const StoredSuite& suite : suites_with_right_data(scratch / "three.db"))
        CHECK(suite.attempts == 1);
}

TEST_CASE("bad input ends every rank with one line and status 2") {
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "bad.skampi", "@MEASUREMENTS\nx { Typ = 1; }\n");
    for (const auto& arguments :
         {std::vector<std::string>{file}, {scratch / "missing.skampi"}, {"--no-such-option"}}) {
        const ChildResult result = run(job(scratch, arguments));
        INFO(result.err);
        CHECK(result.exit_status == 2);
        std::size_t lines = 0;
        std::size_t at = 0;
        while ((at = result.err.find("skampi-run: ", at)) != std::string::npos) {
            ++lines;
            ++at;
        }
        CHECK(lines == 1);
    }
    CHECK_FALSE(std::filesystem::exists(scratch / "skampi.db"));
}

TEST_CASE("a plan from a pipe is checked: it is read once") {
    const ScratchFolder scratch;
    Command command;
    command.argv = {"sh", "-c", "cat \"$1\" | \"$0\" check /dev/stdin", from_environment("SKAMPI_RUN"),
                    write_file(scratch, "three.skampi", three_suites)};
    const ChildResult result = run(std::move(command));
    INFO(result.err);
    CHECK(result.exit_status == 0);
    CHECK(result.out.find("compare with 2 variants") != std::string::npos);
}

TEST_CASE("a database that somebody else writes, or that is none, is refused with status 3 or 2") {
    const ScratchFolder scratch;
    const std::string file = write_file(scratch, "three.skampi", three_suites);
    {
        const Database held = Database::open_for_writing(scratch / "held.db");
        const ChildResult result = run(job(scratch, {file, "-d", "held.db"}));
        CHECK(result.exit_status == 3);
        CHECK(result.err.find(std::to_string(getpid())) != std::string::npos);
    }
    write_file(scratch, "none.db",
               "this is no database, whatever its name says, and long enough to be looked at");
    const ChildResult result = run(job(scratch, {file, "-d", "none.db"}));
    CHECK(result.exit_status == 2);
}

TEST_CASE("a launch number shuffles the suites, the same number in the same way") {
    const ScratchFolder scratch;
    std::string text = "@MEASUREMENTS\n";
    std::vector<std::string> in_file;
    for (int i = 0; i < 12; ++i) { // one order of half a billion
        in_file.push_back(fmt::format("clock {}", i));
        text += in_file.back() + " { Type = 24; Max_Repetition = 8; Passes = 1; }\n";
    }
    const std::string file = write_file(scratch, "many.skampi", text);
    const auto order_of = [&](const std::string& number) {
        REQUIRE(all_done(run(job(scratch, {file, "-d", "l.db", "--fresh", "--launch-number", number}))));
        const Database database = Database::open(scratch / "l.db");
        CHECK(database.run(database.runs().back()).launch == std::stoi(number));
        std::map<MeasurementId, std::string> measured;
        std::vector<std::string> names;
        for (const StoredSuite& suite : database.suites(database.runs().back())) {
            names.push_back(suite.suite.name);
            measured[database.measurements(suite.id).at(0).id] = suite.suite.name;
        }
        CHECK(names == in_file); // whatever the order in which they are measured
        std::vector<std::string> order;
        for (const auto& [id, name] : measured)
            order.push_back(name);
        return order;
    };
    const std::vector<std::string> one = order_of("1");
    const std::vector<std::string> four = order_of("4");
    CHECK(one != four);
    CHECK(order_of("4") == four);
    CHECK(std::set<std::string>(one.begin(), one.end()).size() == 12);
}

TEST_CASE("launches go on until values are known, and no further") {
    const ScratchFolder scratch;
    const std::string plan = write_file(scratch, "p.skampi",
                                        "@ABSOLUTE yes\n@LAUNCHES Until = 50 %; Time = 60 s;\n@MEASUREMENTS\n"
                                        "clock { Type = 24; Max_Repetition = 40; }\n");
    Command command;
    command.argv = {from_environment("SKAMPI_RUN"), "-n", "2", "-d", "x.db", "--progress", "off", plan};
    command.directory = scratch.path();
    command.timeout_s = 120;
    const auto launches = [&] {
        const Database database = Database::open(scratch / "x.db");
        return std::ranges::count_if(database.runs(),
                                     [&](RunId id) { return !database.run(id).ended_utc.empty(); });
    };
    const ChildResult first = run(command);
    CHECK(first.exit_status <= 1); // 1: there is no skampi-report
    CHECK(first.out.find("launches=6 points=1 settled=1") != std::string::npos);
    REQUIRE(launches() == 6);
    CHECK(run(command).exit_status <= 1);
    CHECK(launches() == 6);
    command.argv.insert(command.argv.end(), {"--until", "0.0001%", "--time", "0"});
    CHECK(run(command).out.find("settled=0") != std::string::npos);
    CHECK(launches() == 6);
}

TEST_CASE("each algorithm is measured in turns and proven on every rank, or named as left out or refused") {
    const ScratchFolder scratch;
    std::string plan = "@TIMESUITEDEFAULT 1 s\n@MEASUREMENTS\n";
    for (const char* const operation : {"MPI_Bcast", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall"})
        plan += fmt::format(
            "{0} {{ Type = {0}; Algorithm = all; Datatype = MPI_INT; Scale = Fixed_log; Stepwidth = "
            "32; Multiple_of = 4; Start_Argument = 4; End_Argument = 8KiB; Max_Repetition = 40; }}\n",
            operation);
    const ChildResult result = run(job(scratch, {write_file(scratch, "a.skampi", plan), "-d", "a.db"}));
    CAPTURE(result.err);
    CAPTURE(result.out);
    CHECK((result.exit_status == 0 || result.exit_status == 1)); // beside other work values may be missing
    const Database database = Database::open(scratch / "a.db");
    const RunId run_id = database.runs().back();
    std::map<std::pair<std::string, std::string>, StoredSuite> suites;
    for (const StoredSuite& suite : database.suites(run_id)) {
        CAPTURE(suite.suite.name);
        CHECK(suite.state == SuiteState::finished);
        for (const StoredMeasurement& m : database.measurements(suite.id))
            CHECK_FALSE(has(m.measurement.flags, Flag::wrong_result));
        suites.emplace(std::pair(suite.suite.operation.name, suite.suite.algorithm), suite);
    }
    for (const nlohmann::json& row : listed_algorithms()) {
        const std::pair key(row["operation"].get<std::string>(), row["word"].get<std::string>());
        CHECK(suites.contains({key.first, ""}));
        CAPTURE(key.first);
        CAPTURE(key.second);
        const auto found = suites.find(key);
        if (found == suites.end()) {
            CHECK(result.err.find(fmt::format("the algorithm {} is left out: ", key.second)) !=
                  std::string::npos);
            continue;
        }
        const StoredSuite& suite = found->second;
        CHECK(suite.facts.contains(fact_algorithm_read_back));
        CHECK(suite.facts.contains(fact_algorithm_effect));
        CHECK(suite.facts.contains(fact_algorithm_layer));
        // One element of two ranks: the library refuses it, or would take another algorithm in silence.
        if (row["needs"] == "an element for each rank, built-in operator") {
            CHECK(suite.facts.contains(fact_algorithm_refused));
            for (const StoredMeasurement& m : database.measurements(suite.id))
                CHECK_FALSE((m.measurement.argument == 4 && m.measurement.value_s > 0));
        }
    }
}
