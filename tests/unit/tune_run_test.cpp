// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"

#include "tune/simulated_algorithms.hpp"
#include "tune/tune_outcome.hpp"
#include "tune/tune_plan.hpp"
#include "tune/tune_run.hpp"

#include "base/error.hpp"
#include "spec/parser.hpp"

#include <cstddef>
#include <doctest/doctest.h>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

TuningRule faster_rule(const std::string& operation, std::int64_t low, std::int64_t high) {
    TuningRule rule;
    rule.operation = operation;
    rule.layer = "open mpi tuned";
    rule.ranks_low = rule.ranks_high = 4;
    rule.bytes_low = low;
    rule.bytes_high = high;
    rule.algorithm = "pairwise";
    rule.number = 2;
    rule.gain = 0.5;
    rule.launches = 5;
    rule.written = true;
    return rule;
}

TuningRule rule_for_default(const std::string& operation) {
    TuningRule rule = faster_rule(operation, 1, 1024);
    rule.written = false;
    rule.why_not = WhyNot::default_is_best;
    return rule;
}

Verified passed() {
    return {};
}

Verified failed(std::vector<TunedRegion> slower) {
    return {.status = 1, .slower = std::move(slower)};
}

/// A library whose fastest algorithms are known.
class PlannedHands : public TuneHands {
public:
    std::vector<TuningRule> rules;
    std::vector<WantedLength> wanted_at_first; ///< until they are measured
    std::vector<Verified> verifications;
    bool ranks_share_cores = false;
    bool ranks_bound = true;
    bool cores_to_spare = true;
    std::string launcher;
    int status = 0;
    double launch_s = 10;
    std::string library = "Open MPI v4.1.4, package: Debian";

    int launches = 0;
    std::size_t borders = 0;
    std::vector<std::set<std::string>> measured; ///< operations of each launch; empty = all
    std::vector<std::string> texts;              ///< of the file, as written; empty = it was taken away
    bool in_place = false;                       ///< the last one is no candidate
    std::vector<TuningFile> stored;
    std::vector<std::string> notes;
    std::optional<double> verify_time_s;

    int launch(const std::vector<WantedLength>& lengths, const std::set<std::string>& only) override {
        ++launches;
        measured.push_back(only);
        borders = lengths.size();
        now_ += launch_s;
        return status;
    }
    TuneLook look() override {
        TuneLook look;
        look.launches = static_cast<std::size_t>(launches);
        look.target.library = library;
        look.target.layer = "open mpi tuned";
        if (launches == 0)
            return look;
        look.ranks_share_cores = ranks_share_cores;
        look.ranks_bound = ranks_bound;
        look.cores_to_spare = cores_to_spare;
        look.launcher = launcher;
        look.rules = look.for_all_lengths = rules;
        if (borders == 0)
            look.wanted = wanted_at_first;
        return look;
    }
    void write(const MadeTuning& made, bool verified) override {
        texts.push_back(made.file.text);
        in_place = verified && !made.file.text.empty();
    }
    Verified verify(std::optional<double> time_s) override {
        verify_time_s = time_s;
        Verified next = verifications.front();
        verifications.erase(verifications.begin());
        return next;
    }
    void store(TuningFile file) override { stored.push_back(file); }
    double now_s() override { return now_; }
    void note(std::string_view text) override { notes.emplace_back(text); }

private:
    double now_ = 0;
};

TuneWish wish_for_rules() {
    TuneWish wish;
    wish.format = TuningFormat::open_mpi_rules;
    wish.path = "rules.conf";
    wish.ranks = 4;
    return wish;
}

} // namespace

TEST_CASE("tuning launches until a rule may be made, writes the file and verifies it") {
    PlannedHands hands;
    hands.rules = {faster_rule("MPI_Alltoall", 4096, 65536), rule_for_default("MPI_Bcast")};
    hands.verifications = {passed()};
    CHECK(tune(wish_for_rules(), hands) == 0);
    CHECK(hands.launches == launches_for_a_rule);
    REQUIRE(hands.texts.size() == 2); // the second says that it is verified
    CHECK(hands.texts.back().find("verified: yes, with 4 ranks") != std::string::npos);
    CHECK(hands.in_place);
    REQUIRE(hands.stored.size() == 1);
    CHECK(hands.stored.front().path == "rules.conf");
    CHECK(hands.stored.front().rules.size() == 2);
}

