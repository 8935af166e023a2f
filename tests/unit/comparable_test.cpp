// SPDX-License-Identifier: GPL-2.0-or-later
#include "launches/comparable.hpp"

#include "contest/contest.hpp"
#include "invented_curve.hpp"
#include "model/placement.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace skampi;

namespace {

Suite suite_of(Pattern pattern) {
    Suite suite;
    suite.name = suite.family = "s";
    suite.operation.name = pattern == Pattern::collective ? "MPI_Bcast" : "MPI_Send-MPI_Recv";
    suite.operation.pattern = pattern;
    suite.operation.varied = {Varied::message_length};
    suite.varied = Varied::message_length;
    return suite;
}

Curve curve_of(const Suite& suite, double factor = 1) {
    Curve curve = test::invented_curve(6, factor, 0.01, 2);
    curve.stored.suite = suite;
    return curve;
}

/// Names of the fields in which two suites differ.
std::set<std::string_view> fields(const std::vector<FieldDifference>& differences) {
    std::set<std::string_view> names;
    for (const FieldDifference& each : differences)
        names.insert(each.field);
    return names;
}

/// The two sides of a suite with one change each.
template <typename Change>
Comparability after(const Suite& suite, Change&& change) {
    Suite other = suite;
    change(other);
    return compare_plans(suite, other);
}

} // namespace

TEST_CASE("every field of a suite says what a difference means") {
    std::set<std::string_view> names;
    const Suite any;
    for_each_field(any, [&](const SuiteField& field, const auto&) { names.insert(field.name); });
    CHECK(names.contains("partner"));
    CHECK(names.size() > 35);
}

TEST_CASE("what decides where and how often is measured does not change the quantity") {
    const Suite suite = suite_of(Pattern::collective);
    CHECK(after(suite, [](Suite& s) { s.name = "another name"; }).kind() == Comparable::same_quantity);
    CHECK(after(suite, [](Suite& s) { s.arguments.stepwidth = 4; }).kind() == Comparable::same_quantity);
    CHECK(after(suite, [](Suite& s) { s.arguments.max_steps = 3; }).kind() == Comparable::same_quantity);
    CHECK(after(suite, [](Suite& s) { s.repetition.max_count = 9; }).kind() == Comparable::same_quantity);
    CHECK(after(suite, [](Suite& s) { s.message_bytes = 9; }).kind() == Comparable::same_quantity);
}

TEST_CASE("how the value is formed is another way to the same quantity") {
    const Suite suite = suite_of(Pattern::collective);
    const auto computed = [&](auto&& change) { return after(suite, change).computed_differently; };
    CHECK(fields(computed([](Suite& s) { s.repetition.cut_quantile = 0.1; })) ==
          std::set<std::string_view>{"cut_quantile"});
    CHECK(fields(computed([](Suite& s) { s.value = skalib::ValueKind::median; })) ==
          std::set<std::string_view>{"value_kind"});
    CHECK(fields(computed([](Suite& s) { s.absolute = true; })) == std::set<std::string_view>{"absolute"});
    Suite median = suite;
    median.value = skalib::ValueKind::median;
    CHECK(after(median, [](Suite& s) { s.repetition.cut_quantile = 0.1; }).kind() ==
          Comparable::same_quantity); // a median cuts nothing
}

TEST_CASE("what is called, with what and between whom makes another quantity") {
    const Suite bcast = suite_of(Pattern::collective);
    const auto other = [&](const Suite& suite, auto&& change) {
        return fields(after(suite, change).other_quantity);
    };
    using Fields = std::set<std::string_view>;
    CHECK(other(bcast, [](Suite& s) { s.root = 1; }) == Fields{"root"});
    CHECK(other(bcast, [](Suite& s) { s.reported_time = ReportedTime::root; }) == Fields{"reported_time"});
    CHECK(other(bcast, [](Suite& s) { s.synchronization = Synchronization::barrier; }) ==
          Fields{"synchronization"});
    CHECK(other(bcast, [](Suite& s) { s.buffers = BufferPolicy::cold; }) == Fields{"buffers"});
    CHECK(other(bcast, [](Suite& s) { s.datatype = "MPI_DOUBLE"; }) == Fields{"datatype"});
    CHECK(other(bcast, [](Suite& s) { s.datatype = "MPI_CHAR"; }).empty()); // a byte moves as a byte
    Suite reduced = bcast;
    reduced.reduction = "MPI_BOR";
    CHECK(other(reduced, [](Suite& s) { s.datatype = "MPI_INT8_T"; }) == Fields{"datatype"});
    CHECK(other(bcast, [](Suite& s) { s.in_place = true; }) == Fields{"in_place"});
    CHECK(other(bcast, [](Suite& s) { s.algorithm = "ring"; }) == Fields{"algorithm"});
    CHECK(other(bcast, [](Suite& s) { s.join = "node"; }) == Fields{"join_order"});
    CHECK(other(bcast, [](Suite& s) { s.ranks = 8; }) == Fields{"ranks"});
    Suite over_nodes = bcast;
    over_nodes.varied = Varied::nodes;
    CHECK(other(over_nodes, [](Suite& s) { s.message_bytes = 9; }) == Fields{"message_bytes"});
    CHECK(other(over_nodes, [](Suite& s) { s.ranks = 8; }).empty());
    Suite reduce = bcast;
    reduce.operation.name = "MPI_Reduce";
    reduce.reduction = "MPI_SUM";
    CHECK(other(reduce, [](Suite& s) { s.reduction = "MPI_MAX"; }) == Fields{"reduction"});
    const Suite send = suite_of(Pattern::ping_pong);
    CHECK(other(send, [](Suite& s) { set_partner(s, *partner_from("rank 1")); }) == Fields{"partner"});
    // A ping-pong needs no common start.
    CHECK(other(send, [](Suite& s) { s.synchronization = Synchronization::barrier; }).empty());
}

