#include "tune/tune_look.hpp"

#include "model/field_text.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

namespace skampi {

namespace {

using nlohmann::json;

template <typename Value>
bool take_member(const json& member, Value& value) {
    if constexpr (std::is_enum_v<Value>)
        return member.is_string() && set_field(member.get<std::string>(), value);
    else if constexpr (std::is_same_v<Value, std::optional<double>>) {
        value = member.is_number() ? std::optional(member.get<double>()) : std::nullopt;
        return member.is_number() || member.is_null();
    } else if constexpr (std::is_same_v<Value, std::string>) {
        if (member.is_string())
            value = member.get<std::string>();
        return member.is_string();
    } else if constexpr (std::is_same_v<Value, bool>) {
        if (member.is_boolean())
            value = member.get<bool>();
        return member.is_boolean();
    } else {
        if (member.is_number())
            value = member.get<Value>();
        return member.is_number();
    }
}

bool take_rules(const json& list, std::vector<TuningRule>& rules) {
    if (!list.is_array())
        return false;
    for (const json& each : list) {
        TuningRule rule;
        bool whole = each.is_object();
        for_each_field(rule, [&](const Field& field, auto&& value) {
            whole = whole && each.contains(field.name) && take_member(each[field.name], value);
        });
        if (!whole)
            return false;
        rules.push_back(std::move(rule));
    }
    return true;
}

void take_operation(const json& operation, TuneLook& look) {
    const std::string name = operation.value("operation", std::string());
    look.simulated = look.simulated || operation.value("simulated", false);
    look.launches = std::min(look.launches, operation.value("launches", std::size_t{0}));
    for (const json& length : operation.value("lengths_wanted", json::array())) {
        WantedLength wanted{name, length.value("bytes", std::int64_t{0}), {"default"}};
        for (const json& word : length.value("algorithms", json::array()))
            if (word.is_string() && !word.get<std::string>().empty())
                wanted.words.push_back(word.get<std::string>());
        if (wanted.bytes > 0 && wanted.words.size() > 1)
            look.wanted.push_back(std::move(wanted));
    }
}

void take_operations(const json& operations, TuneLook& look) {
    std::set<std::string> known;
    look.launches = std::numeric_limits<std::size_t>::max();
    for (const json& operation : operations) {
        const std::string name = operation.value("operation", std::string());
        if (!look.scope.holds(name, operation.value("ranks", std::int64_t{0})))
            continue;
        known.insert(name);
        take_operation(operation, look);
    }
    if (known.empty())
        look.launches = 0;
    look.missing = look.scope.operations.size() - (look.scope.operations.empty() ? 0 : known.size());
}

} // namespace

bool TuneScope::holds(const std::string& operation, std::int64_t on_ranks) const {
    return (ranks == 0 || on_ranks == ranks) && (operations.empty() || operations.contains(operation));
}

namespace {

/// Whether a rule is of measured ranks in the scope: not of a range between two numbers of them.
bool is_in_scope(const TuneLook& look, const TuningRule& rule) {
    return rule.ranks_low == rule.ranks_high && look.scope.holds(rule.operation, rule.ranks_low);
}

} // namespace

bool TuneLook::has_rules() const {
    return std::ranges::any_of(rules, [&](const TuningRule& rule) { return is_in_scope(*this, rule); });
}

bool TuneLook::has_open_rules() const {
    return std::ranges::any_of(rules, [&](const TuningRule& rule) {
        return is_in_scope(*this, rule) &&
               (rule.why_not == WhyNot::undecided || rule.why_not == WhyNot::few_launches);
    });
}

std::optional<TuneLook> parse_tune_look(const std::string& text, const TuneScope& scope) {
    const json whole = json::parse(text, nullptr, false);
    if (!whole.is_object() || !whole.contains("operations") || !whole["operations"].is_array())
        return std::nullopt;
    TuneLook look;
    look.scope = scope;
    try {
        look.ranks_share_cores = whole.value("ranks_share_cores", false);
        look.ranks_bound = whole.value("ranks_bound", true);
        look.cores_to_spare = whole.value("cores_to_spare", true);
        look.launcher = whole.value("launcher", std::string());
        look.target.library = whole.value("library", std::string());
        look.target.layer = whole.value("layer", std::string());
        look.target.run = whole.value("newest_run", std::string());
        look.target.hosts = whole.value("hosts", std::string());
        look.target.placement = whole.value("placement", std::string());
        look.target.launches = whole.value("launches", std::size_t{0});
        look.target.disturbed = whole.value("disturbed_launches", std::size_t{0});
        look.target.gain = whole.value("gain", look.target.gain);
        for (const json& ranks : whole.value("ranks", json::array()))
            look.target.ranks += (look.target.ranks.empty() ? "" : ", ") + ranks.dump();
        take_operations(whole["operations"], look);
        if (!take_rules(whole.value("rules", json()), look.rules) ||
            !take_rules(whole.value("rules_for_all_lengths", json()), look.for_all_lengths))
            return std::nullopt;
    } catch (const json::exception&) { // a member of another type
        return std::nullopt;
    }
    return look;
}

} // namespace skampi
