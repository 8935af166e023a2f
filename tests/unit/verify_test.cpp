// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../bench/compare/invented_session.hpp"
#include "../golden.hpp"
#include "algorithms/tuning_in_use.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "contains.hpp"
#include "invented_tree.hpp"
#include "store/database.hpp"
#include "tuning/mpich_tree.hpp"
#include "verify/tuning_use.hpp"
#include "verify/verified.hpp"
#include "verify/verify_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

constexpr const char* slow_bcast = "1\n7\n1\n0 2\n0 0 0 0\n4096 3 0 64\n";

const TuningUser open_mpi_user{.library = "Open MPI v4.1.4, package: x", .own_tree = {}, .ranks = 2};
const TuningUser mpich_user{.library = "MPICH Version: 4.0.2", .own_tree = invented_tree(), .ranks = 8};

/// A tree that chooses another algorithm for Bcast of 4 KiB to 16 KiB on 8 ranks.
std::string tuned_tree() {
    TuningTarget target;
    target.library = mpich_user.library;
    target.base_text = mpich_user.own_tree;
    TuningRule rule;
    rule.operation = "MPI_Bcast";
    rule.layer = "mpich";
    rule.ranks_low = rule.ranks_high = 8;
    rule.bytes_low = 4096;
    rule.bytes_high = 16384;
    rule.algorithm = "binomial";
    std::vector<TuningRule> rules{rule};
    return write_mpich_tree(target, rules);
}

/// A file in a folder of its own, which goes with it.
struct FileOf {
    ScratchDirectory folder;
    std::string path;
    FileOf(const std::string& name, const std::string& text)
        : path(folder.path() + "/" + name) {
        write_file(path, text);
    }
};

bool is_refused(const std::string& text, const TuningUser& user) {
    const FileOf file("f", text);
    try {
        (void)read_tuning_use(file.path, user);
    } catch (const InputError&) {
        return true;
    }
    return false;
}

} // namespace

TEST_CASE("regions of rules of Open MPI are cut where the rows for so many ranks change, to the byte") {
    // Alltoall is counted over both ranks.
    const FileOf rules("r.conf", "2\n3\n1\n0 3\n0 2 0 0\n200 0 0 0\n3001 3 0 0\n"
                                 "7\n1\n0 2\n0 0 0 0\n4096 3 0 64\n");
    const TuningUse use = read_tuning_use(rules.path, open_mpi_user);
    CHECK(use.regions == std::vector<TunedRegion>{{"MPI_Alltoall", 1, 99},
                                                  {"MPI_Alltoall", 100, 1500},
                                                  {"MPI_Alltoall", 1501, any_length},
                                                  {"MPI_Bcast", 1, 4095},
                                                  {"MPI_Bcast", 4096, any_length}});
    CHECK(use.settings.at("OMPI_MCA_coll_tuned_use_dynamic_rules") == "1");
}

TEST_CASE("regions of a tree are those of the collectives that differ from the library's own") {
    const FileOf tree("t.json", tuned_tree());
    const std::vector<TunedRegion> regions = read_tuning_use(tree.path, mpich_user).regions;
    REQUIRE(regions.size() > 2);
    CHECK(std::ranges::find(regions, TunedRegion{"MPI_Bcast", 4096, 16384}) != regions.end());
    CHECK(std::ranges::all_of(regions,
                              [](const TunedRegion& region) { return region.operation == "MPI_Bcast"; }));
    const FileOf own("own.json", mpich_user.own_tree + " ");
    CHECK(read_tuning_use(own.path, mpich_user).regions.empty());
}

