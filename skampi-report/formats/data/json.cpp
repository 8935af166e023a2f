#include "formats/data/json.hpp"

#include "analysis/comparison/database_comparison.hpp"
#include "analysis/comparison/guideline.hpp"
#include "analysis/finding_names.hpp"
#include "analysis/models/cost_model.hpp"
#include "analysis/models/curve_model.hpp"
#include "analysis/models/operation_surface.hpp"
#include "analysis/models/rank_study.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/doubt.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/trust.hpp"
#include "formats/data/algorithms_json.hpp"
#include "formats/data/json_text.hpp"
#include "formats/data/row_json.hpp"
#include "formats/data/turns_json.hpp"
#include "words/guideline_words.hpp"
#include "words/suite_words.hpp"
#include "words/verdict_words.hpp"

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

Json point_json(const Curve& curve, const StoredMeasurement& point) {
    const Measurement& m = point.measurement;
    Json json = row_json(m);
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

Json curve_json(const Curve& curve, const JumpCauses& causes) {
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
                                  {"time_s", violation.time_s},
                                  {"instead_s", violation.instead_s},
                                  {"ratio", violation.ratio},
                                  {"ratio_low", violation.ratio_low}});
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
    return {{"over_launches", consistency.over_launches},
            {"places", consistency.places},
            {"violated", consistency.violations},
            {"guidelines", guidelines}};
}

template <typename Enum>
Json optional_word(const std::optional<Enum>& value) {
    return value ? Json(to_text(*value)) : Json(nullptr);
}

Json as_measured_json(const std::optional<AsMeasured>& measured) {
    if (!measured)
        return nullptr;
    return {{"ratio", measured->ratio},
            {"ratio_low", measured->low},
            {"ratio_high", measured->high},
            {"bounded", measured->bounded},
            {"explained", measured->explained}};
}

Json pooled_json(const PooledComparison& pooled) {
    return {{"arguments", pooled.arguments},
            {"reference_launches", pooled.first_launches},
            {"other_launches", pooled.second_launches},
            {"reference_excluded", pooled.first_excluded},
            {"other_excluded", pooled.second_excluded},
            {"ratio", pooled.arguments > 0 ? Json(pooled.ratio) : Json(nullptr)},
            {"ratio_low", optional_number(pooled.ratio_low)},
            {"ratio_high", optional_number(pooled.ratio_high)},
            {"as_measured", as_measured_json(pooled.as_measured)},
            {"least", optional_number(pooled.least)},
            {"greatest", optional_number(pooled.greatest)},
            {"detectable", optional_number(pooled.detectable)},
            {"unjudged", optional_word(pooled.unjudged)},
            {"significant", pooled.judged() ? Json(pooled.faster() || pooled.slower()) : Json(nullptr)}};
}

Json unjudged_json(const UnjudgedCounts& counts) {
    Json json = Json::object();
    for (const auto& [reason, count] : counts)
        json[to_text(reason)] = count;
    return json;
}

Json fields_json(const std::vector<FieldDifference>& fields) {
    Json list = Json::array();
    for (const FieldDifference& each : fields)
        list.push_back(
            {{"field", each.field}, {"reference", text(each.first)}, {"other", text(each.second)}});
    return list;
}

Json point_comparison_json(const PointComparison& point) {
    return {{"argument", point.argument},
            {"reference_s", point.first_s},
            {"other_s", point.second_s},
            {"ratio", point.comparable ? Json(point.ratio) : Json(nullptr)},
            {"interpolated", point.interpolated},
            {"reference_launches", point.first_launches},
            {"other_launches", point.second_launches},
            {"ratio_low", optional_number(point.ratio_low)},
            {"ratio_high", optional_number(point.ratio_high)},
            {"as_measured", as_measured_json(point.as_measured)},
            {"unjudged", optional_word(point.unjudged)},
            {"significant", point.judged() ? Json(point.significant()) : Json(nullptr)}};
}

Json ranges_json(const std::vector<RatioRange>& ranges) {
    Json list = Json::array();
    for (const RatioRange& range : ranges) {
        Json json = pooled_json(range.pooled);
        json["from"] = range.from;
        json["to"] = range.to;
        list.push_back(std::move(json));
    }
    return list;
}

