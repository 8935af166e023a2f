#include "../inference/study.hpp"
#include "invented_session.hpp"

#include <boost/math/distributions/beta.hpp>

#include <algorithm>

namespace skampi::bench {

namespace {

/// What became of one session.
struct SessionOutcome {
    bool different = false;     ///< a statement said so at a look, also at one before the last
    bool wrongly_equal = false; ///< likewise, though the variants differ by more
    bool equal = false;         ///< that of all arguments, at the end
    bool found_in_20 = false;   ///< that of all arguments was different at a look after at most 20 rounds
    bool covered = true;        ///< its last interval holds the true ratio
    int rounds = 0;             ///< at its end
    std::size_t open = 0;       ///< statements at its end
};

/// Looks at a session as skampi-run does: until nothing is open.
SessionOutcome outcome_of(const SessionLaunches& launches, double true_ratio, double margin) {
    SessionOutcome outcome;
    for (const TurnsLook& look : looks_of(launches.session)) {
        const Turns turns = judge_turns(launches, look);
        for (const TurnsVariant& variant : turns.variants)
            for (const TurnsSuite& suite : variant.suites)
                for (const TurnsStatement& statement : suite.statements) {
                    outcome.different = outcome.different || statement.different();
                    outcome.wrongly_equal =
                        outcome.wrongly_equal || (statement.equal && true_ratio > 1 + margin);
                }
        const TurnsStatement& whole = turns.variants.front().suites.front().statements.front();
        outcome.equal = whole.equal;
        outcome.found_in_20 = outcome.found_in_20 || (turns.look.rounds <= 20 && whole.different());
        outcome.covered = !whole.judged() || (*whole.low <= true_ratio && true_ratio <= *whole.high);
        outcome.rounds = turns.look.rounds;
        outcome.open = turns.open();
        if (outcome.open == 0)
            break;
    }
    return outcome;
}

struct Outcomes {
    std::vector<SessionOutcome> sessions;

    [[nodiscard]] double share(bool SessionOutcome::*what) const {
        return static_cast<double>(std::ranges::count(sessions, true, what)) /
               static_cast<double>(sessions.size());
    }
    /// The upper bound of 99 % of that share (Clopper and Pearson).
    [[nodiscard]] double bound(bool SessionOutcome::*what) const {
        const auto all = static_cast<double>(sessions.size());
        const auto hits = static_cast<double>(std::ranges::count(sessions, true, what));
        return hits == all
                   ? 1
                   : boost::math::quantile(boost::math::beta_distribution<>(hits + 1, all - hits), 0.99);
    }
    [[nodiscard]] double median_rounds() const {
        std::vector<int> rounds;
        for (const SessionOutcome& each : sessions)
            rounds.push_back(each.rounds);
        std::ranges::nth_element(rounds, rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2));
        return rounds[rounds.size() / 2];
    }
};

Outcomes outcomes(InventedSession wanted, double ratio, const StudyOptions& options) {
    wanted.factor = [ratio](std::size_t variant, std::int64_t) { return variant == 1 ? ratio : 1.0; };
    Outcomes found;
    for (int i = 0; i < options.series; ++i)
        found.sessions.push_back(
            outcome_of(invent_session(wanted, options.seed * 1'000'000 + static_cast<std::uint64_t>(i)),
                       ratio, wanted.margin));
    return found;
}

/// What the machine does in the sessions of a row.
struct Machine {
    const char* name;
    InventedSession session;
};

std::vector<Machine> machines() {
    InventedSession quiet;
    InventedSession shared = quiet;
    shared.drift = 0.1;
    shared.states = InventedSession::States::of_rounds;
    InventedSession tails = shared;
    tails.heavy_tails = true;
    InventedSession own = shared;
    own.states = InventedSession::States::of_launches;
    return {{"noise alone", quiet},
            {"drift, states of rounds", shared},
            {"the same, tails of t3", tails},
            {"drift, states of launches", own}};
}

std::vector<StudyRow> equals(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const auto& [name, session] : machines()) {
        const Outcomes found = outcomes(session, 1, options);
        rows.push_back({std::string("different, ") + name, found.share(&SessionOutcome::different), 0, 0.05});
        rows.push_back({"  its upper bound of 99 %", found.bound(&SessionOutcome::different), 0, 0.063});
        // Rounds whose launches met two states say nothing: two of five are lost.
        const bool own = session.states == InventedSession::States::of_launches;
        rows.push_back({"  equal within 2 %, after 40 rounds at most", found.share(&SessionOutcome::equal),
                        own ? 0 : 0.9});
        rows.push_back({"  rounds, median", found.median_rounds(), 0, 40, "rounds"});
    }
    InventedSession many = machines()[1].session;
    many.names = {"a", "b", "c"};
    many.suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan", "MPI_Gather", "MPI_Scatter"};
    StudyOptions fewer = options;
    fewer.series = std::max(1, options.series / 4);
    rows.push_back({"different anywhere, 3 variants, 5 suites (a quarter of the sessions)",
                    outcomes(many, 1, fewer).share(&SessionOutcome::different), 0, 0.05});
    return rows;
}

std::vector<StudyRow> differences(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const auto& [name, session] : machines()) {
        const Outcomes found = outcomes(session, 1.05, options);
        rows.push_back({std::string("5 % found within 20 rounds, ") + name,
                        found.share(&SessionOutcome::found_in_20), 0.95});
        rows.push_back({"  rounds, median", found.median_rounds(), 0, 40, "rounds"});
    }
    for (const auto& [name, session] : machines()) {
        InventedSession narrow = session;
        narrow.margin = 0.005;
        rows.push_back({std::string("1 % called equal within 0.5 %, ") + name,
                        outcomes(narrow, 1.01, options).share(&SessionOutcome::wrongly_equal), 0, 0.05});
        rows.push_back({std::string("2.01 % called equal within 2 %, ") + name,
                        outcomes(session, 1.0201, options).share(&SessionOutcome::wrongly_equal), 0, 0.05});
    }
    return rows;
}

} // namespace

const std::vector<Study>& studies() {
    static const std::vector<Study> all{
        {"equal", "variants that are alike, launches scatter by 2 %: what do sessions say?", equals},
        {"different", "variants that differ, launches scatter by 2 %: what do sessions say?", differences}};
    return all;
}

} // namespace skampi::bench