TEST_CASE("a choice for all lengths is one region, and an operation without messages has no lengths") {
    const FileOf file("t.env", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\nMPIR_CVAR_BARRIER_INTRA_ALGORITHM=nb\n");
    const std::vector<TunedRegion> regions = read_tuning_use(file.path, mpich_user).regions;
    CHECK(regions == std::vector<TunedRegion>{{"MPI_Barrier", 0, 0}, {"MPI_Bcast", 1, any_length}});
    CHECK(region_text(regions[0]) == "MPI_Barrier");
    CHECK(region_text(regions[1]) == "MPI_Bcast for all lengths");
}

TEST_CASE("a large tree is read at once, and a larger file is refused") {
    std::string wide = mpich_user.own_tree;
    wide.pop_back();
    for (int i = 0; wide.size() < 3'000'000; ++i)
        wide += fmt::format(R"(,"collective=x{}":{{"algorithm=A":{{}}}})", i);
    const FileOf tree("t.json", wide + "} ");
    CHECK(read_tuning_use(tree.path, mpich_user).regions.empty());
    CHECK(is_refused(std::string((std::size_t{16} << 20) + 1, ' '), mpich_user));
}

TEST_CASE("a file that is not for the library in use is refused") {
    CHECK_FALSE(is_refused(slow_bcast, open_mpi_user));
    CHECK(is_refused(slow_bcast, mpich_user));
    CHECK(is_refused(tuned_tree(), open_mpi_user));
    CHECK_FALSE(is_refused(tuned_tree(), {"MPICH Version: 5.0.1", {}, 8}));
    CHECK(is_refused(tuned_tree(), {"MPICH Version: 6.0.0", {}, 8}));
    CHECK(is_refused(std::string("# for: MPICH Version: 4.0.2\n") + slow_bcast, open_mpi_user));
    CHECK_FALSE(is_refused(std::string("# for: Open MPI v5.0.3\n") + slow_bcast, open_mpi_user));
    CHECK_FALSE(
        is_refused(std::string("# for: Open MPI v4.1.4, package: other\n") + slow_bcast, open_mpi_user));
    CHECK(is_refused("MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n", open_mpi_user));
    CHECK_FALSE(is_refused("MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n", mpich_user));
    CHECK_FALSE(is_refused("# for: SMPI Version 3.32. Copyright\n--cfg=smpi/bcast:ompi\n",
                           {"SMPI Version 3", {}, 16})); // the program that launches does not know the rest
    CHECK(is_refused("hello\n", open_mpi_user));
    CHECK(is_refused("", open_mpi_user));
    CHECK_THROWS_AS((void)read_tuning_use("/nowhere/f", open_mpi_user), InputError);
}

TEST_CASE("a file that endangers programs is refused") {
    CHECK(is_refused("1 7 1 2 1\n0 77 0 0\n", open_mpi_user));                   // each call fails
    CHECK(is_refused("1 15 1 2 2\n0 0 0 0\n4096 2 0 0\n", open_mpi_user));       // ranks choose differently
    CHECK(is_refused("1 7 1 2 1\n0 3 0 0\n8 4 0 0\n", open_mpi_user));           // a count too small
    CHECK(is_refused(R"({"collective=bcast":{"algorithm=A":{}}})", mpich_user)); // others abort
}

namespace {

/// A session in which the library held these for a variable, without the file and with it.
SessionLaunches read_back(const std::string& name, const std::string& usual, const std::string& tuned) {
    SessionLaunches launches;
    launches.variants.resize(2);
    for (Subject& variant : launches.variants)
        variant.run.emplace();
    launches.variants[0].run->facts[std::string(fact_setting_read_back) + name] = usual;
    launches.variants[1].run->facts[std::string(fact_setting_read_back) + name] = tuned;
    return launches;
}

} // namespace

TEST_CASE("a file is read where the library holds its name or its values, and no other says so") {
    TuningUse use;
    SUBCASE("a name that Open MPI shows") {
        const std::string name = "OMPI_MCA_coll_tuned_dynamic_rules_filename";
        use.settings = {{name, "/opt/r.conf"}};
        CHECK(why_not_read(use, read_back(name, "", "/opt/r.conf")).empty());
        CHECK(contains(why_not_read(use, read_back(name, "/etc/x.conf", "/etc/x.conf")), "\"/etc/x.conf\""));
    }
    SUBCASE("a name that MPICH does not show, in the environment of the ranks") {
        const std::string name = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
        use.settings = {{name, "/opt/t.json"}};
        SessionLaunches launches = read_back(name, "", "");
        CHECK_FALSE(why_not_read(use, launches).empty());
        launches.variants[1].run->settings[name] = "/opt/t.json";
        CHECK(why_not_read(use, launches).empty());
        launches.variants[1].run.reset(); // MPICH starts no rank with a file that it cannot read
        CHECK(contains(why_not_read(use, launches), "no launch"));
    }
    SUBCASE("a word, of which the library shows another number than without it") {
        const std::string name = "MPIR_CVAR_BCAST_INTRA_ALGORITHM";
        use.settings = {{name, "binomial"}};
        CHECK(why_not_read(use, read_back(name, "0", "1")).empty());
        CHECK(contains(why_not_read(use, read_back(name, "0", "0")), name));
    }
    SUBCASE("a variable that the library does not have") {
        use.settings = {{"MPIR_CVAR_X", "1"}};
        SessionLaunches launches = read_back("MPIR_CVAR_Y", "", "");
        launches.variants[1].run->facts[std::string(fact_setting_unknown) + "MPIR_CVAR_X"] = "MPIR_CVAR_X";
        CHECK(contains(why_not_read(use, launches), "is no variable of the library"));
    }
}

TEST_CASE(
    "a file of variables sets numbers of the library and nothing else, and is refused before a launch") {
    TuningUser user = mpich_user;
    user.numbers = {"MPIR_CVAR_BCAST_SHORT_MSG_SIZE", "PATH_LENGTH"};
    for (const char* name : {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "MPIR_CVAR_BCAST_SHORT_MSG_SIZE",
                             "MPICH_BCAST_SHORT_MSG_SIZE"}) {
        CAPTURE(name);
        CHECK_FALSE(is_refused(std::string(name) + "=1\n", user));
    }
    for (const char* name : {"LD_PRELOAD", "PATH", "PATH_LENGTH", "UCX_MODULE_DIR", "MPIR_CVAR_X_FILE"}) {
        CAPTURE(name);
        CHECK(is_refused("MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n" + std::string(name) + "=/tmp/x\n", user));
    }
    TuningUser other = open_mpi_user;
    other.numbers = {"coll_tuned_priority"};
    CHECK_FALSE(is_refused("OMPI_MCA_coll_tuned_use_dynamic_rules=1\nOMPI_MCA_coll_tuned_bcast_algorithm=1\n"
                           "OMPI_MCA_coll_tuned_priority=40\n",
                           other));
    for (const char* name : {"OMPI_MCA_mca_base_component_path", "OMPI_MCA_plm_rsh_agent"}) {
        CAPTURE(name);
        CHECK(is_refused("OMPI_MCA_coll_tuned_bcast_algorithm=1\n" + std::string(name) + "=/tmp/x\n", other));
    }
}

TEST_CASE("the environment's own use of a file is no part of the default") {
    const FileOf file("r.conf", slow_bcast);
    const TuningUse use = read_tuning_use(file.path, open_mpi_user);
    CHECK(variants_of(use)[0].settings.empty());
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", use.path.c_str(), 1);
    const std::vector<Variant> variants = variants_of(use);
    unsetenv("OMPI_MCA_coll_tuned_dynamic_rules_filename");
    CHECK(variants[0].settings.at("OMPI_MCA_coll_tuned_dynamic_rules_filename") == std::nullopt);
    CHECK(variants[1].settings.at("OMPI_MCA_coll_tuned_dynamic_rules_filename") == use.path);
}

TEST_CASE("beside another file in use, the default goes on with that one") {
    const FileOf file("r.conf", slow_bcast);
    const TuningUse use = read_tuning_use(file.path, open_mpi_user);
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", "/opt/other.conf", 1);
    const std::vector<Variant> beside = variants_of(use);
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", use.path.c_str(), 1);
    const std::vector<Variant> itself = variants_of(use);
    unsetenv("OMPI_MCA_coll_tuned_use_dynamic_rules");
    unsetenv("OMPI_MCA_coll_tuned_dynamic_rules_filename");
    CHECK(beside[0].settings.empty());
    CHECK(beside[1].settings.at("OMPI_MCA_coll_tuned_use_dynamic_rules") == "1");
    CHECK(itself[0].settings.size() == 2); // neither the file nor what makes the library read it
}

TEST_CASE("another content at the same path is another variant, another date is not") {
    const FileOf file("r.conf", slow_bcast);
    const auto tuned = [&](const std::string& text) {
        write_file(file.path, text);
        return variants_of(read_tuning_use(file.path, open_mpi_user)).back();
    };
    const Variant first = tuned(std::string("# date: 1\n") + slow_bcast);
    CHECK(tuned(std::string("# date: 2\n") + slow_bcast) == first);
    CHECK_FALSE(tuned("1\n7\n1\n0 2\n0 0 0 0\n8192 3 0 64\n") == first);
}

TEST_CASE("a plan has a suite for each region, from its first length by factors of two to its last") {
    const std::vector<TunedRegion> regions = {{"MPI_Alltoall", 4096, 16384},
                                              {"MPI_Alltoall", 1, 16},
                                              {"MPI_Allreduce", 1001, any_length},
                                              {"MPI_Reduce", 33, 38}, // no whole element
                                              {"MPI_Barrier", 0, 0}};
    const std::vector<VerifySuite> suites = verify_suites(regions);
    REQUIRE(suites.size() == 4);
    CHECK(names_of(suites).size() == 4);
    CHECK(suites[0].name == "Allreduce-1001");
    CHECK(suites[0].first == 1008);
    CHECK(suites[0].last == 1 << 20);
    CHECK(suites[1].region == regions[1]);
    CHECK(suites[2].first == 4096);
    CHECK(suites[2].last == 16384);
}

namespace {

/// The plan of a rule of Alltoall from 4 to 16 KiB.
std::vector<VerifySuite> planned_alltoall() {
    return verify_suites({{"MPI_Alltoall", 4096, 16384}, {"MPI_Alltoall", 1, 4095}});
}

/// A suite, and its times with the file by those without it.
struct MeasuredSuite {
    std::string name;
    std::function<double(std::int64_t)> factor = [](std::int64_t) { return 1.0; };
    std::vector<std::int64_t> arguments{4100, 5000, 6000, 7000, 8000, 9000, 9900, 12000, 16000};
    double of_launch = 0.005; ///< bench::InventedSession
};

std::function<double(std::int64_t)> everywhere(double factor) {
    return [factor](std::int64_t) { return factor; };
}

/// From 9000 to 9900 bytes, and elsewhere.
std::function<double(std::int64_t)> at_9000(double factor, double elsewhere) {
    return [=](std::int64_t bytes) { return bytes >= 9000 && bytes <= 9900 ? factor : elsewhere; };
}

SessionLaunches launches_of(const std::vector<MeasuredSuite>& suites, int rounds = 12) {
    SessionLaunches all;
    std::uint64_t seed = 1;
    for (const MeasuredSuite& suite : suites) {
        bench::InventedSession wanted{.names = {"default", "tuned"},
                                      .rounds = rounds,
                                      .suites = {suite.name},
                                      .arguments = suite.arguments};
        wanted.factor = [&](std::size_t variant, std::int64_t bytes) {
            return variant == 0 ? 1 : suite.factor(bytes);
        };
        wanted.of_launch = suite.of_launch;
        wanted.of_point = suite.of_launch;
        wanted.decides = false;
        SessionLaunches one = bench::invent_session(wanted, seed++);
        if (all.variants.empty())
            all = std::move(one);
        else
            for (std::size_t i = 0; i < 2; ++i)
                all.variants[i].curves.push_back(std::move(one.variants[i].curves.front()));
    }
    return all;
}

/// What a launch of a session met.
struct FaultyLaunch {
    std::string variant;
    std::vector<std::int64_t> wrong_at; ///< of the rule's suite
    std::string failure;                ///< of the control's
};

/// A session in which each variant was launched once.
void add_session_with(Database& database, const std::string& uuid, const std::vector<FaultyLaunch>& launches,
                      const std::string& rule, const std::string& control) {
    Session session;
    session.uuid = uuid;
    session.variants.resize(2);
    session.variants[0].name = "default";
    session.variants[1].name = "tuned";
    database.begin_session(session);
    for (const FaultyLaunch& launch : launches) {
        Run run;
        run.uuid = uuid + launch.variant;
        run.kind = "raw";
        run.variant = launch.variant;
        run.session_place = {uuid, 1, 0};
        Suite alltoall;
        alltoall.name = control;
        Suite ruled = alltoall;
        ruled.name = rule;
        const RunId id = database.begin_run(run, {alltoall, ruled});
        const std::vector<StoredSuite> suites = database.suites(id);
        for (const StoredSuite& suite : suites)
            database.begin_suite(suite.id);
        for (const std::int64_t bytes : {5000, 6000, 7000}) {
            Measurement point;
            point.argument = bytes;
            if (std::ranges::find(launch.wrong_at, bytes) != launch.wrong_at.end())
                set(point.flags, Flag::wrong_result);
            database.add_batches(database.begin_measurement(suites[1].id, point), {}, point, true);
        }
        database.end_suite(suites[0].id, launch.failure.empty() ? SuiteState::finished : SuiteState::failed,
                           launch.failure);
        database.end_suite(suites[1].id, SuiteState::finished);
        database.end_run(id, run);
    }
}

constexpr const char* ruled_suite = "Alltoall-4096-16384";
constexpr const char* other_suite = "Alltoall-1-4095";

/// What is found in a session of these launches.
std::vector<VerifyFault> faults_of_launches(const std::vector<FaultyLaunch>& launches) {
    const ScratchDirectory folder;
    Database database = Database::open_for_writing(folder.path() + "/v.db");
    add_session_with(database, "session", launches, ruled_suite, other_suite);
    return faults_of_session(database, database.sessions().back());
}

} // namespace

TEST_CASE("a gain is that of the lengths of its region") {
    const VerifiedFile file(launches_of({{other_suite}, {ruled_suite, everywhere(0.5)}}), planned_alltoall());
    CHECK_FALSE(file.slower_somewhere());
    CHECK(file.faster_somewhere());
    CHECK(file.passed());
    CHECK(file.slower().empty());
    CHECK(file.unconfirmed() == std::vector<TunedRegion>{{"MPI_Alltoall", 1, 4095}});
}

namespace {

const std::vector<TunedRegion> regions_of_bcast = {{"MPI_Bcast", 1, 512}, {"MPI_Bcast", 4096, 16384}};

/// The second region is slower at some of its lengths.
VerifiedFile slower_somewhere() {
    return {launches_of(
                {{"Bcast-1-512", everywhere(0.8), {8, 64, 512}}, {"Bcast-4096-16384", at_9000(1.3, 0.9)}}),
            verify_suites(regions_of_bcast)};
}

/// Faster in one state of the machine, slower in the other.
VerifiedFile of_two_states() {
    bench::InventedSession wanted{.names = {"default", "tuned"}, .suites = {ruled_suite}};
    wanted.states = bench::InventedSession::States::of_rounds;
    wanted.factor = [](std::size_t variant, std::int64_t) { return variant == 1 ? 0.8 : 1; };
    wanted.factor_in_other = [](std::size_t variant, std::int64_t) { return variant == 1 ? 1.3 : 1; };
    wanted.of_launch = 0.005;
    return {bench::invent_session(wanted, 1), planned_alltoall()};
}

} // namespace

TEST_CASE("a rule that is slower somewhere is named, and another one of its operation is not") {
    const VerifiedFile file = slower_somewhere();
    CHECK(file.slower() == std::vector<TunedRegion>{regions_of_bcast[1]});
    CHECK(file.unconfirmed().empty());
}

TEST_CASE("what a verification says of a file, as a golden file shows it") {
    Golden golden("verify");
    golden.add("a plan of suites",
               verify_plan(verify_suites(
                   {{"MPI_Alltoall", 1, 16}, {"MPI_Allreduce", 1001, any_length}, {"MPI_Barrier", 0, 0}})));
    golden.add("one region faster, one equal",
               verified_text(VerifiedFile(launches_of({{other_suite}, {ruled_suite, everywhere(0.5)}}),
                                          planned_alltoall())));
    SessionLaunches launches = launches_of({{ruled_suite, everywhere(0.5)}, {other_suite}});
    for (const int round : {3, 4})
        launches.variants[1].curves[0].launches.erase(launches.launches[1].at(round));
    golden.add("rounds without times", verified_text(VerifiedFile(std::move(launches), planned_alltoall())));
    golden.add("slower at some lengths", verified_text(slower_somewhere()));
    golden.add(
        "faster at some lengths than elsewhere",
        verified_text(VerifiedFile(launches_of({{ruled_suite, at_9000(0.4, 0.9)}}), planned_alltoall())));
    golden.add("two states of the machine", verified_text(of_two_states()));
    golden.add("suites of a user's own plan",
               verified_text(VerifiedFile(launches_of({{ruled_suite, everywhere(0.5)}}), {})));
    VerifiedFile faulty(launches_of({{other_suite}, {ruled_suite, everywhere(0.5)}}), planned_alltoall());
    faulty.faults =
        faults_of_launches({{"default", {6000}, ""}, {"tuned", {5000, 6000, 7000}, "no progress for 5 s"}});
    golden.add("wrong data and a failure", verified_text(faulty));
    golden.check();
}

TEST_CASE("what is within the margin or open is no loss, and no rule that is known to be faster") {
    const MeasuredSuite within{ruled_suite, everywhere(1.01), MeasuredSuite{}.arguments, 0.001};
    const MeasuredSuite open{ruled_suite, everywhere(0.99), MeasuredSuite{}.arguments, 0.1};
    for (const MeasuredSuite& each : {within, open, MeasuredSuite{ruled_suite}}) {
        const VerifiedFile file(launches_of({each}), planned_alltoall());
        CHECK_FALSE(file.slower_somewhere());
        CHECK_FALSE(file.faster_somewhere());
        CHECK(file.open() == (each.of_launch == 0.1 ? 1 : 0));
        CHECK(file.unconfirmed().size() == 2); // one is not measured
    }
    const VerifiedFile few(launches_of({{ruled_suite, everywhere(1.1)}}, 1), {});
    CHECK_FALSE(few.judged());
    CHECK_FALSE(few.slower_somewhere());
}

TEST_CASE("a rule that is slower in one state of the machine is slower") {
    const VerifiedFile file = of_two_states();
    REQUIRE(file.contest().suites.size() == 2);
    CHECK(file.slower_somewhere());
    CHECK(file.slower().size() == 1);
    CHECK(file.unconfirmed().size() == 2); // one is not measured
}

TEST_CASE("wrong data and failures with a file are named, whether there are times to compare or not") {
    const auto file_of = [](const std::vector<FaultyLaunch>& launches,
                            const std::vector<MeasuredSuite>& measured) {
        auto file = std::make_unique<VerifiedFile>(launches_of(measured), planned_alltoall());
        file->faults = faults_of_launches(launches);
        return file;
    };
    const std::vector<MeasuredSuite> faster{{other_suite}, {ruled_suite, everywhere(0.5)}};
    const TunedRegion ruled{"MPI_Alltoall", 4096, 16384};
    SUBCASE("the operation of a rule delivers wrong data at all lengths, so that nothing is compared") {
        const auto file = file_of({{"default", {}, ""}, {"tuned", {5000, 6000, 7000}, ""}}, {{other_suite}});
        CHECK(file->faulty_somewhere());
        CHECK(file->faulty() == std::vector<TunedRegion>{ruled});
        CHECK(file->slower().empty());
    }
    SUBCASE("at one length, while the others are faster") {
        const auto file = file_of({{"default", {}, ""}, {"tuned", {6000}, ""}}, faster);
        CHECK(file->faulty_somewhere());
        CHECK(file->faulty() == std::vector<TunedRegion>{ruled});
    }
    SUBCASE("lengths that fail are named by their own") {
        const auto file = file_of({{"default", {}, ""}, {"tuned", {}, "no progress for 5 s"}}, faster);
        CHECK(file->faulty_somewhere());
        CHECK(file->faulty() == std::vector<TunedRegion>{{"MPI_Alltoall", 1, 4095}});
    }
    SUBCASE("what is wrong without the file is not the file's") {
        CHECK_FALSE(file_of({{"default", {6000}, ""}, {"tuned", {}, ""}}, faster)->faulty_somewhere());
    }
    SUBCASE("an older session says nothing") {
        const ScratchDirectory folder;
        Database database = Database::open_for_writing(folder.path() + "/v.db");
        add_session_with(database, "old", {{"default", {}, ""}, {"tuned", {6000}, ""}}, ruled_suite,
                         other_suite);
        add_session_with(database, "new", {{"default", {}, ""}, {"tuned", {}, ""}}, ruled_suite, other_suite);
        CHECK(faults_of_session(database, database.sessions().back()).empty());
    }
}

TEST_CASE("where the environment names a file, its rules are measured, too") {
    const FileOf old("old.conf", slow_bcast);
    const auto regions = [&](const std::string& text) {
        const FileOf file("new.conf", text);
        return read_tuning_use(file.path, open_mpi_user).regions;
    };
    const std::vector<TunedRegion> of_old = {{"MPI_Bcast", 1, 4095}, {"MPI_Bcast", 4096, any_length}};
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", old.path.c_str(), 1);
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    CHECK(regions("0\n") == of_old);
    CHECK(regions("1 7 1 0 2\n0 0 0 0\n8192 3 0 128\n").size() == 3);
    CHECK(read_tuning_use(old.path, open_mpi_user).regions == of_old); // against none
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "0", 1);           // then it is not read
    CHECK(regions("0\n").empty());
    unsetenv("OMPI_MCA_coll_tuned_use_dynamic_rules");
    unsetenv("OMPI_MCA_coll_tuned_dynamic_rules_filename");
}