Json suite_comparison_json(const DatabaseComparison::Suite& suite) {
    Json points = Json::array();
    for (const PointComparison& point : suite.curves.points)
        points.push_back(point_comparison_json(point));
    Json by_size = Json::object();
    for (const auto& [size, pooled] : suite.by_size)
        by_size[to_text(size)] = pooled_json(pooled);
    const Comparability& comparability = suite.curves.comparability;
    return {{"suite", text(suite.reference->suite().name)},
            {"other_suite", text(suite.other->suite().name)},
            {"comparable", to_text(comparability.kind())},
            {"other_quantity", fields_json(comparability.other_quantity)},
            {"computed_differently", fields_json(comparability.computed_differently)},
            {"unknown_fields", comparability.unknown},
            {"in_verdict", suite.in_verdict},
            {"outcome", suite.judged() ? Json(to_text(suite.outcome())) : Json(nullptr)},
            {"ratio_found",
             suite.judged() && suite.outcome() != Outcome::none ? Json(suite.ratio_found()) : Json(nullptr)},
            {"whole", suite.curves.points.empty() ? Json(nullptr) : pooled_json(suite.whole)},
            {"ranges", ranges_json(suite.ranges)},
            {"by_size", by_size},
            {"mean_ratio", suite.curves.counting().empty() ? Json(nullptr) : Json(suite.curves.mean_ratio)},
            {"launches", suite.curves.launches},
            {"judged", suite.curves.judged()},
            {"faster", suite.curves.faster()},
            {"slower", suite.curves.slower()},
            {"points", points}};
}

Json effect_json(const DatabaseComparison& comparison, const Effect& effect) {
    const DatabaseComparison::Suite& suite = comparison.suites[effect.suite];
    Json json{{"suite", text(suite.reference->suite().name)},
              {"where", to_text(effect.where)},
              {"ratio", effect.ratio},
              {"ratio_low", optional_number(effect.low)},
              {"ratio_high", optional_number(effect.high)},
              {"sure", effect.sure},
              {"launches", effect.launches ? Json(*effect.launches) : Json(nullptr)}};
    if (effect.where == Effect::Where::range) {
        json["from"] = suite.ranges[effect.range].from;
        json["to"] = suite.ranges[effect.range].to;
    } else if (effect.where == Effect::Where::points) {
        json["from"] = effect.from;
        json["to"] = effect.to;
    } else if (effect.where == Effect::Where::size) {
        json["size"] = to_text(effect.size);
    }
    return json;
}

Json verdict_json(const DatabaseComparison& comparison) {
    const Verdict& found = comparison.verdict;
    const auto names = [&](const std::vector<std::size_t>& places) {
        Json list = Json::array();
        for (const std::size_t place : places)
            list.push_back(text(comparison.suites[place].reference->suite().name));
        return list;
    };
    Json effects = Json::array();
    for (const Effect& effect : found.effects)
        effects.push_back(effect_json(comparison, effect));
    return {{"kind", to_text(found.kind)},
            {"effects", effects},
            {"explained", names(found.explained)},
            {"suites", found.suites},
            {"faster", names(found.faster)},
            {"slower", names(found.slower)},
            {"few_faster", names(found.few_faster)},
            {"few_slower", names(found.few_slower)},
            {"both", names(found.both)},
            {"at_sizes", names(found.at_sizes)},
            {"no_difference", names(found.none)},
            {"detectable", optional_number(found.detectable)},
            {"launches_to_decide", found.launches_to_decide},
            {"open", found.open},
            {"reasons", unjudged_json(found.reasons)},
            {"sentence", text(verdict(comparison))}};
}