TEST_CASE("the partner is the rank that was one, where that is known") {
    Suite suite = suite_of(Pattern::ping_pong);
    Curve first = curve_of(suite);
    set_partner(suite, *partner_from("rank 1"));
    Curve second = curve_of(suite);
    CHECK(comparability(first, second).kind() == Comparable::other_quantity);
    first.stored.facts[fact_partner] = "1";
    second.stored.facts[fact_partner] = "1";
    CHECK(comparability(first, second).kind() == Comparable::same_quantity); // of two ranks both are one
    first.stored.facts[fact_partner] = "3";
    const std::vector<FieldDifference> two_rules{{"partner", "farthest", "rank 1"}};
    CHECK(comparability(first, second).other_quantity == two_rules);
    second = first;
    second.stored.facts[fact_partner] = "5";
    const std::vector<FieldDifference> two_ranks{{"partner", "rank 3", "rank 5"}};
    CHECK(comparability(first, second).computed_differently == two_ranks); // the same rule found another rank
}

TEST_CASE("two suites with different partners are not judged, whatever their times say") {
    Suite suite = suite_of(Pattern::ping_pong);
    set_partner(suite, *partner_from("rank 1"));
    const Curve first = curve_of(suite);
    set_partner(suite, *partner_from("rank 2"));
    const Curve second = curve_of(suite, 3.77);
    const SuiteContest contest = judge_suites(first, second, Pairing::same_launches, OnPurpose());
    CHECK(contest.comparability.kind() == Comparable::other_quantity);
    CHECK(contest.why == Why::other_quantity);
    CHECK(contest.verdict() == Verdict::not_comparable);
    CHECK_FALSE(contest.compared());
}

TEST_CASE("a text that does not say differs from nothing, and that is known") {
    Suite suite = suite_of(Pattern::ping_pong);
    suite.buffers = BufferPolicy::cold;
    set_partner(suite, *partner_from("rank 1"));
    const Curve first = curve_of(suite);
    Curve second = curve_of(suite_of(Pattern::ping_pong));
    CHECK(comparability(first, second).kind() == Comparable::other_quantity);
    forget_settings(second.stored.suite);
    const Comparability found = comparability(first, second);
    CHECK(found.kind() == Comparable::unknown);
    CHECK(std::ranges::find(found.unknown, "buffers") != found.unknown.end());
    CHECK(std::ranges::find(found.unknown, "partner") != found.unknown.end());
    CHECK(judge_suites(first, second, Pairing::same_launches, OnPurpose()).compared());
    learn(second.stored.suite, "buffers");
    CHECK(comparability(first, second).kind() == Comparable::other_quantity); // this it does say
}

TEST_CASE("a time of which nobody told how the ranks began and whose it is differs from a known one") {
    const Curve first = curve_of(suite_of(Pattern::collective));
    Curve second = first;
    forget_settings(second.stored.suite);
    const Comparability found = comparability(first, second);
    CHECK(fields(found.other_quantity) == std::set<std::string_view>{"reported_time", "synchronization"});
    CHECK_FALSE(judge_suites(first, second, Pairing::same_launches, OnPurpose()).compared());
    Curve third = second;
    // Two texts of one program can be compared.
    CHECK(judge_suites(second, third, Pairing::same_launches, OnPurpose()).compared());
    learn(third.stored.suite, "reported_time");
    third.stored.suite.reported_time = ReportedTime::mean;
    CHECK(fields(comparability(second, third).other_quantity) == std::set<std::string_view>{"reported_time"});
    learn(second.stored.suite, "reported_time");
    CHECK(comparability(second, third).kind() == Comparable::other_quantity);
    second.stored.suite.reported_time = ReportedTime::mean;
    CHECK(comparability(second, third).kind() == Comparable::unknown);
}

