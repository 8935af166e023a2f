#include "formats/data/turns_json.hpp"

#include "analysis/finding_names.hpp"
#include "contest/idle_settings.hpp"

#include "base/text.hpp"
#include "formats/data/json_text.hpp"

#include <nlohmann/json.hpp>

namespace skampi {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes; new fields do not raise it.
constexpr int turns_format_version = 1;

template <typename Value>
OrderedJson or_null(const std::optional<Value>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson valid_text(const std::string& any) {
    return to_valid_utf8(any);
}

/// The rows that are about a suite of a variant begin so.
OrderedJson about(const TurnsSuite& suite, const std::string& variant) {
    return {{"variant", valid_text(variant)},
            {"suite", valid_text(suite.reference->suite().name)},
            {"machine_state", !suite.state          ? OrderedJson(nullptr)
                              : suite.state->slower ? OrderedJson("slower")
                                                    : OrderedJson("faster")}};
}

OrderedJson joined(OrderedJson begin, const OrderedJson& rest) {
    begin.update(rest);
    return begin;
}

OrderedJson statement_json(const TurnsStatement& statement) {
    OrderedJson states = OrderedJson::array();
    if (statement.different())
        states.push_back("different");
    if (statement.equal)
        states.push_back("equal");
    if (statement.open())
        states.push_back("open");
    return {
        {"sizes", statement.size ? OrderedJson(to_text(*statement.size)) : OrderedJson(nullptr)},
        {"rounds", statement.rounds},
        {"outliers", statement.outliers},
        {"outliers_slower", statement.outliers_slower},
        {"contradicted", statement.contradicted},
        {"ratio", statement.ratio},
        {"low", or_null(statement.low)},
        {"high", or_null(statement.high)},
        {"error", statement.error},
        {"state", states},
        {"span_low", statement.span ? OrderedJson(statement.span->low) : OrderedJson(nullptr)},
        {"span_high", statement.span ? OrderedJson(statement.span->high) : OrderedJson(nullptr)},
        {"unjudged", statement.unjudged ? OrderedJson(to_text(*statement.unjudged)) : OrderedJson(nullptr)},
        {"rounds_to_decide", or_null(statement.rounds_to_decide)}};
}

OrderedJson range_json(const TurnsRange& range) {
    const RatioSpan ratios = range.spread();
    return {{"from", range.from},
            {"to", range.to},
            {"rounds", range.statement.rounds},
            {"ratio", range.statement.ratio},
            {"smallest_ratio", ratios.low},
            {"largest_ratio", ratios.high},
            {"low", or_null(range.statement.low)},
            {"high", or_null(range.statement.high)}};
}

OrderedJson point_json(const TurnsRange& point) {
    return {{"argument", point.from},
            {"rounds", point.statement.rounds},
            {"reference_s", point.reference_s},
            {"ratio", point.statement.ratio},
            {"low", or_null(point.statement.low)},
            {"high", or_null(point.statement.high)}};
}

OrderedJson hardly_met_json(const TurnsStateMet& met) {
    return {{"machine_state", met.state.slower ? "slower" : "faster"},
            {"pairs", met.pairs},
            {"probe_s", met.state.probe_s},
            {"usual_probe_s", met.usual_probe_s}};
}

/// How the rounds of a suite count whose launches met two states of the machine.
OrderedJson states_json(const TurnsSuite& suite) {
    return {{"rounds_apart", suite.states_apart},
            {"variant_in_slower", suite.variant_in_slower},
            {"treatment", suite.states_apart == 0  ? "none"
                          : suite.state            ? "paired_anew"
                          : suite.states_taken_out ? "taken_out"
                                                   : "left_out"},
            {"core_speed_taken_out", suite.core_speed_taken_out},
            {"core_speeds_apart", suite.core_speeds_apart},
            {"hardly_met", suite.hardly_met ? hardly_met_json(*suite.hardly_met) : OrderedJson(nullptr)}};
}

OrderedJson starts_json(const SessionLaunches& launches) {
    OrderedJson all = OrderedJson::array();
    for (const auto& [suite, starts] : launches.starts)
        all.push_back({{"suite", valid_text(suite)},
                       {"compared", to_text(starts.compared)},
                       {"rounds", starts.rounds},
                       {"rounds_alike", starts.alike},
                       {"windows_given_up_in_round", or_null(starts.given_up_in)}});
    return all;
}

OrderedJson moves_json(const SessionLaunches& launches) {
    OrderedJson all = OrderedJson::array();
    for (const TurnsMove& move : launches.moves) {
        OrderedJson differences = OrderedJson::array();
        for (const std::string& each : move.differences)
            differences.push_back(valid_text(each));
        all.push_back({{"variant", valid_text(launches.session.variants[move.variant].name)},
                       {"round", move.round},
                       {"differences", differences}});
    }
    return all;
}

OrderedJson idle_settings_json(const SessionLaunches& launches) {
    OrderedJson all = OrderedJson::array();
    for (const IdleSetting& setting : idle_settings(launches))
        all.push_back({{"variant", valid_text(launches.session.variants[setting.variant].name)},
                       {"name", valid_text(setting.name)},
                       {"reason", to_text(setting.why)},
                       {"value", valid_text(setting.value)}});
    return all;
}

const char* why_not_compared(const TurnsSuite& suite) {
    if (!suite.variant)
        return "only_in_reference";
    return suite.comparability.other_at_every_point() ? "other_quantity" : "no_values";
}

} // namespace

std::string turns_json(const Turns& turns) {
    const Session& session = turns.of->session;
    OrderedJson variants = OrderedJson::array();
    OrderedJson statements = OrderedJson::array();
    OrderedJson ranges = OrderedJson::array();
    OrderedJson worst = OrderedJson::array();
    OrderedJson points = OrderedJson::array();
    OrderedJson states = OrderedJson::array();
    OrderedJson not_compared = OrderedJson::array();
    for (const TurnsVariant& variant : turns.variants) {
        const std::string& name = session.variants[variant.place].name;
        variants.push_back({{"name", valid_text(name)},
                            {"rounds", variant.rounds},
                            {"failed", variant.failed},
                            {"slower_everywhere", variant.slower_everywhere()},
                            {"state", variant.open() > 0 ? "open" : "decided"}});
        const auto add_missing = [&](const Curve& curve, const char* why) {
            not_compared.push_back(
                {{"variant", valid_text(name)}, {"suite", valid_text(curve.suite().name)}, {"reason", why}});
        };
        for (const TurnsSuite& suite : variant.suites) {
            const OrderedJson begin = about(suite, name);
            if (suite.compared)
                states.push_back(joined(begin, states_json(suite)));
            else
                add_missing(*suite.reference, why_not_compared(suite));
            for (const TurnsStatement& statement : suite.statements)
                statements.push_back(joined(begin, statement_json(statement)));
            for (const TurnsRange& range : suite.ranges)
                ranges.push_back(joined(begin, range_json(range)));
            for (const TurnsRange& point : suite.points)
                points.push_back(joined(begin, point_json(point)));
            if (suite.worst)
                worst.push_back(joined(begin, range_json(*suite.worst)));
        }
        for (const Curve* curve : variant.only_here)
            add_missing(*curve, "only_in_variant");
    }
    const OrderedJson json{{"version", turns_format_version},
                           {"session", valid_text(session.uuid)},
                           {"reference", valid_text(session.variants.front().name)},
                           {"rounds", turns.look.rounds},
                           {"look", turns.look.number},
                           {"looks", turns.look.looks},
                           {"error", session.error * turns.look.share},
                           {"margin", session.margin},
                           {"simulated", turns.simulated},
                           {"open", turns.open()},
                           {"rounds_to_decide", or_null(turns.rounds_to_decide())},
                           {"round_s", turns.of->round_s},
                           {"variants", variants},
                           {"statements", statements},
                           {"ranges", ranges},
                           {"worst", worst},
                           {"points", points},
                           {"states", states},
                           {"moves", moves_json(*turns.of)},
                           {"idle_settings", idle_settings_json(*turns.of)},
                           {"starts", starts_json(*turns.of)},
                           {"not_compared", not_compared}};
    return json_text(json) + "\n";
}

} // namespace skampi