TEST_CASE("launches after those that a rule needs measure what is open or has new borders alone") {
    PlannedHands hands;
    TuningRule open = rule_for_default("MPI_Alltoall");
    open.why_not = WhyNot::undecided;
    hands.rules = {open, rule_for_default("MPI_Bcast")};
    hands.verifications = {{.faster = true}};
    CHECK(tune(wish_for_rules(), hands) == 0);
    REQUIRE(hands.measured.size() == 12);
    for (std::size_t launch = 0; launch < hands.measured.size(); ++launch)
        CHECK(
            hands.measured[launch] ==
            (launch < launches_for_a_rule ? std::set<std::string>{} : std::set<std::string>{"MPI_Alltoall"}));
}

TEST_CASE("what a database holds of other ranks or operations is no answer for these") {
    struct OtherHands : PlannedHands {
        TuneScope scope;
        TuningRule held;
        TuneLook look() override {
            TuneLook look = PlannedHands::look();
            look.scope = scope;
            look.simulated = true;
            if (launches == 0)
                look.missing = 1;
            look.rules.push_back(held);
            look.for_all_lengths.push_back(held);
            return look;
        }
    };
    OtherHands hands;
    hands.rules = {faster_rule("MPI_Alltoall", 4096, 65536)}; // once it is launched
    hands.scope = {4, {"MPI_Alltoall"}};
    hands.held = faster_rule("MPI_Alltoall", 4096, 65536);
    SUBCASE("other ranks") {
        hands.held.ranks_low = hands.held.ranks_high = 2;
    }
    SUBCASE("another operation") {
        hands.held.operation = "MPI_Bcast";
    }
    hands.verifications = {passed()};
    CHECK(tune(wish_for_rules(), hands) == 0);
    CHECK(hands.launches == 1);
}

TEST_CASE("where the default is the fastest, no file is written and all is well") {
    PlannedHands hands;
    hands.rules = {rule_for_default("MPI_Alltoall")};
    CHECK(tune(wish_for_rules(), hands) == 0);
    REQUIRE(hands.texts.size() == 1);
    CHECK(hands.texts.front().empty());
    REQUIRE(hands.stored.size() == 1);
    CHECK(hands.stored.front().path.empty());
}

TEST_CASE("a rule that verification finds to be slower is taken out, and the rest is verified once more") {
    PlannedHands hands;
    hands.rules = {faster_rule("MPI_Alltoall", 4096, 65536), faster_rule("MPI_Bcast", 1, 64),
                   faster_rule("MPI_Bcast", 4096, 65536)};
    hands.verifications = {failed({{"MPI_Bcast", 4096, 65536}}), passed()};
    CHECK(tune(wish_for_rules(), hands) == 0);
    REQUIRE(hands.stored.size() == 1);
    const std::vector<TuningRule>& rules = hands.stored.front().rules;
    REQUIRE(rules.size() == 3);
    CHECK(rules[0].written);
    CHECK(rules[1].written); // the other one of the operation stays
    CHECK_FALSE(rules[2].written);
    CHECK(rules[2].why_not == WhyNot::not_faster_when_checked);
    SUBCASE("so is one with which the operation fails or delivers wrong data") {
        PlannedHands faulty;
        faulty.rules = {faster_rule("MPI_Alltoall", 4096, 65536), faster_rule("MPI_Bcast", 1, 64)};
        Verified wrong = failed({});
        wrong.faulty = {{"MPI_Bcast", 1, 64}};
        faulty.verifications = {wrong, passed()};
        CHECK(tune(wish_for_rules(), faulty) == 0);
        const std::vector<TuningRule>& left = faulty.stored.front().rules;
        CHECK(left[0].written);
        CHECK_FALSE(left[1].written);
        CHECK(left[1].why_not == WhyNot::faulty_when_checked);
    }
    SUBCASE("a file without any rule left is taken away") {
        PlannedHands none;
        none.rules = {faster_rule("MPI_Bcast", 1, 64)};
        none.verifications = {failed({{"MPI_Bcast", 1, 64}})};
        CHECK(tune(wish_for_rules(), none) == 0);
        CHECK(none.texts.back().empty());
        CHECK(none.stored.front().path.empty());
    }
    SUBCASE("a file that the library does not read is a failure") {
        PlannedHands unread;
        unread.rules = {faster_rule("MPI_Bcast", 1, 64)};
        unread.verifications = {{.status = 1, .read = false}};
        CHECK(tune(wish_for_rules(), unread) == 1);
        CHECK_FALSE(unread.in_place);
    }
    SUBCASE("where no rule is slower, as when too few launches were complete, none is taken out") {
        PlannedHands few;
        few.rules = {faster_rule("MPI_Bcast", 1, 64)};
        few.verifications = {failed({})};
        CHECK(tune(wish_for_rules(), few) == 1);
        CHECK(few.stored.front().rules.front().written);
    }
    SUBCASE("a rule that is not shown to be faster is taken out, too, and the others are verified") {
        PlannedHands unsure;
        unsure.rules = {faster_rule("MPI_Alltoall", 4096, 65536), faster_rule("MPI_Bcast", 1, 64)};
        Verified open = passed();
        open.unconfirmed = {{"MPI_Bcast", 1, 64}};
        unsure.verifications = {open};
        CHECK(tune(wish_for_rules(), unsure) == 0);
        CHECK(unsure.texts.back().find("verified: yes, with 4 ranks") != std::string::npos);
        CHECK(unsure.stored.front().rules[0].written);
        CHECK_FALSE(unsure.stored.front().rules[1].written);
        PlannedHands none;
        none.rules = {faster_rule("MPI_Bcast", 1, 64)};
        none.verifications = {open};
        CHECK(tune(wish_for_rules(), none) == 0);
        CHECK(none.texts.back().empty());
    }
    SUBCASE("rules for other numbers of ranks were not verified") {
        PlannedHands others;
        TuningRule more_ranks = faster_rule("MPI_Bcast", 1, 64);
        more_ranks.ranks_low = more_ranks.ranks_high = 16;
        others.rules = {faster_rule("MPI_Bcast", 1, 64), more_ranks};
        others.verifications = {failed({{"MPI_Bcast", 1, 64}}), passed()};
        CHECK(tune(wish_for_rules(), others) == 0);
        CHECK_FALSE(others.stored.front().rules[0].written);
        CHECK(others.stored.front().rules[1].written);
    }
}

