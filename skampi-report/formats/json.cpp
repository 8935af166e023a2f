#include "formats/json.hpp"

#include "comparison_section.hpp"
#include "cost_model.hpp"
#include "headline.hpp"
#include "suite_section.hpp"
#include "trust.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes; new fields do not raise it.
constexpr int format_version = 1;

std::string text(std::string_view any) {
    return to_valid_utf8(any);
}

Json optional_number(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json run_json(const Run& run) {
    Json facts = Json::object();
    for (const auto& [name, value] : run.facts)
        facts[text(name)] = text(value);
    Json ranks = Json::array();
    for (const RankFacts& rank : run.rank_facts)
        ranks.push_back({{"rank", rank.rank},
                         {"processor", text(rank.processor)},
                         {"cpus_allowed", text(rank.cpus_allowed)},
                         {"cpu", rank.cpu},
                         {"clock_offset_s", rank.clock_offset_s},
                         {"clock_drift", rank.clock_drift},
                         {"pages", text(rank.pages)}});
    return {{"uuid", text(run.uuid)},
            {"kind", text(run.kind)},
            {"merged_runs", run.merged_runs},
            {"tool_version", text(run.tool_version)},
            {"plan_hash", text(run.plan_hash)},
            {"parameter_file", text(run.parameter_file)},
            {"user", text(run.user)},
            {"machine", text(run.machine)},
            {"node", text(run.node)},
            {"network", text(run.network)},
            {"comment", text(run.comment)},
            {"mpi_library", text(run.mpi_library)},
            {"host", text(run.host)},
            {"ranks", run.ranks},
            {"started_utc", text(run.started_utc)},
            {"ended_utc", text(run.ended_utc)},
            {"clock_resolution_s", run.clock_resolution_s},
            {"clock_cost_s", run.clock_cost_s},
            {"reference_probe_s", run.reference_probe_s},
            {"reference_clock_hz", run.reference_clock_hz},
            {"measuring_share", run.measuring_share},
            {"facts", facts},
            {"rank_facts", ranks}};
}

Json trust_json(const Trust& trust) {
    return {{"points", trust.points},
            {"single_measurements", trust.single_measurements},
            {"discarded", trust.discarded},
            {"settled", trust.settled},
            {"unsettled", trust.unsettled},
            {"timed_out", trust.timed_out},
            {"unreliable", trust.unreliable},
            {"disturbed", trust.disturbed},
            {"several_modes", trust.several_modes},
            {"wrong_result", trust.wrong_result},
            {"unfinished", trust.unfinished},
            {"suites_open", trust.suites_open},
            {"suites_failed", trust.suites_failed},
            {"launches", trust.launches},
            {"noise_between_launches", optional_number(trust.noise_between_launches)}};
}

Json point_json(const Curve& curve, const StoredMeasurement& point) {
    const Measurement& m = point.measurement;
    const skalib::Summary& s = m.summary;
    Json flags = Json::array();
    for (const Flag flag : all_flags())
        if (has(m.flags, flag))
            flags.push_back(flag_words(static_cast<Flags>(flag)));
    Json json{{"argument", m.argument},
              {"ranks", m.ranks},
              {"message_bytes", m.message_bytes},
              {"chunks", m.chunks},
              {"value_s", m.value_s},
              {"standard_error_s", m.standard_error_s},
              {"count", s.count},
              {"minimum_s", s.minimum},
              {"quartile25_s", s.quartile25},
              {"median_s", s.median},
              {"quartile75_s", s.quartile75},
              {"maximum_s", s.maximum},
              {"overhead_s", m.overhead_s},
              {"adjusted_s", m.adjusted_s},
              {"messages", messages(curve, m)},
              {"bytes_moved", bytes_moved(curve, m)},
              {"flags", flags},
              {"mode", m.mode},
              {"mode_share", m.mode_share}};
    if (m.alone_s > 0) {
        json["alone_s"] = m.alone_s;
        json["computation_s"] = m.computation_s;
        json["overlap"] = overlap(m);
    }
    Json modes = Json::array();
    for (const ModeValue& mode : m.modes)
        modes.push_back({{"mode", mode.mode},
                         {"share", mode.share},
                         {"value_s", mode.value_s},
                         {"probe_s", mode.probe_s},
                         {"count", mode.count}});
    json["modes"] = modes;
    Json nodes = Json::array();
    for (const NodeTime& node : m.node_times)
        nodes.push_back(
            {{"rank", node.rank}, {"value_s", node.value_s}, {"standard_error_s", node.standard_error_s}});
    json["node_times"] = nodes;
    Json launches = Json::object();
    for (const auto& [uuid, value] : launch_values(curve, m.argument))
        launches[text(uuid)] = value;
    json["launches"] = launches;
    if (point.merge) {
        const MergeFacts& f = *point.merge;
        json["merge"] = {{"runs", f.runs},
                         {"minimum_s", f.minimum_s},
                         {"maximum_s", f.maximum_s},
                         {"mad_s", f.mad_s},
                         {"between_runs_error_s", f.between_runs_error_s},
                         {"interval_low_s", f.interval_low_s},
                         {"interval_high_s", f.interval_high_s},
                         {"interval_confidence", f.interval_confidence}};
    }
    return json;
}

Json curve_json(const Curve& curve) {
    const Suite& suite = curve.suite();
    Json facts = Json::object();
    for (const auto& [name, value] : curve.stored.facts)
        facts[text(name)] = text(value);
    Json points = Json::array();
    for (const StoredMeasurement& point : curve.points)
        points.push_back(point_json(curve, point));
    const CostModel model = curve_model(curve);
    Json segments = Json::array();
    for (const CostSegment& segment : model.segments)
        segments.push_back({{"first", segment.first},
                            {"last", segment.last},
                            {"points", segment.points},
                            {"alpha_s", segment.alpha_s},
                            {"beta_s", segment.beta_s},
                            {"worst_error", segment.worst_error}});
    Json jumps = Json::array();
    for (const CostJump& jump : model.jumps)
        jumps.push_back(
            {{"after", jump.after}, {"before", jump.before}, {"time_s", jump.time_s}, {"share", jump.share}});
    return {{"name", text(suite.name)},
            {"family", text(suite.family)},
            {"type", suite.operation.type},
            {"operation", text(suite.operation.name)},
            {"pattern", text(to_text(suite.operation.pattern))},
            {"varied", text(to_text(suite.varied))},
            {"scale", text(to_text(suite.arguments.scale))},
            {"value", text(to_text(suite.value))},
            {"synchronization", text(to_text(suite.synchronization))},
            {"reported_time", text(to_text(suite.reported_time))},
            {"buffers", text(to_text(suite.buffers))},
            {"max_relative_error", suite.repetition.max_relative_error},
            {"state", text(to_text(curve.stored.state))},
            {"reason", text(curve.stored.reason)},
            {"facts", facts},
            {"unfinished", curve.unfinished},
            {"points", points},
            {"cost_model", {{"noise", model.noise}, {"segments", segments}, {"jumps", jumps}}}};
}

Json comparison_json(const DatabaseComparison& comparison) {
    Json suites = Json::array();
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        Json points = Json::array();
        for (const PointComparison& point : suite.curves.points)
            points.push_back({{"argument", point.argument},
                              {"reference_s", point.first_s},
                              {"other_s", point.second_s},
                              {"ratio", point.ratio},
                              {"interpolated", point.interpolated},
                              {"reference_launches", point.first_launches},
                              {"other_launches", point.second_launches},
                              {"ratio_low", optional_number(point.ratio_low)},
                              {"ratio_high", optional_number(point.ratio_high)},
                              {"significant", point.ratio_low ? Json(point.significant()) : Json(nullptr)}});
        suites.push_back({{"suite", text(suite.reference->suite().name)},
                          {"mean_ratio", suite.curves.mean_ratio},
                          {"launches", suite.curves.launches},
                          {"points", points}});
    }
    Json warnings = Json::array();
    for (const std::string& warning : comparison.warnings)
        warnings.push_back(text(warning));
    return {{"reference", text(comparison.reference->label)},
            {"other", text(comparison.other->label)},
            {"verdict", text(verdict(comparison))},
            {"launches_needed", launches_needed},
            {"launches", comparison.launches},
            {"points", comparison.points},
            {"faster", comparison.faster},
            {"slower", comparison.slower},
            {"mean_ratio", comparison.mean_ratio},
            {"warnings", warnings},
            {"suites", suites}};
}

} // namespace

