#include "shared/crash_protocol.hpp"

#include <algorithm>
#include <tuple>

namespace skampi {

std::vector<StoredSuite> note_interrupted(Database& database, RunId run, const std::string& kind,
                                          const std::string& what, int retries, const std::string& time_utc) {
    std::vector<StoredSuite> culprits;
    for (StoredSuite& suite : database.suites(run)) {
        if (!suite.in_progress)
            continue;
        const bool given_up = suite.attempts > retries;
        suite.state = given_up ? SuiteState::failed : SuiteState::put_off;
        suite.in_progress = false;
        suite.reason = what;
        culprits.push_back(std::move(suite));
    }
    // One commit: killed between the suite and its event, a restart would find no culprit and no trace of it.
    database.in_one_commit([&] {
        for (const StoredSuite& suite : culprits) {
            database.end_suite(suite.id, suite.state, suite.reason);
            const std::string attempt = "attempt " + std::to_string(suite.attempts) + " of " +
                                        std::to_string(std::max(suite.attempts, retries + 1));
            database.add_event(run,
                               {.time_utc = time_utc,
                                .kind = kind,
                                .suite = suite.suite.name,
                                .text = what + "; " + attempt + ", " +
                                        (suite.state == SuiteState::failed ? "marked failed" : "put off")});
        }
    });
    return culprits;
}

void note_stopped(Database& database, RunId run, const std::string& what, const std::string& time_utc) {
    const std::vector<StoredSuite> suites = database.suites(run);
    database.in_one_commit([&] {
        for (const StoredSuite& suite : suites) {
            if (suite.in_progress)
                database.end_suite(suite.id, SuiteState::open, what);
        }
        database.add_event(run, {.time_utc = time_utc, .kind = "signal", .suite = {}, .text = what});
    });
}

const StoredSuite* next_suite(const std::vector<StoredSuite>& suites, int retries) {
    const StoredSuite* best = nullptr;
    const auto rank = [](const StoredSuite& suite) {
        const bool put_off = suite.state == SuiteState::put_off;
        return std::tuple(put_off, put_off ? suite.attempts : 0, suite.ordinal);
    };
    for (const StoredSuite& suite : suites) {
        const bool possible = suite.state == SuiteState::open ||
                              (suite.state == SuiteState::put_off && suite.attempts <= retries);
        if (possible && (best == nullptr || rank(suite) < rank(*best)))
            best = &suite;
    }
    return best;
}

} // namespace skampi
