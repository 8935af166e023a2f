#include "runs/session_arguments.hpp"

#include "skalib/refinement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

namespace skampi {
namespace {

/// The message length that a text may mean: digits and at most a unit, k, M or G, "B" or "iB" behind it.
std::optional<std::int64_t> length_from(std::string_view text) {
    constexpr std::int64_t smallest = 64;
    constexpr std::int64_t largest = std::int64_t{1} << 30;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > largest)
        return std::nullopt;
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    constexpr std::string_view powers = "kmg";
    if (const std::size_t power = unit.empty() ? powers.npos : powers.find(static_cast<char>(unit[0] | 0x20));
        power != powers.npos) {
        number <<= 10 * (power + 1);
        unit.remove_prefix(1);
    }
    const bool is_unit = unit.empty() || unit == "B" || unit == "b" || unit == "iB";
    return is_unit && number >= smallest && number <= largest ? std::optional(number) : std::nullopt;
}

/// What the launches of the first round measured of a suite.
struct ArgumentsOfSuite {
    std::set<std::int64_t> first_pass; ///< and what else is measured in any case
    std::set<std::int64_t> all;
    std::size_t most = 0; ///< of one launch
};

void add_launch(const Database& database, RunId id, const std::vector<Variant>& variants,
                std::map<std::string, ArgumentsOfSuite>& suites) {
    for (const StoredSuite& stored : database.suites(id)) {
        if (!skalib::is_dynamic(stored.suite.arguments.scale))
            continue;
        std::set<std::int64_t> own;
        for (const StoredMeasurement& each : database.measurements(stored.id))
            if (each.finished)
                own.insert(each.measurement.argument);
        if (own.empty()) // its limits may be impossible
            continue;
        ArgumentsOfSuite& suite = suites[stored.suite.name];
        const std::vector<std::int64_t> first = skalib::Refinement(stored.suite.arguments).first_pass();
        suite.first_pass.insert(first.begin(), first.end());
        suite.first_pass.merge(lengths_near_settings(stored.suite, variants));
        suite.all.insert(own.begin(), own.end());
        suite.most = std::max(suite.most, own.size());
    }
}

/// The first pass, and of the others those that are so far from their neighbours.
/// @param distance relative
std::vector<std::int64_t> apart(const ArgumentsOfSuite& suite, double distance) {
    std::set<std::int64_t> taken = suite.first_pass;
    for (const std::int64_t argument : suite.all) {
        const auto above = taken.upper_bound(argument);
        const auto near = [&](std::int64_t other) {
            return static_cast<double>(std::max(argument, other) - std::min(argument, other)) <
                   distance * static_cast<double>(argument);
        };
        if ((above == taken.end() || !near(*above)) && (above == taken.begin() || !near(*std::prev(above))))
            taken.insert(argument);
    }
    return {taken.begin(), taken.end()};
}

std::vector<std::int64_t> common_arguments(const ArgumentsOfSuite& suite) {
    constexpr double least_distance = 0.04;
    constexpr double far = 1;
    std::vector<std::int64_t> taken = apart(suite, least_distance);
    for (double distance = 2 * least_distance; taken.size() > 2 * suite.most && distance < far; distance *= 2)
        taken = apart(suite, distance);
    return taken;
}

} // namespace

std::map<std::string, std::vector<std::int64_t>>
arguments_of_session(const Database& database, const std::vector<EndedLaunch>& launches,
                     const std::vector<Variant>& variants, int round) {
    int first_round = std::numeric_limits<int>::max();
    for (const EndedLaunch& launch : launches)
        first_round = std::min(first_round, launch.place.round);
    if (first_round >= round)
        return {};
    std::map<std::string, ArgumentsOfSuite> suites;
    for (const EndedLaunch& launch : launches)
        if (launch.place.round == first_round)
            add_launch(database, launch.id, variants, suites);
    std::map<std::string, std::vector<std::int64_t>> arguments;
    for (const auto& [name, suite] : suites)
        arguments[name] = common_arguments(suite);
    return arguments;
}

std::vector<std::int64_t> lengths_near_settings(const std::vector<Variant>& variants) {
    std::set<std::int64_t> lengths;
    for (const Variant& variant : variants)
        for (const auto& [name, value] : variant.settings)
            if (const std::optional<std::int64_t> length = value ? length_from(*value) : std::nullopt)
                for (const std::int64_t eighths : std::array{6, 7, 9, 12})
                    lengths.insert(*length * eighths / 8);
    return {lengths.begin(), lengths.end()};
}

std::set<std::int64_t> lengths_near_settings(const Suite& suite, const std::vector<Variant>& variants) {
    std::set<std::int64_t> lengths;
    if (suite.varied != Varied::message_length || !skalib::is_dynamic(suite.arguments.scale))
        return lengths;
    const skalib::RefinementLimits limits = skalib::within_multiples(suite.arguments);
    const std::int64_t multiple = std::max<std::int64_t>(limits.multiple_of, 1);
    for (std::int64_t length : lengths_near_settings(variants)) {
        length -= length % multiple;
        if (length >= limits.start && length <= limits.end)
            lengths.insert(length);
    }
    return lengths;
}

} // namespace skampi
