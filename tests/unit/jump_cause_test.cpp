// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/models/curve_model.hpp"
#include "analysis/models/jump_cause.hpp"
#include "close_to.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <functional>

using namespace skampi;

namespace {

/// Three launches that looked closely at 8 KiB.
Curve curve(const std::string& operation, Pattern pattern, const std::function<double(double)>& time_s) {
    Curve curve;
    Suite& suite = curve.stored.suite;
    suite.name = operation;
    suite.operation.name = operation;
    suite.operation.pattern = pattern;
    suite.varied = Varied::message_length;
    for (const std::int64_t bytes :
         {1, 16, 256, 1024, 4096, 8190, 8191, 8192, 8193, 8194, 8196, 16384, 65536}) {
        StoredMeasurement& point = curve.points.emplace_back();
        point.measurement.argument = point.measurement.message_bytes = bytes;
        point.measurement.summary.count = 20;
        point.measurement.value_s = time_s(static_cast<double>(bytes));
        for (const char* launch : {"a", "b", "c"})
            curve.launches[launch].values[bytes] = point.measurement.value_s;
    }
    return curve;
}

double rises(double m) {
    return (m <= 8192 ? 1e-6 : 2e-6) + 1e-10 * m;
}
double falls(double m) {
    return (m <= 8192 ? 4e-6 : 2e-6) + 1e-10 * m;
}
double even(double m) {
    return 1e-6 + 1e-10 * m;
}

JumpCause cause(const Subject& subject, std::size_t place = 0) {
    const CostModel model = curve_model(subject.curves[place]);
    REQUIRE(model.jumps.size() == 1);
    CHECK(model.jumps[0].after == 8192);
    CHECK(model.jumps[0].before == 8193);
    return JumpCauses(subject).of(subject.curves[place], model.jumps[0]);
}

} // namespace

TEST_CASE("a rise alone has no cause; one that another operation shares is an eager limit") {
    Subject subject;
    subject.run.emplace();
    subject.curves = {curve("MPI_Send-MPI_Recv", Pattern::ping_pong, rises),
                      curve("MPI_Ssend-MPI_Recv", Pattern::ping_pong, even),
                      curve("memcpy", Pattern::simple, rises)};
    CHECK(cause(subject).kind == CauseKind::unknown);
    subject.curves[1] = curve("MPI_Ssend-MPI_Recv", Pattern::ping_pong, rises);
    CHECK(cause(subject).kind == CauseKind::eager_limit);
    CHECK(cause(subject).evidence == "MPI_Ssend-MPI_Recv");
    CHECK(cause(subject, 1).evidence == "MPI_Send-MPI_Recv");
    // Two collective operations may have changed their algorithms; a fall is no eager limit.
    subject.curves = {curve("MPI_Bcast", Pattern::collective, rises),
                      curve("MPI_Reduce", Pattern::collective, rises)};
    CHECK(cause(subject).kind == CauseKind::unknown);
    subject.curves = {curve("MPI_Send-MPI_Recv", Pattern::ping_pong, falls),
                      curve("MPI_Ssend-MPI_Recv", Pattern::ping_pong, falls)};
    CHECK(cause(subject).kind == CauseKind::unknown);
}

TEST_CASE("a setting of the library with the length of the jump is its cause") {
    Subject subject;
    subject.run.emplace();
    subject.curves = {curve("MPI_Send-MPI_Recv", Pattern::ping_pong, rises)};
    subject.run->settings = {{"UCX_RNDV_THRESH", "8K"}, {"UCX_TLS", "tcp"}};
    CHECK(cause(subject).kind == CauseKind::eager_limit);
    CHECK(cause(subject).in_setting);
    CHECK(cause(subject).evidence == "UCX_RNDV_THRESH");
    for (const char* value : {"16K", "inf", "auto", "", "8"}) {
        CAPTURE(value);
        subject.run->settings = {{"UCX_RNDV_THRESH", value}};
        CHECK(cause(subject).kind == CauseKind::unknown);
    }
    subject.curves = {curve("MPI_Bcast", Pattern::collective, falls)};
    subject.run->settings = {{"MPIR_CVAR_BCAST_SHORT_MSG_SIZE", "8192"}};
    CHECK(cause(subject).kind == CauseKind::threshold);
}

TEST_CASE("a copy that becomes slower where it fills a cache of known size says so, and no other") {
    Subject subject;
    subject.run.emplace();
    subject.curves = {curve("memcpy", Pattern::simple, rises)};
    CHECK(cause(subject).kind == CauseKind::unknown);
    subject.run->host_sizes = {.l1_bytes = 16 << 10, .l2_bytes = 1 << 20};
    CHECK(cause(subject).kind == CauseKind::full_cache);
    CHECK(cause(subject).evidence == "L1"); // both buffers together
    subject.run->host_sizes = {.l1_bytes = 128 << 10};
    CHECK(cause(subject).kind == CauseKind::unknown);
    subject.run->host_sizes = {.l1_bytes = 16 << 10};
    subject.curves = {curve("memcpy", Pattern::simple, falls)};
    CHECK(cause(subject).kind == CauseKind::unknown);
    subject.curves = {curve("memcpy", Pattern::simple, rises)};
    subject.curves[0].stored.suite.buffers = BufferPolicy::cold;
    CHECK(cause(subject).kind == CauseKind::unknown);
}

TEST_CASE("values that most launches have by interpolation alone are in no model") {
    Curve shown = curve("MPI_Send-MPI_Recv", Pattern::ping_pong, rises);
    // One launch measured at 7,845 bytes, disturbed; the others lie on a line across the jump.
    StoredMeasurement between = shown.points[4];
    between.measurement.argument = 7845;
    between.measurement.value_s = 4e-6;
    shown.points.insert(shown.points.begin() + 5, between);
    shown.launches["a"].values[7845] = 4e-6;
    const CostModel model = curve_model(shown);
    REQUIRE(model.jumps.size() == 1);
    CHECK(model.jumps[0].after == 8192);
    CHECK(model.jumps[0].share == close_to(1 / 1.8192).epsilon(1e-3));
}
