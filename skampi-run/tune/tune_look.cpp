#include "tune/tune_look.hpp"

#include "model/field_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
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

} // namespace

bool TuneLook::has_open_rules() const {
    return std::ranges::any_of(rules, [](const TuningRule& rule) {
        return rule.why_not == WhyNot::undecided || rule.why_not == WhyNot::few_launches;
    });
}

std::optional<TuneLook> parse_tune_look(const std::string& text) {
    const json whole = json::parse(text, nullptr, false);
    if (!whole.is_object() || !whole.contains("operations") || !whole["operations"].is_array())
        return std::nullopt;
    TuneLook look;
    try {
        look.runs = whole.value("runs", 0);
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
        look.launches = whole["operations"].empty() ? 0 : static_cast<std::size_t>(look.runs);
        for (const json& operation : whole["operations"])
            take_operation(operation, look);
        if (!take_rules(whole.value("rules", json()), look.rules) ||
            !take_rules(whole.value("rules_for_all_lengths", json()), look.for_all_lengths))
            return std::nullopt;
    } catch (const json::exception&) { // a member of another type
        return std::nullopt;
    }
    return look;
}

} // namespace skampi
