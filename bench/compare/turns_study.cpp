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

using States = InventedSession::States;

/// A machine: what do sessions say of variants that are alike, that differ by 5 %, and by just more than the
/// margin?
std::vector<StudyRow> rows_of(const InventedSession& session, const StudyOptions& options) {
    const Outcomes alike = outcomes(session, 1, options);
    const Outcomes apart = outcomes(session, 1.05, options);
    InventedSession narrow = session;
    narrow.margin = 0.005;
    return {{"alike: different anywhere, at any look", alike.share(&SessionOutcome::different), 0, 0.05},
            {"  its upper bound of 99 %", alike.bound(&SessionOutcome::different), 0, 0.063},
            {"  equal within 2 %, after 40 rounds at most", alike.share(&SessionOutcome::equal), 0.9},
            {"  rounds, median", alike.median_rounds(), 0, 40, "rounds"},
            {"5 % apart: found within 20 rounds", apart.share(&SessionOutcome::found_in_20), 0.95},
            {"  rounds, median", apart.median_rounds(), 0, 40, "rounds"},
            {"1 % apart: called equal within 0.5 %",
             outcomes(narrow, 1.01, options).share(&SessionOutcome::wrongly_equal), 0, 0.05},
            {"2.01 % apart: called equal within 2 %",
             outcomes(session, 1.0201, options).share(&SessionOutcome::wrongly_equal), 0, 0.05}};
}

std::vector<StudyRow> quiet_study(const StudyOptions& options) {
    return rows_of({}, options);
}

InventedSession shared_machine() {
    InventedSession session;
    session.drift = 0.1;
    session.states = States::of_rounds;
    return session;
}

std::vector<StudyRow> shared_study(const StudyOptions& options) {
    return rows_of(shared_machine(), options);
}

std::vector<StudyRow> tails_study(const StudyOptions& options) {
    InventedSession session = shared_machine();
    session.heavy_tails = true;
    return rows_of(session, options);
}

std::vector<StudyRow> states_study(const StudyOptions& options) {
    InventedSession session = shared_machine();
    session.states = States::of_launches;
    return rows_of(session, options);
}

std::vector<StudyRow> neighbours_study(const StudyOptions& options) {
    InventedSession session = shared_machine();
    session.states = States::of_launches;
    session.shares_cores = true;
    return rows_of(session, options);
}

std::vector<StudyRow> many_study(const StudyOptions& options) {
    InventedSession session = shared_machine();
    session.names = {"a", "b", "c"};
    session.suites = {"MPI_Bcast", "MPI_Reduce", "MPI_Scan", "MPI_Gather", "MPI_Scatter"};
    return {{"alike: different anywhere, at any look",
             outcomes(session, 1, options).share(&SessionOutcome::different), 0, 0.05}};
}

} // namespace

const std::vector<Study>& studies() {
    static const std::vector<Study> all{
        {"quiet", "launches scatter by 2 %", quiet_study},
        {"shared", "and the machine drifts by 10 %, one round of four in another state", shared_study},
        {"tails", "and tails are those of t3", tails_study},
        {"states", "and one launch of four in another state, instead of one round", states_study},
        {"neighbours", "and one launch of three beside other work on its cores", neighbours_study},
        {"many", "three variants, five suites, on the shared machine", many_study}};
    return all;
}

} // namespace skampi::bench