TEST_CASE("ranks that are not bound are warned of once, with what binds them where a core is to spare") {
    PlannedHands hands;
    hands.rules = {rule_for_default("MPI_Alltoall")};
    hands.ranks_bound = false;
    hands.launcher = "Hydra";
    const auto warnings = [&] {
        std::vector<std::string> found;
        for (const std::string& note : hands.notes)
            if (note.starts_with("warning: ranks are not bound"))
                found.push_back(note);
        return found;
    };
    CHECK(tune(wish_for_rules(), hands) == 0);
    REQUIRE(warnings().size() == 1);
    CHECK(warnings().front().find("-bind-to core") != std::string::npos);
    SUBCASE("binding is not advised where ranks take all cores") {
        hands.notes.clear();
        hands.cores_to_spare = false;
        CHECK(tune(wish_for_rules(), hands) == 0);
        REQUIRE(warnings().size() == 1);
        CHECK(warnings().front().find("-bind-to") == std::string::npos);
    }
    SUBCASE("bound ranks are nothing to speak of") {
        hands.notes.clear();
        hands.ranks_bound = true;
        CHECK(tune(wish_for_rules(), hands) == 0);
        CHECK(warnings().empty());
    }
}

TEST_CASE("what came of tuning is what to type, as a golden file shows it") {
    Golden golden("tune");
    TuneOutcome outcome;
    outcome.path = "/opt/mpi/tuning.json";
    outcome.library = "MPICH Version: 4.0.2";
    outcome.ranks = 2;
    outcome.written = 1;
    outcome.rules = {faster_rule("MPI_Alltoall", 4096, 16384)};
    outcome.found = "(what the verification found)\n";
    golden.add("a file that is verified", outcome_text(outcome));
    outcome.candidate = "/opt/mpi/tuning.json.tune/candidate-0a.json";
    outcome.launcher = "srun -n {n}";
    golden.add("a candidate that is not", outcome_text(outcome));
    outcome.candidate.clear();
    outcome.written = 0;
    outcome.rules.front().written = false;
    const auto without_file = [&](const std::string& name, WhyNot why) {
        outcome.rules.front().why_not = why;
        golden.add("no file: " + name, outcome_text(outcome));
    };
    without_file("not faster when checked", WhyNot::not_faster_when_checked);
    outcome.path = "tuning.env";
    without_file("one algorithm for all lengths", WhyNot::not_faster_when_checked);
    without_file("faulty when checked", WhyNot::faulty_when_checked);
    without_file("no rules by length", WhyNot::no_length_rules);
    without_file("undecided", WhyNot::undecided); // the report says so
    golden.check();
}

