// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "contest/guideline.hpp"

#include "../tool/invented_results.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <random>

using namespace skampi;

namespace {

/// What an invented database knows of one operation, over message lengths on four ranks.
struct Invented {
    std::string operation;
    std::function<double(double)> time_s;
    std::vector<std::int64_t> bytes = {4, 16, 64, 256, 1024, 4096};
};

struct Launches {
    int number = 1;
    double noise = 0.01; ///< of each value in each launch, and the standard error within it
    unsigned seed = 1;
};

void add_points(Curve& curve, const std::vector<std::pair<int, std::int64_t>>& places,
                const std::function<double(int, double)>& time_s, const Launches& launches,
                std::mt19937& random) {
    std::normal_distribution<double> normal;
    for (const auto& [ranks, bytes] : places) {
        StoredMeasurement point;
        point.finished = true;
        Measurement& m = point.measurement;
        m.argument = curve.suite().varied == Varied::nodes ? ranks : bytes;
        m.ranks = ranks;
        m.message_bytes = bytes;
        m.summary.count = 100;
        for (int launch = 0; launch < launches.number; ++launch) {
            m.value_s = time_s(ranks, static_cast<double>(bytes)) * std::exp(launches.noise * normal(random));
            curve.launches["launch" + std::to_string(launch)].values[m.argument] = m.value_s;
        }
        m.standard_error_s = launches.noise * m.value_s;
        curve.points.push_back(point);
    }
}

Curve curve_of(const std::string& name, Pattern pattern, Varied varied) {
    Curve curve;
    curve.stored.suite = test::suite(name, test::operation(0, name, "", pattern, varied), varied);
    curve.stored.suite.name = name + "-suite";
    curve.clock_resolution_s = 1e-9;
    if (name.find("educe") != std::string::npos)
        curve.stored.suite.reduction = "MPI_BOR";
    return curve;
}

Subject subject_of(const std::vector<Invented>& operations, const Launches& launches = {}) {
    std::mt19937 random(launches.seed);
    Subject subject;
    for (const Invented& invented : operations) {
        Curve curve = curve_of(invented.operation,
                               invented.operation.rfind("MPI_S", 0) == 0 &&
                                       invented.operation.find("-MPI_Recv") != std::string::npos
                                   ? Pattern::ping_pong
                                   : Pattern::collective,
                               Varied::message_length);
        std::vector<std::pair<int, std::int64_t>> places;
        for (const std::int64_t bytes : invented.bytes)
            places.emplace_back(4, bytes);
        add_points(
            curve, places, [&](int, double m) { return invented.time_s(m); }, launches, random);
        subject.curves.push_back(std::move(curve));
    }
    return subject;
}

const GuidelineResult* find(const SelfConsistency& consistency, const Guideline& guideline) {
    const auto found = std::ranges::find(consistency.guidelines, guideline, &GuidelineResult::guideline);
    return found == consistency.guidelines.end() ? nullptr : &*found;
}

/// One function by others.
Guideline by(const std::string& function, const std::vector<GuidelineTerm>& instead) {
    return {GuidelineKind::replacement, function, instead};
}

std::function<double(double)> line(double latency_s, double seconds_per_byte) {
    return [=](double m) { return latency_s + seconds_per_byte * m; };
}

const Guideline reduce_and_bcast = by("MPI_Allreduce", {{"MPI_Reduce"}, {"MPI_Bcast"}});

} // namespace

TEST_CASE("a function that is slower than what it could be replaced by is found, with numbers") {
    const SelfConsistency consistency = check_guidelines(subject_of({{"MPI_Allreduce", line(10e-6, 1e-8)},
                                                                     {"MPI_Reduce", line(2e-6, 1e-8)},
                                                                     {"MPI_Bcast", line(2e-6, 1e-8)}},
                                                                    {.number = 8, .noise = 0.001}));
    const GuidelineResult* guideline = find(consistency, reduce_and_bcast);
    REQUIRE(guideline);
    CHECK(guideline->guideline.kind == GuidelineKind::replacement);
    CHECK(guideline->places == 6);
    // 10 us against 4 us and twice the bytes: equal at 600 B.
    REQUIRE(guideline->violations.size() == 4);
    const Violation& worst = guideline->worst();
    CHECK(worst.suite == "MPI_Allreduce-suite");
    CHECK(worst.ranks == 4);
    CHECK(worst.message_bytes == 4);
    CHECK(worst.time_s() * 1e6 == close_to(10.04).epsilon(0.002));
    CHECK(worst.statement.reference_s * 1e6 == close_to(4.08).epsilon(0.002));
    CHECK(worst.statement.ratio == close_to(10.04 / 4.08).epsilon(0.003));
    CHECK(worst.statement.low < worst.statement.ratio);
    CHECK(worst.statement.low > 2.4);
    // Reduce does less than Allreduce and takes less.
    const GuidelineResult* less = find(consistency, by("MPI_Reduce", {{"MPI_Allreduce"}}));
    REQUIRE(less);
    CHECK(less->violations.empty());
}

