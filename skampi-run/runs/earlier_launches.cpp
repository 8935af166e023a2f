// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runs/earlier_launches.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/field_text.hpp"
#include "model/launch_surroundings.hpp"
#include "model/measured_value.hpp"
#include "model/session_start.hpp"
#include "skalib/refinement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace skampi {
namespace {

/// The first launch of each variant.
std::vector<const Run*> first_launches(const std::vector<EndedLaunch>& launches) {
    std::vector<const Run*> first;
    for (const EndedLaunch& launch : launches)
        if (std::ranges::find(first, launch.run.variant, &Run::variant) == first.end())
            first.push_back(&launch.run);
    return first;
}

/// Whether two variants leave it to the same launcher where the ranks run.
bool are_started_alike(const Session& session, const std::string& one, const std::string& other) {
    const auto first = std::ranges::find(session.variants, one, &Variant::name);
    const auto second = std::ranges::find(session.variants, other, &Variant::name);
    return first != session.variants.end() && second != session.variants.end() &&
           first->launch == second->launch && first->arguments == second->arguments;
}

/// What the launches of a session did with the windows of a suite.
struct WindowsOfSuite {
    std::optional<int> given_up_in; ///< decided before
    std::map<int, bool> kept;       ///< by round: in all its launches
};

StartsOfLaunch starts_of(const Database& database, const StoredSuite& suite) {
    StartsOfLaunch starts;
    for (const StoredMeasurement& each : database.measurements(suite.id))
        if (each.finished)
            ++(gave_up_windows(suite.suite, each.measurement) ? starts.between_barriers : starts.in_windows);
    return starts;
}

void add_windows(const Database& database, RunId id, int round, std::map<std::string, WindowsOfSuite>& all) {
    for (const StoredSuite& suite : database.suites(id)) {
        if (!starts_together(suite.suite) || suite.suite.synchronization != Synchronization::window)
            continue;
        WindowsOfSuite& windows = all[suite.suite.name];
        if (const auto fact = suite.facts.find(fact_windows_given_up_in_round); fact != suite.facts.end())
            windows.given_up_in = static_cast<int>(integer_from(fact->second).value_or(1));
        if (windows.given_up_in)
            continue;
        const bool kept = starts_of(database, suite).kept_windows();
        const auto [of_round, first] = windows.kept.emplace(round, kept);
        of_round->second = of_round->second && kept;
    }
}

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
    bool refines = false;
};

std::set<std::int64_t> measured_arguments(const Database& database, SuiteId suite) {
    std::set<std::int64_t> arguments;
    for (const StoredMeasurement& each : database.measurements(suite))
        if (each.finished)
            arguments.insert(each.measurement.argument);
    return arguments;
}