namespace {

std::vector<OperationInfo> tuned_operations() {
    OperationInfo alltoall;
    alltoall.name = alltoall.title = "MPI_Alltoall";
    alltoall.pattern = Pattern::collective;
    alltoall.varied = {Varied::message_length, Varied::none};
    alltoall.parameters = {Parameter::datatype, Parameter::algorithm};
    OperationInfo bcast = alltoall;
    bcast.name = bcast.title = "MPI_Bcast";
    bcast.varied.push_back(Varied::nodes);
    OperationInfo barrier = alltoall;
    barrier.name = barrier.title = "MPI_Barrier";
    barrier.varied = {Varied::nodes, Varied::none};
    barrier.parameters = {Parameter::algorithm};
    return {alltoall, bcast, barrier};
}

} // namespace

TEST_CASE("a user's plan that can give no rules is refused with what to write") {
    const auto refusal = [](const std::string& suites) {
        const ParameterFile plan =
            parse_parameter_file("my.skampi", "@MEASUREMENTS\n" + suites, tuned_operations());
        try {
            check_tune_plan(plan);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string nodes = "n { Type = MPI_Bcast; Variation = Nodes; Algorithm = all; }\n";
    CHECK(refusal(nodes).find("my.skampi: suite n") == 0);
    CHECK(refusal(nodes).find("Variation = Length") != std::string::npos);
    CHECK(refusal("b { Type = MPI_Barrier; Variation = Nodes; Algorithm = all; }\n")
              .find("Variation = No_Variation") != std::string::npos);
    CHECK(refusal("a { Type = MPI_Bcast; }\n").find("Algorithm = all;") != std::string::npos);
    CHECK(refusal("a { Type = MPI_Bcast; Algorithm = default, binomial; }\n").empty());
    CHECK(refusal("b { Type = MPI_Barrier; Variation = No_Variation; Algorithm = all; }\n").empty());
}

TEST_CASE("lengths at borders are measured in the launches that follow") {
    PlannedHands hands;
    hands.rules = {rule_for_default("MPI_Alltoall")};
    hands.wanted_at_first = {{"MPI_Alltoall", 5792, {"default", "pairwise"}},
                             {"MPI_Allreduce", 5797, {"default", "ring"}}};
    CHECK(tune(wish_for_rules(), hands) == 0);
    CHECK(hands.borders == 2);
}

TEST_CASE("tuning keeps its time, and does not make a rule of too few launches") {
    PlannedHands hands;
    hands.rules = {faster_rule("MPI_Alltoall", 4096, 65536)};
    TuneWish wish = wish_for_rules();
    wish.time_s = 40; // two thirds of it for launches
    CHECK_THROWS_AS((void)tune(wish, hands), InputError);
    CHECK(hands.launches == 2);
    CHECK(hands.texts.empty());
    SUBCASE("and goes on with what there is when it is called again") {
        wish.time_s = 60;
        hands.verifications = {passed()};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.launches == launches_for_a_rule);
        CHECK(hands.verify_time_s == 30); // after three launches
    }
}

TEST_CASE("where ranks share cores one launch is enough to know that no file can be made") {
    PlannedHands hands;
    hands.ranks_share_cores = true;
    CHECK_THROWS_AS((void)tune(wish_for_rules(), hands), InputError);
    CHECK(hands.launches == 1);
    CHECK(hands.texts.empty());
}

TEST_CASE("a verification that a signal ends, ends tuning with its status, and nothing is stored") {
    PlannedHands hands;
    hands.rules = {faster_rule("MPI_Alltoall", 4096, 65536)};
    hands.verifications = {{.status = 143, .read = false}};
    CHECK(tune(wish_for_rules(), hands) == 143);
    CHECK(hands.stored.empty());
    CHECK_FALSE(hands.in_place);
}

TEST_CASE("a launch that cannot be made ends tuning with its status") {
    PlannedHands hands;
    hands.status = 143;
    CHECK(tune(wish_for_rules(), hands) == 143);
    CHECK(hands.launches == 1);
}

TEST_CASE("at borders a few new lengths are measured at a time, each once, of reductions whole elements") {
    std::vector<WantedLength> borders;
    const std::vector<WantedLength> wanted{{"MPI_Allreduce", 5797, {"default", "ring"}},
                                           {"MPI_Allreduce", 5799, {"default", "ring"}},
                                           {"MPI_Bcast", 11, {"default", "smp"}},
                                           {"MPI_Bcast", 111, {"default", "smp"}}};
    CHECK(add_borders(borders, wanted, 1) == 2);
    REQUIRE(borders.size() == 2);
    CHECK(borders.front().bytes == 5792);
    CHECK(add_borders(borders, wanted, 1) == 1); // 5,799 is the same element
    CHECK(borders.back().bytes == 111);
}

TEST_CASE("a look tells what was found of the operations and ranks of a call") {
    AlgorithmFindings found;
    found.study.newest.mpi_library = "Open MPI v4.1.4";
    found.study.ranks = {4, 16};
    const auto add_group = [&](int ranks, std::size_t launches) {
        AlgorithmGroup& group = found.study.groups.emplace_back();
        group.operation = "MPI_Bcast";
        group.ranks = ranks;
        group.launches = launches;
        group.members.resize(2);
        group.members[1].word = "ring";
    };
    add_group(4, 3);
    add_group(16, 5);
    for (const AlgorithmGroup& group : found.study.groups)
        found.winners.push_back({.of = &group,
                                 .points = {},
                                 .regions = {},
                                 .open_borders = {},
                                 .for_all = {},
                                 .default_is = {},
                                 .effects = {}});
    found.winners[0].open_borders = {{90, 0, 1, {0, 1}}, {91, 0, 0, {0}}};
    const TuneLook on_sixteen = tune_look(&found, {16, {}});
    CHECK(on_sixteen.launches == 5);
    CHECK(on_sixteen.wanted.empty());
    const TuneLook on_eight = tune_look(&found, {8, {"MPI_Bcast"}});
    CHECK(on_eight.launches == 0); // nobody measured it there
    CHECK(on_eight.missing == 1);
    const TuneLook look = tune_look(&found, {4, {"MPI_Bcast", "MPI_Reduce"}});
    CHECK(look.launches == 3);
    CHECK(look.missing == 1);
    CHECK(look.target.ranks == "4, 16");
    CHECK(look.wanted == std::vector<WantedLength>{{"MPI_Bcast", 90, {"default", "ring"}}});
    CHECK(tune_look(nullptr, {4, {"MPI_Bcast"}}).missing == 1);
}

TEST_CASE("a file without rules comes instead of one in use where it is faster, and of no other") {
    PlannedHands hands;
    hands.rules = {rule_for_default("MPI_Bcast")};
    TuneWish wish = wish_for_rules();
    wish.in_use = "/etc/slow.conf";
    SUBCASE("faster") {
        hands.verifications = {{.faster = true}};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.texts.back().find("instead of: /etc/slow.conf") != std::string::npos);
        CHECK(hands.texts.back().find("\n0 # collectives\n") != std::string::npos);
        CHECK(hands.stored.front().path == "rules.conf");
    }
    SUBCASE("not faster") {
        hands.verifications = {passed()};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.texts.back().empty());
        CHECK(hands.stored.front().path.empty());
    }
    SUBCASE("slower") {
        hands.verifications = {failed({{"MPI_Bcast", 1, 64}})};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.texts.back().empty());
    }
}