TEST_CASE("kernels that do the same are compared, and halves only where they are in the same array") {
    const std::vector<std::int64_t> bytes{4, 16, 64, 256, 2048, 4096};
    const SelfConsistency consistency =
        check_guidelines(subject_of({{"Halo_2D-Isend", line(3e-6, 4e-9), bytes},
                                     {"Halo_2D-packed", line(3e-6, 2e-9), bytes},
                                     {"Ring-pipeline", line(9e-6, 1e-9), bytes},
                                     {"MPI_Bcast", line(2e-6, 1e-9), bytes}},
                                    {.number = 8, .noise = 0.001}));
    const GuidelineResult* packed = find(consistency, by("Halo_2D-Isend", {{"Halo_2D-packed"}}));
    REQUIRE(packed);
    CHECK(packed->places == 6);
    CHECK(packed->worst().message_bytes == 4096);
    const GuidelineResult* pipeline = find(consistency, by("MPI_Bcast", {{"Ring-pipeline"}}));
    REQUIRE(pipeline);
    CHECK(pipeline->violations.empty());
    CHECK(find(consistency, {GuidelineKind::split, "MPI_Bcast", {}}));
    CHECK_FALSE(find(consistency, {GuidelineKind::split, "Halo_2D-Isend", {}}));
}

TEST_CASE("messages are as long as the operations define them: of one rank, or of all") {
    // Four ranks: scattering m to each moves what a broadcast of 4 m moves.
    std::vector<Invented> operations{{"MPI_Scatter", line(1e-6, 4e-8)}, {"MPI_Bcast", line(1e-6, 1e-8)}};
    const Launches exact{.number = 8, .noise = 0.001};
    const GuidelineResult* equal = nullptr;
    const SelfConsistency consistency = check_guidelines(subject_of(operations, exact));
    equal = find(consistency, by("MPI_Scatter", {{"MPI_Bcast", TermLength::all}}));
    REQUIRE(equal);
    CHECK(equal->places == 5); // of the longest nothing four times as long was measured
    CHECK(equal->violations.empty());
    operations[0].time_s = line(1e-6, 5e-8);
    const SelfConsistency slower = check_guidelines(subject_of(operations, exact));
    const GuidelineResult* found = find(slower, by("MPI_Scatter", {{"MPI_Bcast", TermLength::all}}));
    REQUIRE(found);
    REQUIRE(found->violations.size() >= 3);
    CHECK(found->violations.back().message_bytes == 1024);
    CHECK(found->violations.back().other_bytes == 4096);
    CHECK(found->violations.back().statement.ratio == close_to((1 + 51.2) / (1 + 40.96)).epsilon(0.003));

    // A broadcast by scattering a quarter and gathering quarters everywhere.
    const SelfConsistency parts = check_guidelines(subject_of({{"MPI_Bcast", line(1e-6, 1e-8)},
                                                               {"MPI_Scatter", line(1e-9, 1e-8)},
                                                               {"MPI_Allgather", line(1e-9, 1e-8)}},
                                                              exact));
    const GuidelineResult* bcast = find(parts, by("MPI_Bcast", {{"MPI_Scatter", TermLength::one_part},
                                                                {"MPI_Allgather", TermLength::one_part}}));
    REQUIRE(bcast);
    CHECK(bcast->places == 5);
    REQUIRE(bcast->violations.size() == 5);
    CHECK(bcast->violations.back().other_bytes == 1024);
    CHECK(bcast->violations.back().statement.ratio == close_to(41.96 / (2 * 10.241)).epsilon(0.003));
}

