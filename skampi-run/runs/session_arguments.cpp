#include "runs/session_arguments.hpp"

#include "runs/launches_of_session.hpp"
#include "skalib/refinement.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>

namespace skampi {
namespace {

/// What the launches of the first round measured of a suite.
struct ArgumentsOfSuite {
    std::set<std::int64_t> first_pass;
    std::set<std::int64_t> all;
    std::size_t most = 0; ///< of one launch
};

void add_launch(const Database& database, RunId id, std::map<std::string, ArgumentsOfSuite>& suites) {
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
arguments_of_session(const Database& database, const std::string& session_uuid, int round) {
    const std::vector<EndedLaunch> launches = launches_of_session(database, session_uuid);
    int first_round = std::numeric_limits<int>::max();
    for (const EndedLaunch& launch : launches)
        first_round = std::min(first_round, launch.place.round);
    if (first_round >= round)
        return {};
    std::map<std::string, ArgumentsOfSuite> suites;
    for (const EndedLaunch& launch : launches)
        if (launch.place.round == first_round)
            add_launch(database, launch.id, suites);
    std::map<std::string, std::vector<std::int64_t>> arguments;
    for (const auto& [name, suite] : suites)
        arguments[name] = common_arguments(suite);
    return arguments;
}

} // namespace skampi