TEST_CASE("a file beside a variable that the library follows first says so") {
    const auto notes = [](const std::string& text, const TuningUser& user) {
        const FileOf file("f", text);
        return read_tuning_use(file.path, user).notes;
    };
    const std::string variables = "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n";
    CHECK(notes(tuned_tree(), mpich_user).empty());
    for (const char* const other : {"MPIR_CVAR_REDUCE_INTRA_ALGORITHM", "MPIR_PARAM_BCAST_INTRA_ALGORITHM"}) {
        setenv(other, "binomial", 1);
        // Of operations without a rule in the file it does not matter.
        CHECK(notes(tuned_tree(), mpich_user).size() == (other[5] == 'P' ? 1 : 0));
        CHECK(notes(variables, mpich_user).empty());
        setenv(other, "auto", 1);
        CHECK(notes(tuned_tree(), mpich_user).empty());
        unsetenv(other);
    }
    setenv("OMPI_MCA_coll_tuned_bcast_algorithm", "6", 1);
    CHECK(choices_in_use(LibraryKind::open_mpi) ==
          std::vector<ChoiceInUse>{{"OMPI_MCA_coll_tuned_bcast_algorithm", "6", "MPI_Bcast"}});
    CHECK(choices_in_use(LibraryKind::mpich).empty());
    const TuningUser newer{.library = "Open MPI v5.0.3, package: x", .own_tree = {}, .ranks = 2};
    CHECK(notes(slow_bcast, newer).size() == 1);
    CHECK(notes(slow_bcast, open_mpi_user).empty()); // the file comes first
    CHECK(notes(std::string("# for: Open MPI v5.0.3\n") + slow_bcast, open_mpi_user).size() == 1);
    unsetenv("OMPI_MCA_coll_tuned_bcast_algorithm");
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", "/opt/other.conf", 1);
    const std::string chosen = "OMPI_MCA_coll_tuned_bcast_algorithm=6\n";
    CHECK(notes(chosen, open_mpi_user).size() == 1);
    CHECK(notes(chosen, newer).empty());
    unsetenv("OMPI_MCA_coll_tuned_dynamic_rules_filename");
}
