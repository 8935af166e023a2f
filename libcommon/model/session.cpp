// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/session.hpp"

#include "model/field_text.hpp"
#include "model/session_place.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace skampi {

namespace {

constexpr std::string_view round_word = " round ";
constexpr std::string_view place_word = " place ";

/// Numbers that depend on a seed and a count alone: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class CountedNumbers {
public:
    CountedNumbers(std::uint64_t seed, std::uint64_t stream)
        : state_(mixed(seed) ^ mixed(stream + 0x632BE59BD9B4E019)) {}
    std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15); }

private:
    static std::uint64_t mixed(std::uint64_t value) {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
    std::uint64_t state_;
};

} // namespace

std::string algorithm_variable(const std::vector<Variant>& variants) {
    for (const Variant& variant : variants)
        for (const auto& [name, value] : variant.settings)
            if (value && (name.ends_with("_ALGORITHM") || name.ends_with("_algorithm")))
                return name;
    return {};
}

bool is_variable_name(std::string_view text) {
    const auto is_letter = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    };
    return !text.empty() && is_letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string wrong_variant_name(const std::string& name) {
    constexpr std::size_t longest = 40;
    const std::string expected =
        ", expected 1 to " + std::to_string(longest) + " bytes without control characters";
    if (name.empty())
        return "found a variant without a name" + expected;
    const bool controls =
        std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    if (controls || name.size() > longest)
        return "found a variant's name of " + std::to_string(name.size()) + " bytes" +
               (controls ? " with control characters" : "") + expected;
    return {};
}

std::string session_place_text(const SessionPlace& place) {
    return place.session + std::string(round_word) + std::to_string(place.round) + std::string(place_word) +
           std::to_string(place.place);
}

std::optional<SessionPlace> parse_session_place(const std::string& text) {
    const std::size_t round_at = text.find(round_word);
    const std::size_t place_at = text.find(place_word);
    if (round_at == std::string::npos || place_at == std::string::npos || place_at < round_at ||
        round_at == 0)
        return std::nullopt;
    const std::string_view whole = text;
    const std::size_t round_begins = round_at + round_word.size();
    if (round_begins > place_at)
        return std::nullopt;
    SessionPlace found{.session = text.substr(0, round_at)};
    if (!set_field(whole.substr(round_begins, place_at - round_begins), found.round) ||
        !set_field(whole.substr(place_at + place_word.size()), found.place) || found.round < 1 ||
        found.place < 0)
        return std::nullopt;
    return found;
}

std::vector<std::size_t> order_of_round(std::int64_t seed, int round, std::size_t variants) {
    std::vector<std::size_t> order(variants);
    std::iota(order.begin(), order.end(), std::size_t{0});
    CountedNumbers numbers(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(round));
    // The remainder favours small numbers by less than variants / 2^64.
    for (std::size_t left = variants; left > 1; --left)
        std::swap(order[left - 1], order[numbers.next() % left]);
    return order;
}

std::vector<int> rounds_of_looks(const Session& session) {
    constexpr double growth = 1.4;
    constexpr double least_growth = 1.1; // a look just before the last would cost its share of the error
    std::vector<int> looks;
    int next = std::max(session.first_look, 1);
    while (next * least_growth < session.most_rounds) {
        looks.push_back(next);
        next = std::max(next + 1,
                        static_cast<int>(std::lround(std::min(next * growth, 1.0 * session.most_rounds))));
    }
    looks.push_back(session.most_rounds);
    return looks;
}

} // namespace skampi