std::string json_report(const std::vector<Subject>& subjects, bool baseline) {
    Json report{{"format", "skampi-report"}, {"version", format_version}};
    Json list = Json::array();
    for (const Subject& subject : subjects) {
        Json json{{"label", text(subject.label)},
                  {"database", text(subject.path)},
                  {"runs_in_database", subject.runs_in_database},
                  {"run", subject.run ? run_json(*subject.run) : Json(nullptr)},
                  {"trust", trust_json(assess(subject))}};
        Json best = Json::array();
        for (const Headline& headline : headlines(subject))
            best.push_back({{"name", text(headline.name)},
                            {"unit", headline.unit},
                            {"value", headline.value},
                            {"low", optional_number(headline.low)},
                            {"high", optional_number(headline.high)},
                            {"error", text(headline.error_text)},
                            {"suite", text(headline.suite)}});
        json["headlines"] = best;
        Json suites = Json::array();
        for (const Curve& curve : subject.curves)
            suites.push_back(curve_json(curve));
        json["suites"] = suites;
        list.push_back(json);
    }
    report["subjects"] = list;
    Json comparisons = Json::array();
    const Subject& reference = baseline ? subjects.back() : subjects.front();
    for (const Subject& other : subjects)
        if (&other != &reference)
            comparisons.push_back(comparison_json(compare_databases(reference, other)));
    report["comparisons"] = comparisons;
    return report.dump(1) + "\n";
}

} // namespace skampi
