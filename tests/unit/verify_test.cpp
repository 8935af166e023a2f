#include "algorithms/tuning_in_use.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "contains.hpp"
#include "invented_tree.hpp"
#include "store/database.hpp"
#include "tuning/mpich_tree.hpp"
#include "verify/read_proof.hpp"
#include "verify/tuning_use.hpp"
#include "verify/verified.hpp"
#include "verify/verify_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <string>

using namespace skampi;

namespace {

constexpr int argument_error = 13;
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
    [[nodiscard]] std::size_t files_in_folder() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(folder.path()), {}));
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

/// An Open MPI of two ranks. @param reads which ranks read files, bit by bit
LaunchProbe invented_open_mpi(unsigned reads, int han_priority = 0) {
    return [=](const Variant& variant, const std::vector<std::string>& questions) {
        ProbeAnswer answer;
        const auto path = variant.settings.find("OMPI_MCA_coll_tuned_dynamic_rules_filename");
        const std::string text = path == variant.settings.end() ? "" : file_text(path->second.value_or(""));
        for (int rank = 0; rank < 2; ++rank)
            for (const std::string& question : questions) {
                const bool is_canary = text.find(" 1000 ") != std::string::npos && ((reads >> rank) & 1) != 0;
                if (question.starts_with("MPI_"))
                    answer.answers[question][rank] = is_canary ? argument_error : 0;
                else if (question == "coll_tuned_priority")
                    answer.answers[question][rank] = 30;
                else if (question == "coll_han_priority")
                    answer.answers[question][rank] = han_priority;
            }
        return answer;
    };
}

} // namespace

TEST_CASE("regions are where a file chooses otherwise than the library, to the byte") {
    const FileOf rules("r.conf", slow_bcast);
    const TuningUse use = read_tuning_use(rules.path, open_mpi_user);
    CHECK(use.regions == std::vector<TunedRegion>{{"MPI_Bcast", 4096, longest_tuned_bytes}});
    CHECK(use.settings.at("OMPI_MCA_coll_tuned_use_dynamic_rules") == "1");
    const FileOf tree("t.json", tuned_tree());
    const TuningUse tuned = read_tuning_use(tree.path, mpich_user);
    CHECK(tuned.regions == std::vector<TunedRegion>{{"MPI_Bcast", 4096, 16384}});
    // For other numbers of ranks the file says nothing.
    CHECK(read_tuning_use(tree.path, {mpich_user.library, mpich_user.own_tree, 4}).regions.empty());
}

TEST_CASE("each rule of an operation is a region of its own") {
    // Alltoall is counted over both ranks; from 100 bytes on the library chooses itself for a while.
    const FileOf rules("r.conf", "2\n3\n1\n0 3\n0 2 0 0\n200 0 0 0\n3001 3 0 0\n"
                                 "7\n1\n0 4\n0 0 0 0\n1000 3 0 64\n1003 6 0 64\n70000 0 0 0\n");
    CHECK(read_tuning_use(rules.path, open_mpi_user).regions ==
          std::vector<TunedRegion>{{"MPI_Alltoall", 1, 99},
                                   {"MPI_Alltoall", 1501, longest_tuned_bytes},
                                   {"MPI_Bcast", 1000, 1002},
                                   {"MPI_Bcast", 1003, 69999}});
}

