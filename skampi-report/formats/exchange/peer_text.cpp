// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/exchange/peer_text.hpp"

#include "base/text.hpp"
#include "drop_in/imb_text.hpp"
#include "drop_in/osu_text.hpp"

#include <bit>
#include <fmt/format.h>
#include <utility>

namespace skampi {
namespace {

/// The points with a value at lengths that such programs have. Without lengths the one of most ranks.
std::vector<Measurement> points_of(const Curve& curve, bool has_lengths, bool lengths_of_all = false) {
    const bool varies_length = curve.suite().varied == Varied::message_length;
    std::vector<Measurement> points;
    for (const StoredMeasurement& each : curve.points) {
        const Measurement& m = each.measurement;
        const std::int64_t bytes = m.message_bytes * (lengths_of_all ? m.ranks : 1);
        if (has_value(m) &&
            (bytes == 0 || !varies_length || std::has_single_bit(static_cast<std::uint64_t>(bytes))))
            points.push_back(m);
    }
    if (has_lengths && curve.suite().varied == Varied::nodes)
        points.clear();
    else if (!has_lengths && points.size() > 1)
        points.erase(points.begin(), points.end() - 1);
    return points;
}

std::string lacks(const Curve& curve, const char* whose) {
    return fmt::format("{}: {} no program for it", printable(curve.suite().name), whose);
}

/// What a reader of the values as OSU's must know.
std::vector<std::string> remarks_on(const Suite& suite) {
    if (!starts_together(suite) || !knows(suite, "synchronization") || !knows(suite, "reported_time") ||
        (suite.reported_time == ReportedTime::mean &&
         suite.synchronization == Synchronization::barrier_before))
        return {};
    return {fmt::format("SKaMPI: Reported_Time = {}, Synchronization = {} (OSU: mean, barrier-before)",
                        to_text(suite.reported_time), to_text(suite.synchronization))};
}

} // namespace

ReportText osu_report(const Subject& subject) {
    ReportText made;
    for (const Curve& curve : subject.curves) {
        const OsuProgram* const program = osu_program_of(curve.suite().operation.name);
        std::vector<OsuPoint> points;
        if (program != nullptr)
            for (const Measurement& m : points_of(curve, program->has_lengths(), program->lengths_of_all))
                if (m.message_bytes > 0 || !program->has_lengths())
                    points.push_back({.measurement = m});
        if (points.empty())
            made.missing.push_back(lacks(curve, "OSU's micro-benchmarks have"));
        else
            made.text += osu_text(*program, curve.suite(), points, {}, remarks_on(curve.suite()));
    }
    return made;
}

ReportText imb_report(const Subject& subject) {
    ReportText made;
    std::vector<ImbResult> results;
    for (const Curve& curve : subject.curves) {
        const ImbBenchmark* const benchmark = imb_benchmark_of(curve.suite().operation.name);
        std::vector<Measurement> points;
        if (benchmark != nullptr)
            points = points_of(curve, benchmark->has_lengths());
        if (points.empty())
            made.missing.push_back(lacks(curve, "IMB-MPI1 has"));
        else
            results.push_back({*benchmark, curve.suite(), std::move(points)});
    }
    if (!results.empty() && subject.run)
        made.text = imb_text(*subject.run, results);
    return made;
}

} // namespace skampi
