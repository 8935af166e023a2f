// SPDX-License-Identifier: LGPL-2.1-or-later
#include "links/link_words.hpp"

#include "base/text.hpp"
#include "links/bisection.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace skampi {

namespace {

/// "n17, n18 and n19", of many the first ones.
std::string names_words(const LinkInput& input, const std::vector<int>& members) {
    std::vector<std::string> names;
    for (const int member : members)
        names.push_back(printable(input.names[static_cast<std::size_t>(member)]));
    constexpr std::size_t most = 8;
    const std::size_t more = names.size() > most ? names.size() - most : 0;
    names.resize(names.size() - more);
    return more > 0 ? fmt::format("{} and {} more", fmt::join(names, ", "), more) : enumeration(names);
}

/// ", all with n40, n41 and n42": few members of which each of many pairs has one; else nothing.
std::string common_words(const LinkInput& input, std::vector<MemberPair> pairs) {
    const std::size_t most = std::min(input.names.size() / 4, pairs.size() / 3);
    std::vector<std::size_t> counts(input.names.size()); // of pairs that are left
    const auto index = [](int member) { return static_cast<std::size_t>(member); };
    for (const auto& [first, second] : pairs) {
        ++counts[index(first)];
        ++counts[index(second)];
    }
    std::vector<int> common;
    while (!pairs.empty()) {
        const auto largest = std::ranges::max_element(counts);
        if (common.size() + (pairs.size() + *largest - 1) / *largest > most) // so many are needed at least
            return {};
        const int member = static_cast<int>(largest - counts.begin());
        common.push_back(member);
        std::erase_if(pairs, [&](const MemberPair& pair) {
            if (pair.first != member && pair.second != member)
                return false;
            --counts[index(pair.first)];
            --counts[index(pair.second)];
            return true;
        });
    }
    std::ranges::sort(common);
    return common.empty() ? "" : ", all with " + names_words(input, common);
}

std::vector<MemberPair> pairs_of_class(const LengthFinding& finding, std::size_t number) {
    std::vector<MemberPair> pairs;
    for (int i = 0; i < finding.class_of_pair.members(); ++i)
        for (int j = i + 1; j < finding.class_of_pair.members(); ++j)
            if (finding.class_of_pair(i, j) == static_cast<double>(number))
                pairs.emplace_back(i, j);
    return pairs;
}

/// "bandwidth at 1 MiB 0.52 of the expected one (0.51 to 0.53 over 3 passes); alone 0.52; slow alone, too"
std::string ratio_words(const LengthFinding& finding, const SlowPart& part) {
    const double low = finding.shown(finding.is_latency() ? part.low : part.high);
    const double high = finding.shown(finding.is_latency() ? part.high : part.low);
    return fmt::format(
        "{} at {} {:.2f} {}{}{}; {}", finding.is_latency() ? "latency" : "bandwidth",
        format_bytes(finding.message_bytes), finding.shown(part.ratio),
        finding.is_latency() ? "times the expected one" : "of the expected one",
        low < high ? fmt::format(" ({:.2f} to {:.2f} over {} passes)", low, high, finding.passes) : "",
        part.alone ? fmt::format("; alone {:.2f}", finding.shown(*part.alone)) : "",
        verdict_text(part.verdict));
}

/// "n17 is slow with 63 of 63 partners", "n3 - n41", "n0 and n1 share a slow route to others (126 pairs)"
std::string part_words(const LinkInput& input, const SlowPart& part) {
    switch (part.kind) {
    case SlowPart::Kind::node:
        return fmt::format("{} is slow with {} of {} partners", part_name(input, part), part.slow_pairs,
                           part.pairs.size());
    case SlowPart::Kind::group:
        return fmt::format("{} share a slow route to others ({})", part_name(input, part),
                           count_of(part.slow_pairs, "pair"));
    case SlowPart::Kind::pair:
        break;
    }
    return part_name(input, part);
}

/// "8 B: 4.1 µs; 1 MiB: 1.1 GB/s (alone 1.2 GB/s)", of several classes the nearest to the farthest
std::string usual_words(const LinkInput& input, const LengthFinding& finding) {
    std::string text;
    for (std::size_t number = 0; number < finding.classes.size(); ++number) {
        const DistanceClass& distance = finding.classes[number];
        text += (text.empty() ? "" : ", ") + speed_words(finding, distance.time_s);
        if (distance.alone_s && !finding.is_latency())
            text += fmt::format(" (alone {})", speed_words(finding, *distance.alone_s));
        if (finding.classes.size() > 1)
            text += fmt::format(" for {}{}", count_of(distance.pairs, "pair"),
                                common_words(input, pairs_of_class(finding, number)));
    }
    return fmt::format("{}: {}", format_bytes(finding.message_bytes), text);
}

/// "Bisection of 64 nodes, 16 MiB both ways: minimum 9.02 TB/s (8.95 TB/s to 9.1 TB/s), mean ..."
std::string bisection_words(const Bisection& found, const char* kind) {
    const std::string interval = found.interval
                                     ? fmt::format(" ({} to {})", format_bandwidth(found.interval->low),
                                                   format_bandwidth(found.interval->high))
                                     : "";
    return fmt::format("Bisection of {}, {} both ways: minimum {}{}, mean {}, maximum {} over {} in {}",
                       count_of(found.members, kind), format_bytes(bisection_bytes),
                       format_bandwidth(found.minimum), interval, format_bandwidth(found.mean),
                       format_bandwidth(found.maximum), count_of(found.steps, "step"),
                       count_of(found.passes, "pass", "passes"));
}

/// "Cores lose 0.04 % of their time to other work (median); n22 1.3 %: 100 detours a second, the longest 130
/// µs"
std::string core_words(const LinkInput& input) {
    const BusyCores busy = find_busy_cores(input.detours);
    std::string text =
        fmt::format("Cores lose {} of their time to other work (median)", format_percent(busy.usual_share));
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(busy.cores.size(), most); ++i) {
        const CoreDetours& core = busy.cores[i];
        const auto per_s = std::llround(static_cast<double>(core.detours) / core.watched_s);
        text += fmt::format("; {} {}: {} a second, the longest {}",
                            printable(input.names[static_cast<std::size_t>(core.rank)]),
                            format_percent(core.lost_share()), count_of(per_s, "detour"),
                            format_time(core.longest_s, 2));
    }
    return text + (busy.cores.size() > most ? fmt::format("; and {} more", busy.cores.size() - most) : "");
}

} // namespace

