#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "invented_tree.hpp"
#include "tuning/mpich_tree.hpp"
#include "verify/read_proof.hpp"
#include "verify/tuning_use.hpp"
#include "verify/verified.hpp"
#include "verify/verify_plan.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
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

TEST_CASE("regions are where a file chooses otherwise than the library") {
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

TEST_CASE("a made plan has lengths around the regions, the same for the same file") {
    TuningUse use;
    use.text = "x";
    use.regions = {
        {"MPI_Bcast", 4096, 16384}, {"MPI_Allreduce", 1, longest_tuned_bytes}, {"MPI_Barrier", 1, 1}};
    const std::string plan = verify_plan(use, seed_of(use));
    CHECK(plan == verify_plan(use, seed_of(use)));
    CHECK(plan != verify_plan(use, 7));
    CHECK(plan.find("Type = MPI_Bcast;") != std::string::npos);
    CHECK(plan.find("End_Argument = 65536;") != std::string::npos);
    CHECK(plan.find("Type = MPI_Barrier; }") != std::string::npos);
    CHECK(plan.find("End_Argument = 1048576; Multiple_of = 8") != std::string::npos);
}

TEST_CASE("operations that a session finds to be slower") {
    const auto suites = parse_verified(R"({"statements":[
        {"variant":"tuned","suite":"Bcast","sizes":null,"rounds":9,"ratio":1.2,"low":1.1,"high":1.3,"state":["different"]},
        {"variant":"tuned","suite":"Reduce","sizes":null,"rounds":9,"ratio":1,"low":0.9,"high":1.1,"state":["open"]},
        {"variant":"tuned","suite":"Scan","sizes":null,"rounds":1,"ratio":1,"low":null,"high":null,"state":["open"]}],
        "ranges":[],"worst":[]})");
    REQUIRE(suites);
    CHECK(slower_operations(*suites) == std::vector<std::string>{"MPI_Bcast"});
}

TEST_CASE("what a session says of a tuning file") {
    const std::string turns = R"({"statements":[
        {"variant":"tuned","suite":"B","sizes":null,"rounds":9,"ratio":0.5,"low":0.45,"high":0.55,"state":["different"]},
        {"variant":"tuned","suite":"B","sizes":"large","rounds":9,"ratio":1.2,"low":1.1,"high":1.3,"state":["different"]},
        {"variant":"tuned","suite":"R","sizes":null,"rounds":9,"ratio":1.01,"low":1.005,"high":1.015,"state":["different","equal"]},
        {"variant":"tuned","suite":"S","sizes":null,"rounds":1,"ratio":1.1,"low":null,"high":null,"state":["open"]}],
        "ranges":[{"variant":"tuned","suite":"R","from":64,"to":128,"ratio":2.0,"low":1.9,"high":2.1}],
        "worst":[{"variant":"tuned","suite":"R","from":64,"to":64,"ratio":2.05,"low":1.9,"high":2.1}]})";
    const auto suites = parse_verified(turns);
    REQUIRE(suites);
    REQUIRE(suites->size() == 3);
    CHECK((*suites)[0].pooled.ratio == 0.5);
    REQUIRE((*suites)[0].slower.size() == 1);
    CHECK((*suites)[0].slower[0].sizes == "large");
    CHECK((*suites)[1].equal);
    REQUIRE((*suites)[1].slower.size() == 1); // within the margin as a whole, but not everywhere
    CHECK((*suites)[1].slower[0].to == 128);
    CHECK((*suites)[1].worst_bytes == 64);
    CHECK((*suites)[2].open);
    CHECK(slower_somewhere(*suites));
    CHECK_FALSE(slower_somewhere({(*suites)[2]}));
    CHECK(slower_operations(*suites) == std::vector<std::string>{"MPI_B", "MPI_R"});
    CHECK_FALSE(parse_verified("no JSON"));
    CHECK_FALSE(parse_verified("{}"));
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
