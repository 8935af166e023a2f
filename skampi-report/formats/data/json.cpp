// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/json.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/models/cost_model.hpp"
#include "analysis/models/curve_model.hpp"
#include "analysis/models/operation_surface.hpp"
#include "analysis/models/rank_study.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/doubt.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "contest/guideline.hpp"
#include "formats/data/algorithms_json.hpp"
#include "formats/data/contest_json.hpp"
#include "formats/data/csv.hpp"
#include "formats/data/json_text.hpp"
#include "formats/data/row_json.hpp"
#include "words/contract_words.hpp"
#include "words/guideline_words.hpp"
#include "words/suite_words.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"
#include "model/placement.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes; new fields do not raise it.
constexpr int report_format_version = 1;

std::string text(std::string_view any) {
    return to_valid_utf8(any);
}

Json optional_number(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

template <typename Row>
Json rows_json(const std::vector<Row>& rows) {
    Json list = Json::array();
    for (const Row& row : rows)
        list.push_back(row_json(row));
    return list;
}

Json texts_json(const std::map<std::string, std::string>& texts) {
    Json json = Json::object();
    for (const auto& [name, value] : texts)
        json[text(name)] = text(value);
    return json;
}

Json run_json(const Run& run) {
    Json json = row_json(run);
    json["facts"] = texts_json(run.facts);
    json["settings"] = texts_json(run.settings);
    json["rank_facts"] = rows_json(run.rank_facts);
    json["sources"] = rows_json(run.sources);
    json["differing_facts"] = rows_json(run.differing_facts);
    json["forced_differences"] = rows_json(run.forced_differences);
    return json;
}

Json trust_json(const Trust& trust) {
    return {{"points", trust.points},
            {"single_measurements", trust.single_measurements},
            {"discarded", trust.discarded},
            {"discarded_of", trust.discarded_of},
            {"repeatable", trust.repeatable},
            {"repeatability_unknown", trust.repeatability_unknown},
            {"not_repeatable", trust.not_repeatable},
            {"timed_out", trust.timed_out},
            {"settled", trust.settled},
            {"unsettled", trust.unsettled},
            {"settled_unknown", trust.settled_unknown},
            {"error_asked_for", optional_number(trust.error_asked_for)},
            {"error_between_launches", optional_number(trust.error_between_launches)},
            {"launches_to_settle", optional_number(trust.launches_to_settle)},
            {"unreliable", trust.unreliable},
            {"disturbed", trust.disturbed},
            {"launch_values", trust.launch_values},
            {"launch_values_disturbed", trust.launch_values_disturbed},
            {"several_modes", trust.several_modes},
            {"unsynchronised", trust.unsynchronised},
            {"wrong_result", trust.wrong_result},
            {"no_value", trust.no_value},
            {"not_in_state", trust.not_in_state},
            {"not_above_zero", trust.not_above_zero},
            {"one_launch", trust.one_launch},
            {"scattered", trust.scattered},
            {"unfinished", trust.unfinished},
            {"suites_open", trust.suites_open},
            {"suites_failed", trust.suites_failed},
            {"launches", trust.launches},
            {"launches_merged", trust.launches_merged},
            {"span_s", optional_number(trust.span_s)},
            {"noise_between_launches", optional_number(trust.noise_between_launches)}};
}

Json doubts_json(const Subject& subject) {
    Json list = Json::array();
    for (const Doubt& doubt : gravest_first(doubts(subject, assess(subject), true)))
        list.push_back({{"kind", to_text(doubt.kind)}, {"count", doubt.count}, {"of", doubt.of}});
    return list;
}

Json headline_json(const Headline& headline) {
    return {{"kind", to_text(headline.kind)},
            {"message_bytes", headline.message_bytes},
            {"unit", to_text(headline.unit)},
            {"value", headline.value},
            {"low", optional_number(headline.low)},
            {"high", optional_number(headline.high)},
            {"error", to_text(headline.error.kind)},
            {"flags", flag_words(headline.flags)},
            {"in_other_states", headline.in_other_states},
            {"probe_ratio", optional_number(headline.probe_ratio)},
            {"may_go_on", headline.may_go_on},
            {"argument", headline.argument() ? Json(*headline.argument()) : Json(nullptr)},
            {"suite", text(headline.curve->suite().name)}};
}

Json point_json(const Subject& subject, const Curve& curve, const StoredMeasurement& point) {
    const Measurement& m = point.measurement;
    Json json = row_json(m);
    const ResultRow row = result_row(subject, curve, point);
    json["low"] = row.low;
    json["high"] = row.high;
    json["error"] = row.error;
    json["interval_confidence"] = row.interval_confidence;
    json["bandwidth"] = row.bandwidth;
    json["bus_bandwidth"] = row.bus_bandwidth;
    json["messages"] = messages(curve, m);
    json["bytes_moved"] = bytes_moved(curve, m);
    if (m.alone_s > 0)
        json["overlap"] = overlap(m);
    json["modes"] = rows_json(m.modes);
    json["node_times"] = rows_json(m.node_times);
    Json launches = Json::object();
    for (const auto& [uuid, value] : launch_values(curve, m.argument))
        launches[text(uuid)] = value;
    json["launches"] = std::move(launches);
    if (point.merge) {
        json["merge"] = row_json(*point.merge);
        json["error_between_launches"] = optional_number(error_between_launches(point));
    }
    if (above_zero(m))
        json["settled"] = to_text(settled(curve, point));
    return json;
}

/// What the standard errors of a model contain.
Json errors_json(const CoefficientErrors& errors) {
    return {{"source", to_text(errors.source)}, {"launches", errors.launches}, {"reach", errors.reach}};
}

Json growth_json(const GrowthModel& growth) {
    Json alike = Json::array();
    for (const GrowthForm& form : growth.alike)
        alike.push_back(to_text(form));
    return {{"form", to_text(growth.form())},
            {"first", growth.first},
            {"last", growth.last},
            {"points", growth.points},
            {"alpha_s", growth.alpha_s},
            {"beta_s", growth.beta_s},
            {"delta_s", growth.delta_s},
            {"gamma_s", growth.gamma_s},
            {"alpha_error_s", growth.alpha_error_s},
            {"beta_error_s", growth.beta_error_s},
            {"delta_error_s", growth.delta_error_s},
            {"gamma_error_s", growth.gamma_error_s},
            {"errors", errors_json(growth.errors)},
            {"worst_error", growth.worst_error},
            {"noise", growth.noise},
            {"alike", alike},
            {"distinguishing_ranks", growth.distinguishing_ranks}};
}

Json surfaces_json(const std::vector<OperationSurface>& surfaces) {
    Json list = Json::array();
    for (const OperationSurface& surface : surfaces) {
        Json names = Json::array();
        for (const std::string& name : surface.suites)
            names.push_back(text(name));
        list.push_back({{"operation", text(surface.operation)},
                        {"suites", names},
                        {"latency", growth_json(surface.model.latency)},
                        {"per_byte", growth_json(surface.model.per_byte)},
                        {"first_bytes", surface.model.first_bytes},
                        {"last_bytes", surface.model.last_bytes},
                        {"worst_error", surface.model.worst_error}});
    }
    return list;
}

Json cause_json(const JumpCause& cause) {
    if (cause.kind == CauseKind::unknown)
        return nullptr;
    return {
        {"kind", to_text(cause.kind)}, {"evidence", text(cause.evidence)}, {"in_setting", cause.in_setting}};
}

Json curve_json(const Subject& subject, const Curve& curve, const JumpCauses& causes) {
    Json points = Json::array();
    for (const StoredMeasurement& point : curve.points)
        points.push_back(point_json(subject, curve, point));
    const CostModel model = curve_model(curve);
    Json segments = Json::array();
    for (const CostSegment& segment : model.segments)
        segments.push_back({{"first", segment.first},
                            {"last", segment.last},
                            {"points", segment.points},
                            {"alpha_s", segment.alpha_s},
                            {"beta_s", segment.beta_s},
                            {"alpha_error_s", segment.alpha_error_s},
                            {"beta_error_s", segment.beta_error_s},
                            {"errors", errors_json(segment.errors)},
                            {"worst_error", segment.worst_error}});
    Json jumps = Json::array();
    for (const CostJump& jump : model.jumps)
        jumps.push_back({{"after", jump.after},
                         {"before", jump.before},
                         {"time_s", jump.time_s},
                         {"share", jump.share},
                         {"launches", jump.launches},
                         {"agreeing", jump.agreeing},
                         {"cause", cause_json(causes.of(curve, jump))}});
    Json json = row_json(curve.suite());
    json["state"] = text(to_text(curve.stored.state));
    json["reason"] = text(curve.stored.reason);
    if (curve.stored.merge.launches > 0)
        json["merge"] = row_json(curve.stored.merge);
    json["facts"] = texts_json(curve.stored.facts);
    json["unfinished"] = curve.unfinished;
    json["points"] = points;
    if (const std::optional<GrowthModel> growth = curve_growth(curve))
        json["growth"] = growth_json(*growth);
    json["cost_model"] = {{"noise", model.noise}, {"segments", segments}, {"jumps", jumps}};
    return json;
}

Json self_consistency_json(const SelfConsistency& consistency) {
    Json guidelines = Json::array();
    for (const GuidelineResult& guideline : consistency.guidelines) {
        Json violations = Json::array();
        for (const Violation& violation : guideline.violations)
            violations.push_back({{"suite", text(violation.suite)},
                                  {"ranks", violation.ranks},
                                  {"message_bytes", violation.message_bytes},
                                  {"other_bytes", violation.other_bytes},
                                  {"other_ranks", violation.other_ranks},
                                  {"time_s", violation.time_s()},
                                  {"instead_s", violation.statement.reference_s},
                                  {"ratio", violation.statement.ratio},
                                  {"ratio_low", violation.statement.low}});
        Json instead = Json::array();
        for (const GuidelineTerm& term : guideline.guideline.instead)
            instead.push_back({{"operation", term.operation}, {"length", to_text(term.length)}});
        guidelines.push_back({{"kind", to_text(guideline.guideline.kind)},
                              {"guideline", guideline_text(guideline.guideline)},
                              {"function", guideline.guideline.function},
                              {"instead", instead},
                              {"places", guideline.places},
                              {"violations", violations}});
    }
    return {{"places", consistency.places}, {"violated", consistency.violations}, {"guidelines", guidelines}};
}

Json but_one_json(const FormButOne& found) {
    return {{"ranks", found.ranks}, {"value_s", found.value_s}, {"growth", growth_json(found.model)}};
}

/// Growth over the numbers of ranks of subjects that are one study.
Json study_json(const std::vector<Subject>& subjects) {
    Json list = Json::array();
    if (!is_study(subjects))
        return list;
    std::vector<const Subject*> sizes;
    for (const Subject& subject : subjects)
        sizes.push_back(&subject);
    const Subject study = over_ranks(sizes);
    for (const Scaling& scaling : scalings(study))
        list.push_back({{"suite", text(scaling.curve->suite().name)},
                        {"message_bytes", scaling.curve->suite().message_bytes},
                        {"first_ranks", scaling.first->argument},
                        {"first_s", scaling.first->value_s},
                        {"last_ranks", scaling.last->argument},
                        {"last_s", scaling.last->value_s},
                        {"growth", scaling.model ? growth_json(*scaling.model) : Json(nullptr)},
                        {"fits", scaling.model && fits(*scaling.model)},
                        {"but_one", scaling.but_one ? but_one_json(*scaling.but_one) : Json(nullptr)}});
    return list;
}

Json contract_json(const std::vector<PromiseFinding>& findings) {
    Json list = Json::array();
    for (const PromiseFinding& each : findings) {
        const Statement& statement = each.statement;
        list.push_back({{"line", each.promise->line},
                        {"promise", text(each.promise->text)},
                        {"database", text(each.database)},
                        {"suite", each.curve ? Json(text(each.curve->suite().name)) : Json(nullptr)},
                        {"quantity", to_text(each.promise->quantity)},
                        {"limit", each.promise->limit},
                        {"measured", each.measured},
                        {"low", each.low},
                        {"high", each.high},
                        {"verdict", promise_word(each.outcome)},
                        {"found", text(each.found)},
                        {"why", each.missing != NotMeasured::none ? Json(to_text(each.missing))
                                : statement.why == Why::none      ? Json(nullptr)
                                                                  : Json(to_text(statement.why))},
                        {"launches", statement.reference},
                        {"launches_needed", each.needed ? Json(*each.needed) : Json(nullptr)}});
    }
    return list;
}

} // namespace

