// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/contest_json.hpp"

#include "analysis/finding_names.hpp"
#include "contest/idle_settings.hpp"
#include "formats/data/json_text.hpp"
#include "words/contest_words.hpp"

#include "base/text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace skampi {

namespace {

using Json = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes; new fields do not raise it.
constexpr int session_format_version = 1;

Json valid(std::string_view any) {
    return to_valid_utf8(any);
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json why_json(Why why) {
    return why == Why::none ? Json(nullptr) : Json(to_text(why));
}

Json statement_json(const Statement& statement) {
    const Place& place = statement.place;
    Json json{{"place", to_text(place.kind)}};
    if (place.kind == Place::Kind::size)
        json["size"] = to_text(place.size());
    json["from"] = place.from;
    json["to"] = place.to;
    json["verdict"] = to_text(statement.verdict);
    json["why"] = why_json(statement.why);
    json["ratio"] = number(statement.ratio);
    json["low"] = number(statement.low);
    json["high"] = number(statement.high);
    json["error"] = statement.error;
    json["as_measured"] = number(statement.as_measured);
    if (place.kind == Place::Kind::point) {
        json["reference_s"] = number(statement.reference_s);
        json["interpolated"] = statement.interpolated;
    }
    json["reference_launches"] = statement.reference;
    json["subject_launches"] = statement.subject;
    json["outliers"] = statement.outliers;
    json["needed"] = or_null(statement.needed);
    return json;
}

Json fields_json(const std::vector<FieldDifference>& fields) {
    Json list = Json::array();
    for (const FieldDifference& each : fields)
        list.push_back(
            {{"field", each.field}, {"reference", valid(each.first)}, {"subject", valid(each.second)}});
    return list;
}

Json suite_json(const SuiteContest& suite) {
    Json statements = Json::array();
    for (const Statement& each : suite.statements)
        statements.push_back(statement_json(each));
    return {{"suite", valid(suite.reference->suite().name)},
            {"subject_suite", suite.subject ? valid(suite.subject->suite().name) : Json(nullptr)},
            {"verdict", to_text(suite.verdict())},
            {"why", why_json(suite.why)},
            {"machine_state", !suite.state          ? Json(nullptr)
                              : suite.state->slower ? Json("slower")
                                                    : Json("faster")},
            {"in_answer", suite.in_answer},
            {"comparable", to_text(suite.comparability.kind())},
            {"other_quantity", fields_json(suite.comparability.other_quantity)},
            {"computed_differently", fields_json(suite.comparability.computed_differently)},
            {"unknown_fields", suite.comparability.unknown},
            {"statements", std::move(statements)}};
}

Json doubt_json(const Contest& contest, const ContestDoubt& doubt) {
    Json names = Json::array();
    for (const std::string& name : doubt.names)
        names.push_back(valid(name));
    return {{"kind", to_text(doubt.kind)},
            {"reference", doubt.reference > 0 ? Json(doubt.reference) : Json(nullptr)},
            {"subject", doubt.subject > 0 ? Json(doubt.subject) : Json(nullptr)},
            {"suites", doubt.suites},
            {"points", doubt.points},
            {"fields", fields_json(doubt.fields)},
            {"names", std::move(names)},
            {"sentence", valid(doubt_sentence(contest, doubt))}};
}

} // namespace

Json contest_json(const Contest& contest, const std::string& reference, const std::string& subject) {
    Json suites = Json::array();
    for (const SuiteContest& suite : contest.suites)
        suites.push_back(suite_json(suite));
    Json doubts = Json::array();
    for (const ContestDoubt& doubt : contest.doubts)
        doubts.push_back(doubt_json(contest, doubt));
    Json only = Json::array();
    for (const Curve* curve : contest.only_in_subject)
        only.push_back(valid(curve->suite().name));
    Json counts = Json::object();
    for (const Verdict verdict :
         {Verdict::faster, Verdict::slower, Verdict::equal, Verdict::open, Verdict::not_comparable})
        counts[std::string(to_text(verdict))] = contest.with(verdict).size();
    return {{"reference", valid(reference)},
            {"subject", valid(subject)},
            {"error", contest.rule.error},
            {"margin", contest.rule.margin},
            {"simulated", contest.simulated},
            {"launches", contest.launches},
            {"launches_in_common", contest.shared_launches},
            {"verdicts", std::move(counts)},
            {"answer", valid(contest_answer(contest, subject, reference))},
            {"suites", std::move(suites)},
            {"only_in_subject", std::move(only)},
            {"doubts", std::move(doubts)}};
}

Json session_json(const SessionContest& session) {
    const SessionLaunches& launches = *session.of;
    const Session& made = launches.session;
    Json variants = Json::array();
    for (const VariantContest& variant : session.variants) {
        Json json{{"name", valid(made.variants[variant.place].name)},
                  {"rounds", variant.rounds},
                  {"failed", variant.failed},
                  {"open", variant.open()},
                  {"slower_everywhere", variant.slower_everywhere()}};
        json.update(
            contest_json(variant.contest, made.variants.front().name, made.variants[variant.place].name));
        variants.push_back(std::move(json));
    }
    Json moves = Json::array();
    for (const TurnsMove& move : launches.moves) {
        Json differences = Json::array();
        for (const std::string& each : move.differences)
            differences.push_back(valid(each));
        moves.push_back({{"variant", valid(made.variants[move.variant].name)},
                         {"round", move.round},
                         {"differences", std::move(differences)}});
    }
    Json idle = Json::array();
    for (const IdleSetting& setting : idle_settings(launches))
        idle.push_back({{"variant", valid(made.variants[setting.variant].name)},
                        {"name", valid(setting.name)},
                        {"reason", to_text(setting.why)},
                        {"value", valid(setting.value)}});
    Json starts = Json::array();
    for (const auto& [suite, each] : launches.starts)
        starts.push_back({{"suite", valid(suite)},
                          {"compared", to_text(each.compared)},
                          {"rounds", each.rounds},
                          {"rounds_alike", each.alike},
                          {"windows_given_up_in_round", or_null(each.given_up_in)}});
    return {{"version", session_format_version},
            {"session", valid(made.uuid)},
            {"rounds", session.look.rounds},
            {"look", session.look.number},
            {"looks", session.look.looks},
            {"open", session.open()},
            {"rounds_to_decide", or_null(session.rounds_to_decide())},
            {"round_s", launches.round_s},
            {"variants", std::move(variants)},
            {"moves", std::move(moves)},
            {"idle_settings", std::move(idle)},
            {"starts", std::move(starts)}};
}

std::string session_json_text(const SessionContest& session) {
    return json_text(session_json(session)) + "\n";
}

} // namespace skampi