TEST_CASE("a field that one of two suites of an operation has is compared") {
    Suite first = suite_of(Pattern::collective);
    first.operation.name = "MPI_Iscatterv"; // whose root 0 is none by its name
    Suite second = first;
    second.root = 3;
    CHECK(fields(compare_plans(first, second).other_quantity) == std::set<std::string_view>{"root"});
    second = first;
    second.reduction = "MPI_SUM";
    first.unknown_fields = "reduction";
    CHECK(compare_plans(first, second).unknown == std::vector<std::string_view>{"reduction"});
}

TEST_CASE("operations that are compared on purpose must agree in all else") {
    const Suite reduce = [] {
        Suite suite = suite_of(Pattern::collective);
        suite.operation.name = "MPI_Reduce";
        suite.root = 1;
        return suite;
    }();
    Suite scan = suite_of(Pattern::collective);
    scan.operation.name = "MPI_Scan";
    CHECK(compare_plans(reduce, scan).kind() == Comparable::other_quantity);
    CHECK(compare_plans(reduce, scan, two_operations).kind() ==
          Comparable::same_quantity); // one of them has no root
    scan.buffers = BufferPolicy::cold;
    CHECK(fields(compare_plans(reduce, scan, two_operations).other_quantity) ==
          std::set<std::string_view>{"buffers"});
}

TEST_CASE("suites of one key measure one quantity in one way") {
    const Suite suite = suite_of(Pattern::collective);
    const auto same_key = [&](auto&& change, OnPurpose on_purpose) {
        Suite other = suite;
        change(other);
        return quantity_key(suite, on_purpose) == quantity_key(other, on_purpose);
    };
    CHECK(same_key([](Suite& s) { s.name = "x"; }, {}));
    CHECK_FALSE(same_key([](Suite& s) { s.root = 1; }, {}));
    CHECK_FALSE(same_key([](Suite& s) { s.absolute = true; }, {}));
    CHECK(same_key([](Suite& s) { s.operation.name = "MPI_Gather"; }, two_operations));
}

TEST_CASE("suites of two databases match by name, else by what they measure") {
    Subject other;
    other.curves.push_back(test::invented_curve(1, 1, 0, 1));
    other.curves.push_back(test::invented_curve(1, 1, 0, 2));
    other.curves[1].stored.suite.name = "renamed";
    other.curves[1].stored.suite.operation.name = "MPI_Bcast";
    Curve wanted = test::invented_curve(1, 1, 0, 3);
    CHECK(matching_curve(other, wanted) == &other.curves[0]);
    wanted.stored.suite.name = "unknown name";
    CHECK(matching_curve(other, wanted) == &other.curves[0]);
    for (Curve* const curve : {&other.curves[0], &wanted})
        for (StoredMeasurement& point : curve->points)
            point.measurement.ranks = 2;
    other.curves[0].stored.suite.ranks = 2; // not "all", as other benchmarks say it
    CHECK(matching_curve(other, wanted) == &other.curves[0]);
    wanted.stored.suite.operation.name = "MPI_Bcast";
    CHECK(matching_curve(other, wanted) == &other.curves[1]);
    wanted.stored.suite.operation.name = "MPI_Reduce";
    CHECK(matching_curve(other, wanted) == nullptr);
    other.curves.push_back(other.curves[0]);
    other.curves[2].stored.suite.name = "a twin";
    wanted.stored.suite.operation.name = "MPI_Send-MPI_Recv";
    CHECK(matching_curve(other, wanted) == nullptr); // two candidates: none is guessed
}

TEST_CASE("plans differ in suites, and in the keys of suites of one name") {
    const Suite first = suite_of(Pattern::collective);
    Suite shorter = first;
    shorter.arguments.end = 7;
    Suite renamed = first;
    renamed.name = "t";
    CHECK(plan_differences({first}, {first}).empty());
    const std::vector<std::string> keys = plan_differences({first}, {shorter});
    REQUIRE(keys.size() == 1);
    CHECK(keys[0].find("end_argument") != std::string::npos);
    CHECK(keys[0].ends_with(" 7"));
    CHECK(plan_differences({first}, {renamed}).size() == 2);
}
