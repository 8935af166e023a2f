#include "tune/simulated_algorithms.hpp"
#include "tune/tune_plan.hpp"
#include "tune/tune_run.hpp"

#include "base/error.hpp"

#include <doctest/doctest.h>

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
    Verified verified;
    verified.passed = true;
    return verified;
}

/// A library whose fastest algorithms are known.
class PlannedHands : public TuneHands {
public:
    std::vector<TuningRule> rules;
    std::vector<WantedLength> wanted_at_first; ///< until they are measured
    std::vector<Verified> verifications;
    bool ranks_share_cores = false;
    int status = 0;
    double launch_s = 10;
    std::string library = "Open MPI v4.1.4, package: Debian";

    int launches = 0;
    std::size_t borders = 0;
    std::vector<std::string> texts; ///< of the file, as written; empty = it was taken away
    std::vector<TuningFile> stored;

    int launch(const std::vector<WantedLength>& lengths) override {
        ++launches;
        borders = lengths.size();
        now_ += launch_s;
        return status;
    }
    std::optional<TuneLook> look() override {
        TuneLook look;
        look.runs = launches;
        look.launches = static_cast<std::size_t>(launches);
        look.target.library = library;
        look.target.layer = "open mpi tuned";
        if (launches == 0)
            return look;
        look.ranks_share_cores = ranks_share_cores;
        look.rules = look.for_all_lengths = rules;
        if (borders == 0)
            look.wanted = wanted_at_first;
        return look;
    }
    void write(const MadeTuning& made) override { texts.push_back(made.file.text); }
    Verified verify() override {
        Verified next = verifications.front();
        verifications.erase(verifications.begin());
        return next;
    }
    void store(const TuningFile& file) override { stored.push_back(file); }
    double now_s() override { return now_; }
    void note(std::string_view) override {}

private:
    double now_ = 0;
};

TuneWish wish_for_rules() {
    TuneWish wish;
    wish.format = TuningFormat::open_mpi_rules;
    wish.path = "rules.conf";
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
    CHECK(hands.texts.back().find("verified: yes") != std::string::npos);
    REQUIRE(hands.stored.size() == 1);
    CHECK(hands.stored.front().path == "rules.conf");
    CHECK(hands.stored.front().rules.size() == 2);
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

TEST_CASE("what verification finds to be slower is taken out, and the rest is verified once more") {
    PlannedHands hands;
    hands.rules = {faster_rule("MPI_Alltoall", 4096, 65536), faster_rule("MPI_Bcast", 1, 64)};
    hands.verifications = {{.passed = false, .read = true, .slower_operations = {"MPI_Bcast"}}, passed()};
    CHECK(tune(wish_for_rules(), hands) == 0);
    REQUIRE(hands.stored.size() == 1);
    const std::vector<TuningRule>& rules = hands.stored.front().rules;
    REQUIRE(rules.size() == 2);
    CHECK(rules[0].written);
    CHECK_FALSE(rules[1].written);
    CHECK(rules[1].why_not == WhyNot::slower_when_checked);
    SUBCASE("a file without any rule left is taken away") {
        PlannedHands none;
        none.rules = {faster_rule("MPI_Bcast", 1, 64)};
        none.verifications = {{.passed = false, .read = true, .slower_operations = {"MPI_Bcast"}}};
        CHECK(tune(wish_for_rules(), none) == 0);
        CHECK(none.texts.back().empty());
        CHECK(none.stored.front().path.empty());
    }
    SUBCASE("a file that the library does not read is a failure") {
        PlannedHands unread;
        unread.rules = {faster_rule("MPI_Bcast", 1, 64)};
        unread.verifications = {{.passed = false, .read = false, .slower_operations = {}}};
        CHECK(tune(wish_for_rules(), unread) == 1);
    }
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
    wish.time_s = 25;
    CHECK_THROWS_AS((void)tune(wish, hands), InputError);
    CHECK(hands.launches == 2);
    CHECK(hands.texts.empty());
    SUBCASE("and goes on with what there is when it is called again") {
        wish.time_s = 60;
        hands.verifications = {passed()};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.launches == launches_for_a_rule);
    }
}

TEST_CASE("where ranks share cores one launch is enough to know that no file can be made") {
    PlannedHands hands;
    hands.ranks_share_cores = true;
    CHECK_THROWS_AS((void)tune(wish_for_rules(), hands), InputError);
    CHECK(hands.launches == 1);
    CHECK(hands.texts.empty());
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

TEST_CASE("what skampi-report says of algorithms is read, and nothing else") {
    CHECK_FALSE(parse_tune_look("").has_value());
    CHECK_FALSE(parse_tune_look("{\"operations\": 3}").has_value());
    CHECK_FALSE(parse_tune_look("{\"operations\": [], \"rules\": [{}]}").has_value());
    const auto look = parse_tune_look(
        R"({"version":1,"library":"Open MPI v4.1.4","layer":"open mpi tuned","newest_run":"u","hosts":"h",
            "placement":"p","ranks":[4,16],"runs":3,"gain":0.1,"ranks_share_cores":false,
            "operations":[{"operation":"MPI_Bcast","launches":3,"simulated":false,
              "lengths_wanted":[{"bytes":90,"below":"","above":"ring"},{"bytes":91,"below":"","above":""}]}],
            "rules":[],"rules_for_all_lengths":[]})");
    REQUIRE(look.has_value());
    CHECK(look->launches == 3);
    CHECK(look->target.ranks == "4, 16");
    REQUIRE(look->wanted.size() == 1);
    CHECK(look->wanted.front() == WantedLength{"MPI_Bcast", 90, {"default", "ring"}});
}

TEST_CASE("a file without rules comes instead of one in use where it is faster, and of no other") {
    PlannedHands hands;
    hands.rules = {rule_for_default("MPI_Bcast")};
    TuneWish wish = wish_for_rules();
    wish.in_use = "/etc/slow.conf";
    SUBCASE("faster") {
        hands.verifications = {{.passed = true, .read = true, .faster = true, .slower_operations = {}}};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.texts.back().find("instead of: /etc/slow.conf") != std::string::npos);
        CHECK(hands.texts.back().find("\n0 # collectives\n") != std::string::npos);
        CHECK(hands.stored.front().path == "rules.conf");
    }
    SUBCASE("not faster") {
        hands.verifications = {{.passed = true, .read = true, .faster = false, .slower_operations = {}}};
        CHECK(tune(wish, hands) == 0);
        CHECK(hands.texts.back().empty());
        CHECK(hands.stored.front().path.empty());
    }
    SUBCASE("slower") {
        hands.verifications = {{.passed = false, .read = true, .slower_operations = {"MPI_Bcast"}}};
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
