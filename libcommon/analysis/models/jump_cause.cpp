// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/models/jump_cause.hpp"

#include "analysis/models/curve_model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

/// Below this any small number among the settings would be a threshold somewhere.
constexpr std::int64_t smallest_threshold = 64;

/// Reads a number with a unit from the beginning of a text: "8192", "64K", "32 KiB". None if it has another
/// unit or no number.
std::optional<std::int64_t> leading_bytes(std::string_view text) {
    double number = 0;
    const auto [behind, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || !(number >= 0) || number > 1e15)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    const std::string_view unit = text.substr(0, text.find_first_of(" ,;"));
    constexpr std::array<std::pair<std::string_view, double>, 4> factors{
        {{"", 1}, {"Kk", 0x1p10}, {"Mm", 0x1p20}, {"G", 0x1p30}}};
    for (const auto& [letters, factor] : factors) {
        const bool has_letter = !unit.empty() && letters.find(unit.front()) != std::string_view::npos;
        const std::string_view rest = unit.substr(has_letter ? 1 : 0);
        if ((has_letter || letters.empty()) && (rest.empty() || rest == "B" || rest == "b" || rest == "iB"))
            return static_cast<std::int64_t>(std::llround(number * factor));
    }
    return std::nullopt;
}

/// A jump between arguments this close is a place; a change somewhere between two distant ones is at no
/// particular length.
bool is_located(const Suite& suite, const CostJump& jump) {
    constexpr std::int64_t share = 16;
    return jump.before - jump.after <= std::max(smallest_distance(suite), jump.after / share);
}

bool moves_messages(const Suite& suite) {
    return suite.varied == Varied::message_length && suite.operation.pattern != Pattern::simple;
}

bool overlap(const CostJump& a, const CostJump& b) {
    return a.after < b.before && b.after < a.before;
}

/// Headers count: a limit may lie a little above the longest message below it.
bool is_at(std::int64_t threshold, const CostJump& jump) {
    constexpr std::int64_t longest_header = 128;
    const std::int64_t header = std::min(longest_header, threshold / 16);
    return jump.after <= threshold + 1 && threshold <= jump.before + header;
}

bool names_eager_limit(const std::string& setting) {
    return setting.find("EAGER") != std::string::npos || setting.find("eager") != std::string::npos ||
           setting.find("RNDV") != std::string::npos || setting.find("RENDEZVOUS") != std::string::npos;
}

} // namespace

JumpCauses::JumpCauses(const Subject& subject) {
    if (subject.run) {
        for (const auto& [name, value] : subject.run->settings)
            if (const auto bytes = leading_bytes(value); bytes && *bytes >= smallest_threshold)
                thresholds_[name] = *bytes;
        const HostSizes& host = subject.run->host_sizes;
        for (const auto& [name, bytes] :
             {std::pair{"L1", host.l1_bytes}, {"L2", host.l2_bytes}, {"L3", host.l3_bytes}})
            if (bytes > 0)
                caches_[name] = bytes;
    }
    for (const Curve& curve : subject.curves) {
        if (!moves_messages(curve.suite()))
            continue;
        for (const CostJump& jump : curve_model(curve).jumps) {
            if (jump.time_s <= 0)
                continue;
            ++rises_of_suite_[curve.suite().name];
            if (is_located(curve.suite(), jump))
                rises_.push_back({curve.suite().operation.name, curve.suite().operation.pattern, jump});
        }
    }
}

/// Another operation that jumps up at the same length, one of the two between two ranks: what all messages
/// share changes there, and not the algorithm of a collective operation.
const JumpCauses::Rise* JumpCauses::elsewhere(const Curve& curve, const CostJump& jump) const {
    const OperationInfo& operation = curve.suite().operation;
    const auto other = std::ranges::find_if(rises_, [&](const Rise& rise) {
        return rise.operation != operation.name && overlap(rise.jump, jump) &&
               (rise.pattern == Pattern::ping_pong || operation.pattern == Pattern::ping_pong);
    });
    return other == rises_.end() ? nullptr : &*other;
}

JumpCause JumpCauses::of(const Curve& curve, const CostJump& jump) const {
    const Suite& suite = curve.suite();
    if (suite.varied != Varied::message_length)
        return {};
    if (!moves_messages(suite)) {
        // What is copied and where to fill the cache together, or each alone.
        constexpr double near = 1.25;
        if (jump.time_s > 0 && suite.buffers != BufferPolicy::cycled && suite.buffers != BufferPolicy::cold &&
            knows(suite, "buffers"))
            for (const auto& [name, bytes] : caches_)
                for (const double of_cache : {1.0, 0.5})
                    if (const double length = of_cache * static_cast<double>(bytes);
                        length * near >= static_cast<double>(jump.after) &&
                        length <= near * static_cast<double>(jump.before))
                        return {CauseKind::full_cache, name, false};
        return {};
    }
    for (const bool eager : {true, false})
        for (const auto& [name, bytes] : thresholds_)
            if (names_eager_limit(name) == eager && is_at(bytes, jump) && (!eager || jump.time_s > 0))
                return {eager ? CauseKind::eager_limit : CauseKind::threshold, name, true};
    const auto rises = rises_of_suite_.find(suite.name);
    if (jump.time_s > 0 && is_located(suite, jump) && rises != rises_of_suite_.end() && rises->second == 1)
        if (const Rise* other = elsewhere(curve, jump))
            return {CauseKind::eager_limit, other->operation, false};
    return {};
}

} // namespace skampi
