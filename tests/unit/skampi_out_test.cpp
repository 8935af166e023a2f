// SPDX-License-Identifier: GPL-2.0-or-later
// What the ASCII form of a report carries comes back when it is read as a file.
#include "formats/exchange/ascii.hpp"

#include "invented_subject.hpp"
#include "model/field_text.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <set>

using namespace skampi;

namespace {

/// Six digits after the point of a microsecond.
bool same_time(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 0.51e-12;
}

/// All settings unusual, so that a default is not taken for what was read.
void make_unusual(Suite& suite) {
    suite.arguments.scale = skalib::Scale::fixed_linear;
    suite.repetition.max_relative_error = 0.04;
    suite.repetition.max_count.reset();
    suite.synchronization = Synchronization::barrier;
    suite.reported_time = ReportedTime::root;
    suite.buffers = BufferPolicy::cold;
    suite.value = skalib::ValueKind::median;
    suite.datatype = "MPI_DOUBLE";
    suite.root = 1;
    suite.absolute = true;
    suite.partner = "nearest";
}

Subject subject_of(int ranks, bool merged) {
    Subject subject = test::invented_subject(test::full_plan({}, ranks));
    subject.ended = true;
    Run& run = *subject.run;
    run.ranks = ranks;
    run.user = "me";
    run.mpi_library = "MPICH 4.0.2"; // without the tab of its version's text, which is written as \\t
    run.node = "two\nlines";
    run.network = "a net";
    run.absolute = true;
    run.kind = merged ? "merged" : "raw";
    run.merged_runs = merged ? 3 : 0;
    // Nothing is written of a suite without points.
    std::erase_if(subject.curves, [](const Curve& curve) { return curve.points.empty(); });
    for (Curve& curve : subject.curves) {
        make_unusual(curve.stored.suite);
        for (StoredMeasurement& point : curve.points) {
            Measurement& m = point.measurement;
            m.ranks = test::planned(curve.suite(), run, m.argument).ranks;
            m.chunks = curve.suite().varied == Varied::chunks ? m.argument : curve.suite().chunks;
            for (int rank = 0; rank < m.ranks && rank < 3; ++rank)
                m.node_times.push_back({rank, m.value_s / (rank + 2), 0});
            if (merged) {
                point.merge.emplace().runs = 3;
                point.merge->between_runs_error_s = 0.02 * m.value_s;
            }
        }
    }
    return subject;
}

void check_run(const Run& read, const Run& run) {
    for (const auto member : {&Run::machine, &Run::node, &Run::network, &Run::user, &Run::mpi_library,
                              &Run::tool_version, &Run::host, &Run::started_utc, &Run::kind})
        CHECK(read.*member == run.*member);
    CHECK(read.absolute == run.absolute);
    CHECK(read.merged_runs == run.merged_runs);
    CHECK(read.facts.at("kernel") == run.facts.at("kernel"));
    CHECK(read.facts.contains("architecture") == run.facts.contains("architecture"));
    CHECK_FALSE(read.facts.contains("interrupted"));
    CHECK(read.parameter_file.empty());
}

void check_suite(const Suite& read, const Suite& suite) {
    CHECK(read.unknown_fields.empty());
    // Names of blocks are not in the form; the range is that of the rows.
    const std::set<std::string_view> others{"family", "start_argument", "end_argument", "unknown_fields"};
    for_each_field(read, [&](const SuiteField& field, const auto& value) {
        const std::string found = field_text(value);
        for_each_field(suite, [&](const SuiteField& own, const auto& own_value) {
            if (own.name == std::string_view(field.name) && !others.contains(own.name)) {
                CAPTURE(own.name);
                CHECK(found == field_text(own_value));
            }
        });
    });
}

void check_point(const StoredMeasurement& read, const StoredMeasurement& point) {
    const Measurement& m = point.measurement;
    CHECK(read.measurement.argument == m.argument);
    CHECK(read.measurement.ranks == m.ranks);
    CHECK(read.measurement.message_bytes == m.message_bytes);
    CHECK(read.measurement.chunks == m.chunks);
    CHECK(same_time(read.measurement.value_s, m.value_s));
    CHECK(same_time(read.measurement.standard_error_s, m.standard_error_s));
    CHECK(read.measurement.summary.count == m.summary.count);
    CHECK(read.measurement.summary.cut_count == m.summary.cut_count);
    REQUIRE(read.measurement.node_times.size() == m.node_times.size());
    for (std::size_t i = 0; i < m.node_times.size(); ++i) {
        CHECK(read.measurement.node_times[i].rank == m.node_times[i].rank);
        CHECK(same_time(read.measurement.node_times[i].value_s, m.node_times[i].value_s));
    }
    REQUIRE(read.merge.has_value() == point.merge.has_value());
    if (!point.merge) {
        CHECK(same_time(read.measurement.summary.mean_all, m.summary.mean_all));
        CHECK(same_time(read.measurement.summary.standard_error_all, m.summary.standard_error_all));
        return;
    }
    CHECK(read.merge->runs == point.merge->runs);
    CHECK(same_time(read.merge->between_runs_error_s, point.merge->between_runs_error_s));
}

} // namespace

TEST_CASE("every field that skampi.out can carry comes back, for 1, 2 and 4 ranks, raw and merged") {
    const ScratchFolder folder;
    for (const bool merged : {false, true})
        for (const int ranks : {1, 2, 4}) {
            CAPTURE(merged);
            CAPTURE(ranks);
            const Subject subject = subject_of(ranks, merged);
            std::ofstream(folder / "skampi.out") << ascii_report(subject);
            const Database database = Database::open(folder / "skampi.out");
            REQUIRE(database.runs().size() == 1);
            check_run(database.run(database.runs()[0]), *subject.run);
            const std::vector<StoredSuite> suites = database.suites(database.runs()[0]);
            REQUIRE(suites.size() == subject.curves.size());
            for (std::size_t i = 0; i < suites.size(); ++i) {
                CAPTURE(suites[i].suite.name);
                check_suite(suites[i].suite, subject.curves[i].suite());
                const std::vector<StoredMeasurement> points = database.measurements(suites[i].id);
                REQUIRE(points.size() == subject.curves[i].points.size());
                for (std::size_t place = 0; place < points.size(); ++place)
                    check_point(points[place], subject.curves[i].points[place]);
            }
        }
}