TEST_CASE("what was not measured is looked up at the next longer message, not between two") {
    const std::vector<Invented> operations{{"MPI_Reduce", line(5e-6, 0), {100, 1000}},
                                           {"MPI_Allreduce", line(1e-6, 0), {90, 150, 2001}}};
    const SelfConsistency consistency =
        check_guidelines(subject_of(operations, {.number = 8, .noise = 0.01}));
    const GuidelineResult* guideline = find(consistency, by("MPI_Reduce", {{"MPI_Allreduce"}}));
    REQUIRE(guideline);
    CHECK(guideline->places == 1); // more than twice as long is no replacement of 1,000 bytes
    REQUIRE(guideline->violations.size() == 1);
    CHECK(guideline->violations[0].message_bytes == 100);
    CHECK(guideline->violations[0].other_bytes == 150);
}

TEST_CASE("only suites with equal settings are compared") {
    const auto looked_at = [](const std::function<void(Suite&)>& change) {
        Subject subject = subject_of({{"MPI_Allreduce", line(10e-6, 1e-8)},
                                      {"MPI_Reduce", line(2e-6, 1e-8)},
                                      {"MPI_Bcast", line(2e-6, 1e-8)}},
                                     {.number = 5});
        change(subject.curves[1].stored.suite);
        return find(check_guidelines(subject), reduce_and_bcast) != nullptr;
    };
    CHECK(looked_at([](Suite&) {}));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.datatype = "MPI_DOUBLE"; }));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.reduction = "MPI_BAND"; }));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.root = 1; })); // that of MPI_Bcast is 0
    CHECK_FALSE(looked_at([](Suite& suite) { suite.synchronization = Synchronization::barrier; }));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.buffers = BufferPolicy::cold; }));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.value = skalib::ValueKind::minimum; }));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.in_place = true; }));
    CHECK_FALSE(looked_at([](Suite& suite) { suite.absolute = true; }));

    Subject other_ranks =
        subject_of({{"MPI_Reduce", line(10e-6, 1e-8)}, {"MPI_Allreduce", line(2e-6, 1e-8)}}, {.number = 5});
    CHECK(find(check_guidelines(other_ranks), by("MPI_Reduce", {{"MPI_Allreduce"}})) != nullptr);
    for (StoredMeasurement& point : other_ranks.curves[1].points)
        point.measurement.ranks = 8;
    CHECK(find(check_guidelines(other_ranks), by("MPI_Reduce", {{"MPI_Allreduce"}})) == nullptr);
    // A fallback to barriers is another quantity, whatever the suite wanted.
    for (StoredMeasurement& point : other_ranks.curves[1].points) {
        point.measurement.ranks = 4;
        set(point.measurement.flags, Flag::unsynchronised);
    }
    CHECK(find(check_guidelines(other_ranks), by("MPI_Reduce", {{"MPI_Allreduce"}})) == nullptr);
}

TEST_CASE("the guidelines of a study are looked at in each of its jobs") {
    const auto job = [](int ranks, double reduce_s) {
        Subject subject =
            subject_of({{"MPI_Reduce", line(reduce_s, 1e-8)}, {"MPI_Allreduce", line(3e-6, 1e-8)}},
                       {.number = 8, .noise = 0.001});
        for (Curve& curve : subject.curves)
            for (StoredMeasurement& point : curve.points)
                point.measurement.ranks = ranks;
        return subject;
    };
    const Subject small = job(4, 2e-6);
    const Subject large = job(16, 6e-6);
    CHECK(check_guidelines(small).violations == 0);
    const SelfConsistency alone = check_guidelines(large);
    const SelfConsistency study = check_guidelines(std::vector{&small, &large});
    CHECK(study.places == check_guidelines(small).places + alone.places);
    CHECK(study.violations == alone.violations);
    const GuidelineResult* found = find(study, by("MPI_Reduce", {{"MPI_Allreduce"}}));
    REQUIRE(found);
    REQUIRE(!found->violations.empty());
    CHECK(found->worst().ranks == 16);
    // All jobs together have the error of one.
    const GuidelineResult* in_one = find(alone, by("MPI_Reduce", {{"MPI_Allreduce"}}));
    REQUIRE(in_one);
    CHECK(found->worst().statement.low < in_one->worst().statement.low);
    CHECK(found->worst().statement.ratio == close_to(in_one->worst().statement.ratio));
}

TEST_CASE("an algorithm that somebody asked for is no function of the library") {
    Subject subject =
        subject_of({{"MPI_Allreduce", [](double m) { return m == 64 ? 9e-6 : 1e-6; }}}, {.number = 6});
    CHECK(check_guidelines(subject).violations > 0);
    subject.curves[0].stored.suite.algorithm = default_algorithm;
    CHECK(check_guidelines(subject).violations > 0);
    subject.curves[0].stored.suite.algorithm = "rdb";
    CHECK(check_guidelines(subject).violations == 0);
}