Json doubt_json(const DatabaseComparison& comparison, const ComparisonDoubt& doubt) {
    Json json{{"doubt", to_text(doubt.doubt)}};
    if (doubt.reference > 0 || doubt.other > 0) {
        json["reference"] = doubt.reference;
        json["other"] = doubt.other;
    }
    if (doubt.suites > 0)
        json["suites"] = doubt.suites;
    if (doubt.points > 0)
        json["points"] = doubt.points;
    if (!doubt.fields.empty())
        json["fields"] = fields_json(doubt.fields);
    for (const std::string& name : doubt.names)
        json["names"].push_back(text(name));
    for (const LaunchesInARow& side : doubt.in_a_row)
        json["sides"].push_back({{"side", side.of_other ? "other" : "reference"},
                                 {"launches", side.launches},
                                 {"all", side.all},
                                 {"length_s", side.length_s}});
    json["sentence"] = text(doubt_sentence(comparison, doubt));
    return json;
}

Json ranks_json(const DatabaseComparison& comparison) {
    const auto known = [](int ranks) { return ranks > 0 ? Json(ranks) : Json(nullptr); };
    Json suites = Json::array();
    for (const std::size_t place : comparison.ranks.suites)
        suites.push_back(text(comparison.suites[place].reference->suite().name));
    return {{"reference", known(comparison.ranks.reference)},
            {"other", known(comparison.ranks.other)},
            {"suites", suites},
            {"sentence", text(other_ranks(comparison))}};
}

Json states_json(const DatabaseComparison& comparison) {
    const MachineStates& states = comparison.states;
    return {{"points", states.points},
            {"in_common_state", states.in_common_mode},
            {"by_one_rule", states.by_one_rule},
            {"other_slower", states.other_slower},
            {"other_slower_ratio", states.other_slower > 0 ? Json(states.other_slower_ratio) : Json(nullptr)},
            {"reference_slower", states.reference_slower},
            {"reference_slower_ratio",
             states.reference_slower > 0 ? Json(states.reference_slower_ratio) : Json(nullptr)},
            {"other_machine", states.other_machine},
            {"other_software", states.other_software},
            {"sentence", text(other_state(comparison))}};
}

Json comparison_json(const DatabaseComparison& comparison) {
    Json suites = Json::array();
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        suites.push_back(suite_comparison_json(suite));
    Json doubts = Json::array();
    for (const ComparisonDoubt& doubt : comparison.doubts)
        doubts.push_back(doubt_json(comparison, doubt));
    return {{"reference", text(comparison.reference->label)},
            {"other", text(comparison.other->label)},
            {"ranks", ranks_json(comparison)},
            {"launches_in_common", comparison.launches_of_both.shared},
            {"states", states_json(comparison)},
            {"verdict", verdict_json(comparison)},
            {"launches_needed", launches_needed},
            {"launches", comparison.launches},
            {"points", comparison.points},
            {"judged", comparison.judged},
            {"unjudged", unjudged_json(comparison.unjudged)},
            {"faster", comparison.faster},
            {"slower", comparison.slower},
            {"mean_ratio", optional_number(comparison.verdict.mean_ratio)},
            {"doubts", doubts},
            {"suites", suites}};
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

} // namespace

std::string json_report(const std::vector<Subject>& subjects, const std::vector<DatabaseComparison>& compared,
                        const Turns* turns, const AlgorithmFindings* algorithms) {
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
            suites.push_back(curve_json(curve, causes));
        // Moved, for with a thousand launches a copy is a hundred megabytes.
        json["suites"] = std::move(suites);
        json["surfaces"] = surfaces_json(operation_surfaces(subject));
        json["self_consistency"] = self_consistency_json(check_guidelines(subject));
        list.push_back(std::move(json));
    }
    report["subjects"] = std::move(list);
    Json comparisons = Json::array();
    for (const DatabaseComparison& comparison : compared)
        comparisons.push_back(comparison_json(comparison));
    report["comparisons"] = comparisons;
    report["study"] = study_json(subjects);
    if (turns)
        report["turns"] = Json::parse(turns_json(*turns));
    if (algorithms)
        report["algorithms"] = Json::parse(algorithms_json(algorithms));
    return json_text(report, 1) + "\n";
}

std::string json_report(const std::vector<Subject>& subjects, bool baseline) {
    return json_report(subjects, compare_subjects(subjects, baseline));
}

} // namespace skampi
