#include "runs/session_starts.hpp"

#include "model/field_text.hpp"
#include "model/session_start.hpp"

#include <algorithm>
#include <optional>

namespace skampi {
namespace {

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

void add_launch(const Database& database, RunId id, int round, std::map<std::string, WindowsOfSuite>& all) {
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

} // namespace

std::map<std::string, int> suites_without_windows(const Database& database,
                                                  const std::vector<EndedLaunch>& launches) {
    std::map<std::string, WindowsOfSuite> all;
    for (const EndedLaunch& launch : launches)
        add_launch(database, launch.id, launch.place.round, all);
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

} // namespace skampi