std::string json_report(const std::vector<Subject>& subjects, const std::vector<Contest>& compared,
                        const SessionContest* turns, const AlgorithmFindings* algorithms,
                        const std::vector<PromiseFinding>& promises) {
    Json report{{"format", "skampi-report"}, {"version", report_format_version}};
    Json list = Json::array();
    for (const Subject& subject : subjects) {
        Json databases = Json::array({text(subject.path)});
        for (const std::string& path : subject.other_parts)
            databases.push_back(text(path));
        Json json{{"label", text(subject.label)},
                  {"database", text(subject.path)},
                  {"databases", databases},
                  {"runs_in_database", subject.runs_in_database},
                  {"run", subject.run ? run_json(*subject.run) : Json(nullptr)},
                  {"trust", trust_json(assess(subject))},
                  {"doubts", doubts_json(subject)}};
        Json best = Json::array();
        for (const Headline& headline : headlines(subject))
            best.push_back(headline_json(headline));
        json["headlines"] = best;
        Json suites = Json::array();
        const JumpCauses causes(subject);
        for (const Curve& curve : subject.curves)
            suites.push_back(curve_json(subject, curve, causes));
        // Moved, for with a thousand launches a copy is a hundred megabytes.
        json["suites"] = std::move(suites);
        json["surfaces"] = surfaces_json(operation_surfaces(subject));
        json["self_consistency"] = self_consistency_json(check_guidelines(subject));
        list.push_back(std::move(json));
    }
    report["subjects"] = std::move(list);
    Json comparisons = Json::array();
    for (const Contest& contest : compared)
        comparisons.push_back(contest_json(contest, contest.reference->label, contest.subject->label));
    report["comparisons"] = comparisons;
    report["study"] = study_json(subjects);
    if (turns)
        report["turns"] = session_json(*turns);
    if (algorithms)
        report["algorithms"] = Json::parse(algorithms_json(algorithms));
    if (!promises.empty())
        report["contract"] = contract_json(promises);
    return json_text(report, 1) + "\n";
}

std::string json_report(const std::vector<Subject>& subjects, bool baseline) {
    return json_report(subjects, judge_subjects(subjects, baseline));
}

} // namespace skampi
