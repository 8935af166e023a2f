// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/algorithm_findings.hpp"

#include "base/text.hpp"
#include "model/run.hpp"
#include "tuning/algorithm_effect.hpp"
#include "tuning/equal_times.hpp"
#include "tuning/stays.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skampi {
namespace {

using StaysByArgument = std::map<std::int64_t, Stays>;

StaysByArgument stays_of(const Database& database, SuiteId suite) {
    StaysByArgument all;
    for (const StoredMeasurement& stored : database.measurements(suite)) {
        const Measurement& m = stored.measurement;
        // What other work did to one of them would pass for its algorithm.
        const bool doubtful = has(m.flags, Flag::disturbed) || has(m.flags, Flag::unreliable) ||
                              has(m.flags, Flag::unsynchronised);
        if (!stored.finished || doubtful || !std::isfinite(m.value_s) || m.value_s <= 0)
            continue;
        all[m.argument] = stays_at(m, database.batches(stored.id));
    }
    return all;
}

AlgorithmRatios ratios_of(const std::string& word, const StaysByArgument& member,
                          const StaysByArgument& usual) {
    AlgorithmRatios ratios{.word = word, .at = {}};
    for (const auto& [argument, stays] : member)
        if (const auto there = usual.find(argument); there != usual.end())
            ratios.at[argument] = in_same_stays(stays, there->second);
    return ratios;
}

/// How far an algorithm may be from the default without having been seen to be, at worst.
double largest_doubt(const AlgorithmRatios& ratios) {
    double largest = 0;
    for (const auto& [argument, ratio] : ratios.at)
        largest = std::max(largest, std::abs(ratio.log_ratio) + 2 * ratio.standard_error);
    return std::expm1(largest);
}

std::string effect_text(const AlgorithmRatios& ratios, const SuiteOutcome& outcome) {
    const AlgorithmEffect effect = effect_of(ratios);
    if (effect.lengths == 0)
        return outcome.refused.empty() ? "not judged: no value of it and of default is free of disturbance"
                                       : "refused by the library: " + outcome.refused.begin()->second;
    if (effect.different > 0)
        return fmt::format("differs from default at {} of {} lengths", effect.different, effect.lengths);
    const double doubt = largest_doubt(ratios);
    return doubt <= same_time
               ? "never differs"
               : fmt::format("not seen to differ; a difference of {:.2g} % would not be seen", 100 * doubt);
}

std::string default_text(const std::vector<DefaultIs>& ranges, Varied varied) {
    std::string text;
    for (const DefaultIs& range : ranges) {
        text += fmt::format("{}{}", text.empty() ? "" : "; ", fmt::join(range.words, " or "));
        if (varied == Varied::none)
            continue;
        text += range.bytes_low == range.bytes_high
                    ? fmt::format(" at {}", range.bytes_low)
                    : fmt::format(" from {} to {}", range.bytes_low, range.bytes_high);
    }
    return text;
}

} // namespace

std::vector<std::map<std::string, std::string>>
algorithm_findings(const Database& database, const std::vector<StoredSuite>& members,
                   const std::vector<SuiteOutcome>& outcomes) {
    std::vector<std::map<std::string, std::string>> facts(members.size());
    const auto usual = std::ranges::find_if(
        members, [](const StoredSuite& member) { return member.suite.algorithm.empty(); });
    const StaysByArgument of_usual =
        usual == members.end() ? StaysByArgument() : stays_of(database, usual->id);
    std::vector<AlgorithmRatios> all;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::string& word = members[i].suite.algorithm;
        if (word.empty())
            continue;
        all.push_back(ratios_of(word, stays_of(database, members[i].id), of_usual));
        if (usual != members.end() || !outcomes[i].refused.empty())
            facts[i][fact_algorithm_effect] = effect_text(all.back(), outcomes[i]);
    }
    if (usual == members.end() || all.empty())
        return facts;
    std::vector<std::map<std::int64_t, AgainstDefault>*> ratios;
    for (AlgorithmRatios& each : all)
        ratios.push_back(&each.at);
    take_from_equals(ratios, [](const AgainstDefault& ratio) { return ratio.log_ratio; });
    if (const std::string text = default_text(default_is(all), usual->suite.varied); !text.empty())
        facts[static_cast<std::size_t>(usual - members.begin())][fact_default_is] = text;
    return facts;
}

} // namespace skampi