std::string speed_words(const LengthFinding& finding, double time_s) {
    return finding.is_latency() ? format_time(time_s)
                                : format_bandwidth(static_cast<double>(finding.message_bytes) / time_s);
}

std::string part_name(const LinkInput& input, const SlowPart& part) {
    if (part.kind != SlowPart::Kind::pair)
        return names_words(input, part.members);
    return fmt::format("{} - {}", names_words(input, {part.members[0]}),
                       names_words(input, {part.members[1]}));
}

const char* verdict_text(LinkVerdict verdict) {
    switch (verdict) {
    case LinkVerdict::slow:
        return "slow alone, too";
    case LinkVerdict::only_together:
        return "only while others communicate";
    case LinkVerdict::not_repeated:
        return "did not repeat";
    case LinkVerdict::not_retested:
        return "not yet measured again";
    }
    return "";
}

LinkAnswer link_answer(const LinkInput& input, const std::vector<LengthFinding>& findings) {
    const auto all = static_cast<std::int64_t>(input.names.size());
    const bool of_ranks = std::ranges::any_of(
        input.names, [](const std::string& name) { return name.find(':') != std::string::npos; });
    const char* const kind = of_ranks ? "rank" : "node";
    LinkAnswer answer;
    if (const std::optional<Bisection> found = find_bisection(input))
        answer.facts.push_back(bisection_words(*found, kind));
    if (!input.detours.empty())
        answer.facts.push_back(core_words(input));
    if (findings.empty()) {
        answer.sum = "No pass over the pairs was finished";
        return answer;
    }
    std::set<int> members;
    int not_repeated = 0;
    for (const LengthFinding& finding : findings) {
        std::map<LinkVerdict, std::vector<const SlowPart*>> pairs;
        for (const SlowPart& part : finding.slow) {
            if (part.kind != SlowPart::Kind::pair && part.verdict != LinkVerdict::not_repeated)
                members.insert(part.members.begin(), part.members.end());
            if (part.verdict == LinkVerdict::not_repeated)
                not_repeated += part.kind == SlowPart::Kind::group ? part.slow_pairs : 1;
            else if (part.kind == SlowPart::Kind::pair)
                pairs[part.verdict].push_back(&part);
            else
                answer.slow.push_back(
                    fmt::format("{}: {}", part_words(input, part), ratio_words(finding, part)));
        }
        for (const auto& [verdict, parts] : pairs) {
            constexpr std::size_t most = 4; // a line each; beyond them they have a cause in common
            const std::size_t shown = verdict == LinkVerdict::slow || parts.size() <= most ? parts.size() : 1;
            for (std::size_t i = 0; i < shown; ++i)
                answer.slow.push_back(
                    fmt::format("{}: {}", part_words(input, *parts[i]), ratio_words(finding, *parts[i])));
            if (shown == parts.size())
                continue;
            std::vector<MemberPair> likewise;
            for (const SlowPart* part : parts)
                likewise.push_back(part->pairs.front());
            answer.slow.back() += fmt::format("; and {} other pairs likewise{}", parts.size() - 1,
                                              common_words(input, likewise));
        }
    }
    const bool judged = all > LinkLimits().least_partners;
    answer.sum = judged ? fmt::format("{} of {} are alike", all - std::ssize(members), count_of(all, kind))
                        : fmt::format("{}, too few to call one slow", count_of(all, kind));
    for (const LengthFinding& finding : findings)
        answer.sum += (&finding == &findings.front() ? ". " : "; ") + usual_words(input, finding);
    const std::int64_t possible = all * (all - 1) / 2;
    if (const auto part = std::ranges::find_if(
            findings, [possible](const LengthFinding& each) { return each.pairs < possible; });
        part != findings.end())
        answer.sum += fmt::format(". Measured: {} of {}", part->pairs, count_of(possible, "pair"));
    if (not_repeated > 0)
        answer.slow.push_back(fmt::format("{} did not repeat", count_of(not_repeated, "other outlier")));
    return answer;
}

std::vector<std::string> bad_nodes(const LinkInput& input, const std::vector<LengthFinding>& findings) {
    std::set<int> members;
    for (const LengthFinding& finding : findings)
        for (const SlowPart& part : finding.slow)
            if (part.of_one_node() && part.verdict == LinkVerdict::slow)
                members.insert(part.members.front());
    std::vector<std::string> names;
    for (const int member : members) {
        const std::string& name = input.names[static_cast<std::size_t>(member)];
        std::string host = name.substr(0, name.find(':'));
        if (std::ranges::find(names, host) == names.end())
            names.push_back(std::move(host));
    }
    return names;
}

} // namespace skampi