TEST_CASE("a file that is not for the library in use is refused") {
    CHECK_FALSE(is_refused(slow_bcast, open_mpi_user));
    CHECK(is_refused(slow_bcast, mpich_user));
    CHECK(is_refused(tuned_tree(), open_mpi_user));
    CHECK(is_refused(tuned_tree(), {"MPICH Version: 5.0.0", {}, 8}));
    CHECK(is_refused(std::string("# for: Open MPI v5.0.3\n") + slow_bcast, open_mpi_user));
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

TEST_CASE("a path that each rank reads is told from others") {
    const FileOf file("r.conf", slow_bcast);
    const TuningUse use = read_tuning_use(file.path, open_mpi_user);
    CHECK(prove_read(use, 2, argument_error, invented_open_mpi(3)).read);
    CHECK_FALSE(prove_read(use, 2, argument_error, invented_open_mpi(0)).read);
    CHECK_FALSE(prove_read(use, 2, argument_error, invented_open_mpi(1)).read); // one node has another file
    CHECK(prove_read(use, 2, argument_error, invented_open_mpi(0, 35)).why.find("coll_han_priority (35)") !=
          std::string::npos);
    CHECK(file.files_in_folder() == 1); // the copies are gone
}

TEST_CASE("MPICH must refuse a copy with an unknown key, and take the file") {
    const FileOf file("t.json", tuned_tree());
    const TuningUse use = read_tuning_use(file.path, mpich_user);
    const auto launch = [](bool reads, bool starts) {
        return [=](const Variant& variant, const std::vector<std::string>& questions) {
            ProbeAnswer answer;
            const std::string text = file_text(*variant.settings.begin()->second);
            const bool is_canary = text.find("skampi_canary") != std::string::npos;
            if ((is_canary && reads) || !starts) {
                answer.end.exit_status = 1;
                answer.end.err = starts ? "unknown key skampi_canary\nAbort(1)" : "no such program";
                return answer;
            }
            for (const std::string& question : questions)
                for (int rank = 0; rank < 8; ++rank)
                    answer.answers[question][rank] = 0;
            return answer;
        };
    };
    CHECK(prove_read(use, 8, argument_error, launch(true, true)).read);
    CHECK_FALSE(prove_read(use, 8, argument_error, launch(false, true)).read);
    CHECK_FALSE(prove_read(use, 8, argument_error, launch(true, false)).read);
}

TEST_CASE("variables must change what the library shows") {
    const FileOf file("t.env", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial\n");
    const TuningUse use = read_tuning_use(file.path, mpich_user);
    const auto launch = [](int tuned) {
        return [=](const Variant& variant, const std::vector<std::string>& questions) {
            ProbeAnswer answer;
            for (const std::string& question : questions)
                for (int rank = 0; rank < 8; ++rank)
                    answer.answers[question][rank] =
                        question.starts_with("MPI_") || variant.name == "default" ? 0 : tuned;
            return answer;
        };
    };
    CHECK(prove_read(use, 8, argument_error, launch(2)).read);
    CHECK_FALSE(prove_read(use, 8, argument_error, launch(0)).read);
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

TEST_CASE("a probe's lines are read, whatever stands between them") {
    ChildResult end;
    end.out = "hello\nskampi-probe 0 MPI_Bcast:8 0\nskampi-probe 1 MPI_Bcast:8 13\nskampi-probe x\n"
              "skampi-probe 0 coll_tuned_priority 30\n";
    const ProbeAnswer answer = parse_probe(end);
    CHECK(answer.answers.at("MPI_Bcast:8").at(1) == 13);
    CHECK(answer.of_all("MPI_Bcast:8", 2) == std::nullopt);
    CHECK(answer.of_all("coll_tuned_priority", 1) == 30);
    CHECK(answer.of_all("coll_tuned_priority", 2) == std::nullopt);
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

TEST_CASE("a plan has a dense suite within each region, the same for the same file") {
    TuningUse use;
    use.text = "x";
    use.regions = {{"MPI_Alltoall", 1, 16},
                   {"MPI_Alltoall", 4096, 16384},
                   {"MPI_Allreduce", 1000, longest_tuned_bytes},
                   {"MPI_Reduce", 33, 38}, // no whole element
                   {"MPI_Barrier", 1, longest_tuned_bytes}};
    const std::vector<VerifySuite> suites = verify_suites(use, seed_of(use));
    CHECK(verify_plan(suites) == verify_plan(verify_suites(use, seed_of(use))));
    CHECK(verify_plan(suites) != verify_plan(verify_suites(use, 7)));
    std::vector<TunedRegion> ruled;
    for (const VerifySuite& suite : suites) {
        if (suite.control)
            continue;
        ruled.push_back(suite.region);
        CHECK(suite.first >= (suite.region.operation == "MPI_Barrier" ? 0 : suite.region.bytes_low));
        CHECK(suite.last <= suite.region.bytes_high);
    }
    CHECK(suites_of_rules(suites).size() == ruled.size());
    CHECK(ruled == std::vector<TunedRegion>{use.regions[2], use.regions[0], use.regions[1], use.regions[4]});
    const auto of = [&](const TunedRegion& region) {
        return *std::ranges::find(suites, region, &VerifySuite::region);
    };
    const VerifySuite middle = of(use.regions[1]);
    const double steps = std::log(4) / std::log(middle.factor);
    CHECK(steps > 39);
    CHECK(steps < 40); // else as fractions of octaves: lengths that a tuner takes
    CHECK(std::fabs(steps - std::round(steps)) > 1e-3);
    CHECK(of(use.regions[2]).last == 1 << 20);
    CHECK(of(use.regions[2]).first % 8 == 0);
    const std::string plan = verify_plan(suites);
    CHECK(plan.find("Type = MPI_Barrier; Time") != std::string::npos);
    CHECK(plan.find("Datatype = MPI_DOUBLE; Reduction = MPI_SUM; Scale") != std::string::npos);
}

TEST_CASE("the control has a few lengths where an operation has no rule, clear of the borders") {
    TuningUse use;
    use.regions = {{"MPI_Alltoall", 4096, 16384}, {"MPI_Alltoall", 262144, longest_tuned_bytes}};
    std::vector<VerifySuite> controls;
    for (const VerifySuite& suite : verify_suites(use, 1))
        if (suite.control)
            controls.push_back(suite);
    REQUIRE(controls.size() == 2);
    CHECK(controls[0].region == TunedRegion{"MPI_Alltoall", 1, 4095});
    CHECK(controls[0].first > 128);
    CHECK(controls[0].last < 3000);
    CHECK(controls[1].first > 24000);
    CHECK(controls[1].last < 180000);
    for (const VerifySuite& suite : controls) {
        const double octaves = std::log2(static_cast<double>(suite.last) / static_cast<double>(suite.first));
        CHECK(octaves / std::log2(suite.factor) == doctest::Approx(3)); // four lengths
    }
    SUBCASE("and none where a rule holds for all lengths") {
        use.regions = {{"MPI_Scan", 1, longest_tuned_bytes}};
        CHECK(verify_suites(use, 1).size() == 1);
        CHECK(verify_suites(use, 1).front().name == "Scan");
    }
}

namespace {

/// The plan of a rule of Alltoall from 4 to 16 KiB.
std::vector<VerifySuite> planned_alltoall() {
    TuningUse use;
    use.regions = {{"MPI_Alltoall", 4096, 16384}};
    return verify_suites(use, 1);
}

struct ToldStatement {
    std::string suite;
    double ratio = 1;
    double low = 0.99;
    double high = 1.01;
    std::string state = "equal";
    std::string sizes = "null";
    std::string machine_state = "null";
};

/// As skampi-report turns prints it.
std::string told_turns(const std::vector<ToldStatement>& statements, const std::string& ranges = {},
                       const std::string& worst = {}) {
    std::string text;
    for (const ToldStatement& each : statements)
        text += fmt::format(
            R"({}{{"variant":"tuned","suite":"{}","machine_state":{},"sizes":{},"rounds":12,"ratio":{},"low":{},)"
            R"("high":{},"state":["{}"]}})",
            text.empty() ? "" : ",", each.suite, each.machine_state, each.sizes, each.ratio, each.low,
            each.high, each.state);
    return fmt::format(R"({{"margin":0.02,"statements":[{}],"ranges":[{}],"worst":[{}]}})", text, ranges,
                       worst);
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
constexpr const char* control_below = "Alltoall-control-1-4095";
constexpr const char* control_above = "Alltoall-control-16385";

} // namespace

TEST_CASE("a gain is that of the lengths of the rule, and the control says that it is the rule's") {
    const auto file = parse_verified(told_turns(
        {{control_below}, {ruled_suite, 0.5, 0.45, 0.55, "different"}, {control_above, 1.005, 0.995, 1.015}},
        "",
        R"({"variant":"tuned","suite":"Alltoall-4096-16384","from":4347,"to":4347,"ratio":0.8,)"
        R"("low":0.75,"high":0.85})"));
    REQUIRE(file);
    CHECK_FALSE(file->slower_somewhere());
    CHECK(file->judged(planned_alltoall()));
    const std::string text = verified_text(*file, planned_alltoall());
    CHECK(text ==
          "MPI_Alltoall from 4 KiB to 16 KiB: 2.00 times faster (1.82 to 2.22), 12 rounds; worst length "
          "4347 bytes: 25 % faster (18 to 33 %)\n"
          "MPI_Alltoall elsewhere (control): no difference above 1.5 %\n");
    CHECK(slower_regions(*file, planned_alltoall()).empty());
}

TEST_CASE("a rule says in how many of the rounds it has times, and no length that nothing is known of") {
    std::string turns =
        told_turns({{ruled_suite, 0.5, 0.45, 0.55, "different"}}, "",
                   R"({"variant":"tuned","suite":"Alltoall-4096-16384","from":4347,"to":4347,"ratio":1.2,)"
                   R"("low":0.4,"high":2.8})");
    turns.insert(1, R"("rounds":14,)");
    const auto file = parse_verified(turns);
    REQUIRE(file);
    CHECK(verified_text(*file, planned_alltoall()) ==
          "MPI_Alltoall from 4 KiB to 16 KiB: 2.00 times faster (1.82 to 2.22), 12 of 14 rounds\n");
}

TEST_CASE("a control that differs is said, whichever way") {
    const auto text_of = [](double ratio) {
        const auto file =
            parse_verified(told_turns({{ruled_suite, 0.5, 0.45, 0.55, "different"},
                                       {control_above, ratio, ratio - 0.02, ratio + 0.02, "different"}}));
        REQUIRE(file);
        CHECK(slower_regions(*file, planned_alltoall()).empty());
        CHECK(file->slower_somewhere() == (ratio > 1));
        return verified_text(*file, planned_alltoall());
    };
    CHECK(text_of(1.1).find(" KiB (control): 10 % slower") != std::string::npos);
    CHECK(text_of(0.9).find("(control): 11 % faster") != std::string::npos);
    CHECK(text_of(0.9).find("something else than its rules differs") != std::string::npos);
}

TEST_CASE("a rule that is slower somewhere is named, and another one of its operation is not") {
    TuningUse use;
    use.regions = {{"MPI_Bcast", 1, 512}, {"MPI_Bcast", 4096, 16384}};
    const std::vector<VerifySuite> planned = verify_suites(use, 1);
    const std::string range = R"({"variant":"tuned","suite":"Bcast-4096-16384","from":9000,"to":9900,)"
                              R"("ratio":1.2,"low":1.1,"high":1.3})";
    const auto file = parse_verified(told_turns(
        {{"Bcast-1-512", 0.8, 0.7, 0.9, "different"}, {"Bcast-4096-16384", 0.9, 0.85, 0.95, "different"}},
        range));
    REQUIRE(file);
    CHECK(slower_regions(*file, planned) == std::vector<TunedRegion>{use.regions[1]});
    CHECK(verified_text(*file, planned).find("MPI_Bcast from 9000 to 9900 bytes: 20 % slower (10 to 30 %)") !=
          std::string::npos);
}

TEST_CASE("lengths that are faster than all together are said, too") {
    const std::string range = R"({"variant":"tuned","suite":"Alltoall-4096-16384","from":9000,"to":9900,)"
                              R"("ratio":0.4,"low":0.35,"high":0.45})";
    const auto file = parse_verified(told_turns({{ruled_suite, 0.9, 0.85, 0.95, "different"}}, range));
    REQUIRE(file);
    CHECK(verified_text(*file, planned_alltoall())
              .find("MPI_Alltoall from 9000 to 9900 bytes: 2.50 times faster (2.22 to 2.86)") !=
          std::string::npos);
}

TEST_CASE("what is within the margin, open or not judged is no loss") {
    const auto file = parse_verified(told_turns({{"B", 1.01, 1.005, 1.015, "equal"},
                                                 {"R", 1.05, 0.95, 1.15, "open"},
                                                 {"S", 1.1, 0.9, 1.3, "open"},
                                                 {"S", 1.3, 1.2, 1.4, "different", "\"large\""}}));
    REQUIRE(file);
    REQUIRE(file->suites.size() == 3);
    CHECK_FALSE(file->suites[0].slower_somewhere());
    CHECK_FALSE(file->suites[1].slower_somewhere());
    CHECK(file->suites[1].open);
    CHECK(file->suites[2].slower_somewhere()); // long messages are
    // Suites of a user's own plan have their own names.
    CHECK(verified_text(*file, {}).find(
              "R: no difference found (5.3 % faster to 15 % slower), 12 rounds\n") != std::string::npos);
    CHECK_FALSE(parse_verified("no JSON"));
    CHECK_FALSE(parse_verified("{}"));
    const auto few =
        parse_verified(R"({"statements":[{"variant":"tuned","suite":"S","sizes":null,"rounds":1,)"
                       R"("ratio":1.1,"low":null,"high":null,"state":["open"]}],)"
                       R"("ranges":[],"worst":[]})");
    REQUIRE(few);
    CHECK_FALSE(few->judged({}));
    const auto only_control = parse_verified(told_turns({{control_below}}));
    REQUIRE(only_control);
    CHECK_FALSE(only_control->judged(planned_alltoall()));
    CHECK_FALSE(few->slower_somewhere());
}

TEST_CASE("a rule that is slower in one state of the machine is slower") {
    const auto file = parse_verified(
        told_turns({{"R", 0.8, 0.78, 0.82, "different", "null", "\"faster\""},
                    {"R", 1.3, 1.25, 1.35, "different", "null", "\"slower\""}},
                   R"({"variant":"tuned","suite":"R","machine_state":"faster","from":8,"to":8,)"
                   R"("ratio":0.5,"low":0.4,"high":0.6})"));
    REQUIRE(file);
    REQUIRE(file->suites.size() == 2);
    CHECK_FALSE(file->suites[0].slower_somewhere());
    CHECK(file->suites[0].parts.size() == 1);
    CHECK(file->suites[1].slower_somewhere());
    const std::string text = verified_text(*file, {});
    CHECK(contains(text, "R in the faster state of the machine: 25 % faster"));
    CHECK(contains(text, "R in the slower state of the machine: 30 % slower"));
    const std::vector<VerifySuite> planned = planned_alltoall();
    const std::string rule = std::ranges::find(planned, false, &VerifySuite::control)->name;
    const auto twice =
        parse_verified(told_turns({{rule, 1.3, 1.25, 1.35, "different", "null", "\"faster\""},
                                   {rule, 1.3, 1.25, 1.35, "different", "null", "\"slower\""}}));
    REQUIRE(twice);
    CHECK(slower_regions(*twice, planned).size() == 1);
}

TEST_CASE("wrong data and failures with a file are named, whether there are times to compare or not") {
    const ScratchDirectory folder;
    Database database = Database::open_for_writing(folder.path() + "/v.db");
    const auto told_of = [&](const std::vector<FaultyLaunch>& launches, const std::string& turns) {
        static int sessions = 0;
        add_session_with(database, fmt::format("session-{}", ++sessions), launches, ruled_suite,
                         control_below);
        std::optional<VerifiedFile> file = parse_verified(turns);
        REQUIRE(file);
        add_faults(database, *file);
        return *file;
    };
    const std::string no_times = told_turns({});
    SUBCASE("the operation of a rule delivers wrong data at all lengths, so that nothing is compared") {
        const VerifiedFile file = told_of({{"default", {}, ""}, {"tuned", {5000, 6000, 7000}, ""}}, no_times);
        CHECK(file.faulty_somewhere());
        CHECK(faulty_regions(file, planned_alltoall()) ==
              std::vector<TunedRegion>{{"MPI_Alltoall", 4096, 16384}});
        CHECK(slower_regions(file, planned_alltoall()).empty());
        CHECK(
            verified_text(file, planned_alltoall()) ==
            "MPI_Alltoall from 4 KiB to 16 KiB with the file: wrong data at 3 lengths from 5000 to 7000 bytes\n");
    }
    SUBCASE("at one length, while the others are faster") {
        const VerifiedFile file =
            told_of({{"default", {}, ""}, {"tuned", {6000}, ""}},
                    told_turns({{control_below}, {ruled_suite, 0.5, 0.45, 0.55, "different"}}));
        CHECK(file.faulty_somewhere());
        CHECK(faulty_regions(file, planned_alltoall()).size() == 1);
        CHECK(verified_text(file, planned_alltoall())
                  .starts_with("MPI_Alltoall from 4 KiB to 16 KiB with the file: wrong data at 6000 bytes\n"
                               "MPI_Alltoall from 4 KiB to 16 KiB: 2.00 times faster"));
    }
    SUBCASE("a control that fails is no rule's fault") {
        const VerifiedFile file =
            told_of({{"default", {}, ""}, {"tuned", {}, "no progress for 5 s"}}, no_times);
        CHECK(file.faulty_somewhere());
        CHECK(faulty_regions(file, planned_alltoall()).empty());
        const std::string text = verified_text(file, planned_alltoall());
        CHECK(text.starts_with("MPI_Alltoall from "));
        CHECK(text.ends_with(" (control) with the file: failed: no progress for 5 s\n"));
        CHECK(text.find("not judged") == std::string::npos);
    }
    SUBCASE("what is wrong without the file is not the file's") {
        const VerifiedFile file = told_of({{"default", {6000}, ""}, {"tuned", {}, ""}}, no_times);
        CHECK_FALSE(file.faulty_somewhere());
        CHECK(verified_text(file, planned_alltoall()) ==
              "MPI_Alltoall from 4 KiB to 16 KiB without the file: wrong data at 6000 bytes\n");
    }
    SUBCASE("an older session says nothing") {
        (void)told_of({{"default", {}, ""}, {"tuned", {6000}, ""}}, no_times);
        CHECK_FALSE(told_of({{"default", {}, ""}, {"tuned", {}, ""}}, no_times).faulty_somewhere());
    }
}

TEST_CASE("where the environment names a file, regions are where the new one chooses otherwise than that") {
    const FileOf old("old.conf", slow_bcast);
    const auto regions = [&](const std::string& text) {
        const FileOf file("new.conf", text);
        return read_tuning_use(file.path, open_mpi_user).regions;
    };
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", old.path.c_str(), 1);
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    CHECK(regions("0\n") == std::vector<TunedRegion>{{"MPI_Bcast", 4096, longest_tuned_bytes}});
    CHECK(regions(slow_bcast).empty());
    // another segment size
    CHECK(regions("1 7 1 0 2\n0 0 0 0\n4096 3 0 128\n").size() == 1);
    CHECK(read_tuning_use(old.path, open_mpi_user).regions.size() == 1); // this very file: against none
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "0", 1);             // then it is not read
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
    unsetenv("OMPI_MCA_coll_tuned_bcast_algorithm");
    setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", "/opt/other.conf", 1);
    const std::string chosen = "OMPI_MCA_coll_tuned_bcast_algorithm=6\n";
    CHECK(notes(chosen, open_mpi_user).size() == 1);
    CHECK(notes(chosen, newer).empty());
    unsetenv("OMPI_MCA_coll_tuned_dynamic_rules_filename");
}