void add_arguments(const Database& database, RunId id, const std::vector<Variant>& variants,
                   std::map<std::string, ArgumentsOfSuite>& suites) {
    for (const StoredSuite& stored : database.suites(id)) {
        const std::set<std::int64_t> own = measured_arguments(database, stored.id);
        if (stored.suite.varied == Varied::none || own.empty()) // its limits may be impossible
            continue;
        ArgumentsOfSuite& suite = suites[stored.suite.name];
        const std::vector<std::int64_t> first = skalib::Refinement(stored.suite.arguments).first_pass();
        suite.first_pass.insert(first.begin(), first.end());
        suite.first_pass.merge(lengths_near_settings(stored.suite, variants));
        suite.refines = skalib::is_dynamic(stored.suite.arguments.scale);
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

using ArgumentsBySuite = std::map<std::string, std::vector<std::int64_t>>;

/// Takes away what more launches had no time for than had, but never all of a suite.
/// @param balance by suite and argument, launches that measured it less those that had no time for it
void drop_without_time(ArgumentsBySuite& arguments,
                       std::map<std::string, std::map<std::int64_t, int>>& balance) {
    for (auto& [name, of_suite] : arguments) {
        std::map<std::int64_t, int>& own = balance[name];
        if (std::ranges::any_of(of_suite, [&](std::int64_t each) { return own[each] >= 0; }))
            std::erase_if(of_suite, [&](std::int64_t each) { return own[each] < 0; });
    }
}

} // namespace

std::vector<std::int64_t> sides_of_jumps(const Database& database, RunId run, const Suite& suite) {
    std::set<std::int64_t> sides;
    for (const StoredSuite& stored : database.suites(run)) {
        if (stored.suite.name != suite.name || stored.suite.arguments != suite.arguments ||
            !skalib::is_dynamic(suite.arguments.scale))
            continue;
        skalib::Refinement refinement(suite.arguments);
        for (const StoredMeasurement& each : database.measurements(stored.id))
            if (each.finished && has_value(each.measurement))
                refinement.add(each.measurement.argument, each.measurement.value_s,
                               each.measurement.standard_error_s);
        for (const skalib::SegmentError& jump : refinement.located_jumps())
            sides.insert({jump.begin, jump.end});
    }
    return {sides.begin(), sides.end()};
}

std::vector<EndedLaunch> launches_of_session(const Database& database, const std::string& session_uuid) {
    std::vector<EndedLaunch> launches;
    std::set<std::pair<int, std::string>> places;
    for (const RunId id : database.runs()) {
        Run run = database.run(id);
        const SessionPlace place = run.session_place;
        if (run.kind == "raw" && !run.ended_utc.empty() && place.session == session_uuid &&
            places.emplace(place.round, run.variant).second)
            launches.push_back({id, std::move(run), place});
    }
    return launches;
}

void check_session_machine(const std::string& database, const Session& session,
                           const std::vector<EndedLaunch>& launches, const Run& run) {
    const std::vector<const Run*> first = first_launches(launches);
    std::vector<std::string> differences;
    const Run* before = nullptr;
    if (const auto own = std::ranges::find(first, run.variant, &Run::variant); own != first.end()) {
        before = *own;
        differences = surroundings_differ(*before, run);
    } else {
        for (const Run* other : first)
            if (differences.empty() && are_started_alike(session, run.variant, other->variant)) {
                before = other;
                differences = machines_differ(*other, run);
            }
    }
    if (!differences.empty())
        throw InputError(fmt::format(
            "{}: found a launch of variant {} that differs from {} in the same session: {}; "
            "expected the same machine, library and binding for all rounds. Begin a session in a new file (-d); "
            "where nodes are alike, name them by @MACHINE in the parameter file",
            printable(database), printable(run.variant),
            before->variant == run.variant ? "an earlier one"
                                           : "one of variant " + printable(before->variant),
            fmt::join(differences, "; ")));
}

std::map<std::string, int> suites_without_windows(const Database& database,
                                                  const std::vector<EndedLaunch>& launches) {
    std::map<std::string, WindowsOfSuite> all;
    for (const EndedLaunch& launch : launches)
        add_windows(database, launch.id, launch.place.round, all);
    std::map<std::string, int> given_up;
    for (const auto& [suite, windows] : all) {
        if (windows.given_up_in) {
            given_up[suite] = *windows.given_up_in;
            continue;
        }
        int balance = 0; // rounds left without those lost
        for (const auto& [round, kept] : windows.kept) {
            balance += kept ? 1 : -1;
            if (!kept && balance <= 0)
                given_up.emplace(suite, round);
        }
    }
    return given_up;
}

ArgumentsBySuite arguments_of_session(const Database& database, const std::vector<EndedLaunch>& launches,
                                      const std::vector<Variant>& variants, int round) {
    int first_round = std::numeric_limits<int>::max();
    for (const EndedLaunch& launch : launches)
        first_round = std::min(first_round, launch.place.round);
    if (first_round >= round)
        return {};
    std::map<std::string, ArgumentsOfSuite> suites;
    for (const EndedLaunch& launch : launches)
        if (launch.place.round == first_round)
            add_arguments(database, launch.id, variants, suites);
    ArgumentsBySuite arguments;
    for (const auto& [name, suite] : suites)
        arguments[name] = common_arguments(suite);
    std::map<std::string, std::map<std::int64_t, int>> balance;
    int of_round = first_round;
    for (const EndedLaunch& launch : launches) {
        if (launch.place.round >= round)
            continue;
        if (std::exchange(of_round, launch.place.round) != launch.place.round)
            drop_without_time(arguments, balance);
        for (const StoredSuite& stored : database.suites(launch.id)) {
            const std::set<std::int64_t> own = measured_arguments(database, stored.id);
            const int lacking = stored.facts.contains(fact_left_out) ? 1 : 0;
            for (const std::int64_t each : arguments[stored.suite.name])
                balance[stored.suite.name][each] += own.contains(each) ? 1 : -lacking;
        }
    }
    drop_without_time(arguments, balance);
    std::erase_if(arguments, [&](const auto& each) {
        const auto suite = suites.find(each.first);
        return suite == suites.end() ||
               (!suite->second.refines && each.second.size() == suite->second.first_pass.size());
    });
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

SharedBySession join_session(const Database& database, const std::string& path, const Run& run) {
    const SessionPlace& place = run.session_place;
    const std::vector<EndedLaunch> launches = launches_of_session(database, place.session);
    const std::vector<Session> sessions = database.sessions();
    const auto found = std::ranges::find(sessions, place.session, &Session::uuid);
    const Session session =
        found == sessions.end() ? Session{} : *found; // one that is not in the file has no variants
    check_session_machine(path, session, launches, run);
    return {.without_windows = suites_without_windows(database, launches),
            .arguments = arguments_of_session(database, launches, session.variants, place.round)};
}

} // namespace skampi