TEST_CASE("times of a root alone are no bound of several functions") {
    Subject subject =
        subject_of({{"MPI_Reduce", line(10e-6, 1e-8)}, {"MPI_Allreduce", line(2e-6, 1e-8)}}, {.number = 6});
    const Guideline allreduce = by("MPI_Reduce", {{"MPI_Allreduce"}});
    REQUIRE(find(check_guidelines(subject), allreduce) != nullptr);
    for (Curve& curve : subject.curves)
        curve.stored.suite.reported_time = ReportedTime::root;
    CHECK(find(check_guidelines(subject), allreduce) == nullptr);
}

TEST_CASE("a longer message that costs less, and one that is cheaper in halves, are found") {
    const auto falling = [](double m) { return m < 1000 ? 1e-6 + 1e-9 * m : 0.5e-6 + 0.5e-9 * m; };
    const SelfConsistency consistency = check_guidelines(
        subject_of({{"MPI_Bcast", falling, {500, 600, 998, 1000, 2000}}}, {.number = 8, .noise = 0.002}));
    const GuidelineResult* monotony = find(consistency, {GuidelineKind::longer_message, "MPI_Bcast", {}});
    REQUIRE(monotony);
    CHECK(monotony->places == 4);
    REQUIRE(monotony->violations.size() == 1);
    CHECK(monotony->violations[0].message_bytes == 998);
    CHECK(monotony->violations[0].other_bytes == 1000);
    CHECK(monotony->violations[0].statement.ratio == close_to(1.998).epsilon(0.01));

    const auto jump = [](double m) { return m <= 1024 ? 1e-6 + 1e-9 * m : 20e-6 + 1e-9 * m; };
    const SelfConsistency halves = check_guidelines(
        subject_of({{"MPI_Send-MPI_Recv", jump, {0, 512, 1000, 1536, 4096}}}, {.number = 8, .noise = 0.002}));
    const GuidelineResult* split = find(halves, {GuidelineKind::split, "MPI_Send-MPI_Recv", {}});
    REQUIRE(split);
    CHECK(split->places == 2); // 1000 in two of 512, 1536 in two of 1000; of 4096 nothing near half is known
    REQUIRE(split->violations.size() == 1);
    CHECK(split->violations[0].message_bytes == 1536);
    CHECK(split->violations[0].other_bytes == 1000);
    CHECK(split->violations[0].statement.ratio == close_to(21.536 / 4).epsilon(0.01));
}

TEST_CASE("what costs less on more ranks is found, where that cannot be") {
    const auto subject_over_ranks = [](const std::string& name, Pattern pattern) {
        std::mt19937 random(1);
        Subject subject;
        Curve curve = curve_of(name, pattern, Varied::nodes);
        const auto time_s = [](int ranks, double) { return ranks == 7 ? 9e-6 : 1e-6 * ranks; };
        std::vector<std::pair<int, std::int64_t>> places;
        for (int ranks = 2; ranks <= 10; ++ranks)
            places.emplace_back(ranks, 256);
        add_points(curve, places, time_s, {.number = 8, .noise = 0.005}, random);
        subject.curves.push_back(curve);
        return subject;
    };
    const SelfConsistency consistency =
        check_guidelines(subject_over_ranks("MPI_Barrier", Pattern::collective));
    const GuidelineResult* guideline = find(consistency, {GuidelineKind::more_ranks, "MPI_Barrier", {}});
    REQUIRE(guideline);
    CHECK(guideline->places == 8);
    REQUIRE(guideline->violations.size() == 1);
    CHECK(guideline->violations[0].ranks == 7);
    CHECK(guideline->violations[0].other_ranks == 8);
    // More workers are meant to be faster, and so is what is split among the ranks.
    CHECK(check_guidelines(subject_over_ranks("Master-Send", Pattern::master_worker)).places == 0);
    CHECK(check_guidelines(subject_over_ranks("MPI_Comm_split", Pattern::collective)).places == 0);
}