TEST_CASE("a simulation has one algorithm for all lengths: nothing is measured at borders") {
    PlannedHands hands;
    hands.rules = {rule_for_default("MPI_Bcast")};
    hands.wanted_at_first = {{"MPI_Bcast", 5792, {"default", "pairwise"}}};
    hands.library = "SMPI Version 3.32";
    TuneWish wish = wish_for_rules();
    wish.format = TuningFormat::smpi_cfg;
    wish.borders = false;
    CHECK(tune(wish, hands) == 0);
    CHECK(hands.borders == 0);
    const auto few = [](const std::string& plan) { return plan.find("Max_Repetition = 2;") != plan.npos; };
    OperationInfo bcast;
    bcast.name = "MPI_Bcast";
    bcast.varied = {Varied::message_length};
    CHECK(few(tune_plan({bcast}, {}, true)));
    CHECK_FALSE(few(tune_plan({bcast}, {})));
}

TEST_CASE("what a simulation says of its algorithms is read, and nothing else") {
    const AlgorithmList list = parse_algorithm_list(
        R"({"library":"SimGrid","refusal":"","algorithms":[{"operation":"MPI_Bcast","word":"NTSL","number":3}]})");
    REQUIRE(list.choices.size() == 1);
    CHECK(list.choices.front().operation == "MPI_Bcast");
    CHECK(list.choices.front().word == "NTSL");
    for (const char* const text : {"", "[]", R"({"algorithms":[{"operation":1}]})", R"({"library":3})"})
        CHECK(parse_algorithm_list(text).choices.empty());
}
