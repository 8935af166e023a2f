// SPDX-License-Identifier: GPL-2.0-or-later
#include "../inference/study.hpp"
#include "invented_session.hpp"

#include <boost/math/distributions/beta.hpp>

#include <algorithm>
#include <fmt/format.h>

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
    for (const SessionLook& look : looks_of(launches.session)) {
        const SessionContest session = judge_session(launches, look);
        for (const VariantContest& variant : session.variants)
            for (const SuiteContest& suite : variant.contest.suites)
                for (const Statement& statement : suite.statements) {
                    outcome.different = outcome.different ||
                                        (statement.place.kind != Place::Kind::point && statement.different());
                    outcome.wrongly_equal = outcome.wrongly_equal ||
                                            (statement.verdict == Verdict::equal && true_ratio > 1 + margin);
                }
        const Statement& whole = *session.variants.front().contest.suites.front().whole();
        // What differs by less than the margin is no other thing than equal, to who asks for that.
        outcome.equal = whole.verdict == Verdict::equal ||
                        (whole.different() && whole.low * (1 + margin) > 1 && whole.high < 1 + margin);
        outcome.found_in_20 = outcome.found_in_20 || (look.rounds <= 20 && whole.different());
        outcome.rounds = look.rounds;
        outcome.open = session.open();
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

/// Every other launch meets the other state, and a threshold acts in the usual one alone.
InventedSession alternating_machine() {
    InventedSession session = shared_machine();
    session.arguments = {8, 64, 512, 4096, 6144, 8192, 10240, 12288, 14336, 16384, 24576, 65536, 262144};
    session.of_launch = 0.1;
    session.of_point = 0.1;
    session.states = InventedSession::States::of_launches;
    session.other_share = 0.5;
    session.decides = false;
    session.factor_in_other = [](std::size_t, std::int64_t) { return 1.0; };
    return session;
}

bool is_beyond_threshold(std::int64_t argument) {
    return argument > 8192 && argument < 16384;
}

/// What single lengths say after so many rounds.
struct LengthsFound {
    bool threshold = false;   ///< of those that differ at least one, in the state in which it does
    bool of_no_state = false; ///< such a one, but as if it were so in any state
    bool others = false;      ///< of those that do not differ, or in the state in which none does: any
};

LengthsFound lengths_found(const SessionLaunches& launches) {
    LengthsFound found;
    const SessionContest session = judge_session(launches, look_due(launches));
    for (const SuiteContest& suite : session.variants.front().contest.suites)
        for (const Statement* range : suite.of_kind(Place::Kind::range))
            if (range->different()) {
                const bool there =
                    is_beyond_threshold(range->place.from) || is_beyond_threshold(range->place.to);
                const bool in_slower = suite.state && suite.state->slower;
                found.threshold = found.threshold || (there && suite.state && !in_slower);
                found.of_no_state = found.of_no_state || (there && !suite.state);
                found.others = found.others || !there || in_slower;
            }
    return found;
}

std::vector<StudyRow> threshold_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const double factor : {1.0, 0.5})
        for (const int rounds : {20, 40}) {
            InventedSession session = alternating_machine();
            session.rounds = rounds;
            session.factor = [factor](std::size_t variant, std::int64_t argument) {
                return variant == 1 && is_beyond_threshold(argument) ? factor : 1.0;
            };
            int threshold = 0;
            int of_no_state = 0;
            int others = 0;
            for (int i = 0; i < options.series; ++i) {
                const LengthsFound found = lengths_found(
                    invent_session(session, options.seed * 1'000'000 + static_cast<std::uint64_t>(i)));
                threshold += found.threshold ? 1 : 0;
                of_no_state += found.of_no_state ? 1 : 0;
                others += found.others ? 1 : 0;
            }
            const auto share = [&](int hits) { return static_cast<double>(hits) / options.series; };
            const std::string what = factor == 1 ? "alike" : "twice as fast at three lengths";
            rows.push_back({fmt::format("{}, {} rounds: another length said to differ", what, rounds),
                            share(others), 0, 0.05});
            if (factor == 1)
                continue;
            rows.push_back({"  one of the three found, in its state", share(threshold), 0.9});
            rows.push_back({"  found without its state", share(of_no_state), 0, 0.1});
        }
    return rows;
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
        {"threshold", "every other launch in another state, in one of which a threshold acts",
         threshold_study},
        {"many", "three variants, five suites, on the shared machine", many_study}};
    return all;
}

} // namespace skampi::bench