TEST_CASE("libraries that hold every guideline by a hair are accused in at most five of a hundred cases") {
    int accused = 0;
    int found = 0;
    constexpr int trials = 300;
    for (unsigned seed = 1; seed <= trials; ++seed) {
        const std::vector<std::int64_t> bytes{1, 2, 4, 8, 16, 32};
        const auto equal = [](double) { return 2e-6; };
        std::vector<Invented> operations{
            {"MPI_Gather", equal, bytes}, {"MPI_Allgather", equal, bytes}, {"MPI_Alltoall", equal, bytes}};
        const Launches launches{.number = 6, .noise = 0.03, .seed = seed};
        accused += check_guidelines(subject_of(operations, launches)).violations > 0 ? 1 : 0;
        operations[0].time_s = [](double) { return 3e-6; };
        const SelfConsistency slow = check_guidelines(subject_of(operations, launches));
        found += find(slow, by("MPI_Gather", {{"MPI_Allgather"}}))->violations.size() == bytes.size() ? 1 : 0;
    }
    CHECK(accused <= trials * 5 / 100);
    CHECK(found >= trials * 9 / 10);
}

TEST_CASE("below five launches nothing is said, nor of wrong values") {
    const std::vector<Invented> operations{{"MPI_Gather", line(4e-6, 0)}, {"MPI_Allgather", line(1e-6, 0)}};
    const Guideline allgather = by("MPI_Gather", {{"MPI_Allgather"}});
    for (const int launches : {1, 3, 4}) {
        const SelfConsistency few =
            check_guidelines(subject_of(operations, {.number = launches, .noise = 0.001}));
        CHECK(few.places == 0);
        CHECK(few.guidelines.empty());
    }
    Subject subject = subject_of(operations, {.number = 5, .noise = 0.001});
    CHECK(find(check_guidelines(subject), allgather)->violations.size() == 6);
    // Of a place that a launch lacks the others are four.
    subject.curves[0].launches.at("launch2").values.erase(64);
    CHECK(find(check_guidelines(subject), allgather)->places == 5);
    for (StoredMeasurement& point : subject.curves[0].points)
        set(point.measurement.flags, Flag::wrong_result);
    CHECK(find(check_guidelines(subject), allgather) == nullptr);
    // Simulated launches do not differ: one is enough.
    Subject simulated = subject_of(operations, {.number = 1, .noise = 0});
    for (Curve& curve : simulated.curves)
        curve.simulated = true;
    CHECK(find(check_guidelines(simulated), allgather)->violations.size() == 6);
}

TEST_CASE("launches are compared with themselves: what one of them is slower in does not count") {
    // Launches differ by half, both functions alike in each.
    Subject subject = subject_of({{"MPI_Gather", line(1.1e-6, 0)}, {"MPI_Allgather", line(1e-6, 0)}},
                                 {.number = 8, .noise = 0.005});
    for (Curve& curve : subject.curves) {
        double factor = 1;
        for (auto& [uuid, launch] : curve.launches) {
            for (auto& [argument, value] : launch.values)
                value *= factor;
            factor += 0.3;
        }
    }
    CHECK(find(check_guidelines(subject), by("MPI_Gather", {{"MPI_Allgather"}}))->violations.size() == 6);
}

TEST_CASE("times between other partners, or of ranks that joined in another order, stand for nothing") {
    const auto places = [](const std::string& partner, const std::string& join) {
        Subject subject = subject_of({{"MPI_Send-MPI_Recv", line(10e-6, 1e-9)},
                                      {"MPI_Ssend-MPI_Recv", line(2e-6, 1e-9)},
                                      {"MPI_Gather", line(10e-6, 1e-9)},
                                      {"MPI_Allgather", line(2e-6, 1e-9)}},
                                     {.number = 8, .noise = 0.001});
        for (Curve& curve : subject.curves)
            if (curve.suite().operation.name == "MPI_Ssend-MPI_Recv")
                curve.stored.suite.partner = partner;
            else if (curve.suite().operation.name == "MPI_Allgather")
                curve.stored.suite.join = join;
        const SelfConsistency consistency = check_guidelines(subject);
        const bool sent = find(consistency, by("MPI_Send-MPI_Recv", {{"MPI_Ssend-MPI_Recv"}})) != nullptr;
        const bool gathered = find(consistency, by("MPI_Gather", {{"MPI_Allgather"}})) != nullptr;
        return std::pair(sent, gathered);
    };
    CHECK(places("", "") == std::pair(true, true));
    CHECK(places("same socket", "") == std::pair(false, true));
    CHECK(places("", "round-robin") == std::pair(true, false));
}
