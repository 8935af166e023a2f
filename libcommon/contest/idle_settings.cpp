// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/idle_settings.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace skampi {

namespace {

using Settings = std::map<std::string, std::optional<std::string>>;

/// Variables that one of two variants sets or removes, and not the other in the same way.
std::set<std::string> changed(const Settings& one, const Settings& other) {
    std::set<std::string> names;
    for (const auto& [settings, others] : {std::pair(&one, &other), std::pair(&other, &one)})
        for (const auto& [name, value] : *settings)
            if (const auto there = others->find(name); there == others->end() || there->second != value)
                names.insert(name);
    return names;
}

std::optional<std::string> fact_of(const Run& run, std::string_view begin, const std::string& name) {
    const auto found = run.facts.find(std::string(begin) + name);
    return found == run.facts.end() ? std::nullopt : std::optional(found->second);
}

std::optional<IdleSetting> idle(const Run& reference, const Run& run, const std::string& name) {
    if (fact_of(run, fact_setting_unknown, name) &&
        (reference.mpi_library != run.mpi_library || fact_of(reference, fact_setting_unknown, name)))
        return IdleSetting{0, name, IdleSetting::Why::unknown, {}};
    const auto own = fact_of(run, fact_setting_read_back, name);
    // A text that MPICH reads elsewhere is always empty: it proves nothing.
    if (own && !own->empty() && reference.mpi_library == run.mpi_library &&
        own == fact_of(reference, fact_setting_read_back, name))
        return IdleSetting{0, name, IdleSetting::Why::same_value, *own};
    return std::nullopt;
}

std::vector<IdleSetting> idle_settings_of(const SessionLaunches& launches, std::size_t place) {
    std::vector<IdleSetting> found;
    const std::optional<Run>& reference = launches.variants.front().run;
    const std::optional<Run>& run = launches.variants[place].run;
    if (!reference || !run)
        return found;
    const std::vector<Variant>& variants = launches.session.variants;
    for (const std::string& name : changed(variants.front().settings, variants[place].settings))
        if (std::optional<IdleSetting> setting = idle(*reference, *run, name)) {
            setting->variant = place;
            found.push_back(std::move(*setting));
        }
    return found;
}

} // namespace

std::string_view to_text(IdleSetting::Why value) {
    return value == IdleSetting::Why::unknown ? "unknown" : "same_value";
}

std::vector<IdleSetting> idle_settings(const SessionLaunches& launches) {
    std::vector<IdleSetting> all;
    for (std::size_t place = 1; place < launches.variants.size(); ++place)
        std::ranges::move(idle_settings_of(launches, place), std::back_inserter(all));
    return all;
}

std::vector<std::string> settings_read(const SessionLaunches& launches, std::size_t variant) {
    std::vector<std::string> names;
    const std::optional<Run>& reference = launches.variants.front().run;
    const std::optional<Run>& run = launches.variants[variant].run;
    if (!reference || !run || reference->mpi_library != run->mpi_library)
        return names;
    const std::vector<Variant>& variants = launches.session.variants;
    for (const std::string& name : changed(variants.front().settings, variants[variant].settings)) {
        const auto own = fact_of(*run, fact_setting_read_back, name);
        const auto usual = fact_of(*reference, fact_setting_read_back, name);
        if (own && usual && own != usual)
            names.push_back(name);
    }
    return names;
}

std::vector<std::string> settings_not_asked(const SessionLaunches& launches, std::size_t variant) {
    std::vector<std::string> names;
    const std::optional<Run>& run = launches.variants[variant].run;
    if (!run)
        return names;
    const std::vector<Variant>& variants = launches.session.variants;
    for (const std::string& name : changed(variants.front().settings, variants[variant].settings))
        if (!fact_of(*run, fact_setting_read_back, name) && !fact_of(*run, fact_setting_unknown, name))
            names.push_back(name);
    return names;
}

bool is_idle(const SessionLaunches& launches, std::size_t variant) {
    const Variant& reference = launches.session.variants.front();
    const Variant& other = launches.session.variants[variant];
    const std::set<std::string> names = changed(reference.settings, other.settings);
    return reference.program == other.program && reference.launch == other.launch &&
           reference.arguments == other.arguments && !names.empty() &&
           idle_settings_of(launches, variant).size() == names.size();
}

bool all_idle(const SessionContest& session) {
    return !session.variants.empty() &&
           std::ranges::all_of(session.variants, [&](const VariantContest& variant) {
               return is_idle(*session.of, variant.place);
           });
}

} // namespace skampi
