// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/session_run.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "host/host_facts.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "session/rounds.hpp"
#include "session/session_sums.hpp"
#include "session/variant_text.hpp"
#include "store/database.hpp"
#include "store/session_lock.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace skampi {
namespace {

/// How an unfinished session differs from the wanted one; empty = it is that one. Its time limit may differ,
/// and a seed that the user did not choose (0).
std::string difference(const Session& stored, const Session& wanted) {
    if (stored.plan_hash != wanted.plan_hash)
        return "the parameter file measures something else";
    if (stored.ranks != wanted.ranks)
        return fmt::format("it has {} ranks", stored.ranks);
    if (stored.variants != wanted.variants || stored.launch != wanted.launch) {
        std::string texts;
        for (const Variant& variant : stored.variants)
            texts += fmt::format("{}{}: {}", texts.empty() ? "" : "; ", printable(variant.name),
                                 printable(variant_text(variant)));
        return "its variants are " + texts;
    }
    if (stored.margin != wanted.margin)
        return fmt::format("its margin is {:.6g} %", 100 * stored.margin);
    if (stored.first_look != wanted.first_look || stored.most_rounds != wanted.most_rounds ||
        stored.decides != wanted.decides)
        return fmt::format("it has {} to {} rounds", stored.first_look, stored.most_rounds);
    if (stored.race != wanted.race)
        return stored.race ? "it is a race" : "it is no race";
    if (wanted.seed != 0 && stored.seed != wanted.seed)
        return fmt::format("its seed is {}", stored.seed);
    return {};
}

bool holds_something(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0;
}

class SessionRun {
public:
    SessionRun(const std::string& database, const SessionWish& wish, SessionHands& hands)
        : path_(database)
        , wish_(wish)
        , hands_(hands) {}

    int run() {
        if (!begin())
            return static_cast<int>(done_or_incomplete());
        SessionProgress progress = progress_of_session(Database::open(path_), session_.uuid);
        used_s_ = progress.launches_s;
        const double last_launch_s = progress.last_start_s;
        Rounds rounds(session_, std::move(progress));
        const std::vector<int> looks = rounds_of_looks(session_);
        int seen = 0; // complete rounds already considered
        while (const std::optional<DueLaunch> due = rounds.next()) {
            if (rounds.living() < 2) {
                tell_of_given_up(rounds);
                return end(SessionEnd::failed, ExitStatus::impossible);
            }
            if (const int complete = rounds.complete(); complete > seen) {
                if (seen == 0 && session_.decides)
                    tell_how_long(complete, looks);
                seen = complete;
                // After an interruption the last look is made again: who had left stays away.
                if (const auto why = look_is_due(looks, complete) ? look(rounds) : std::nullopt)
                    return end(*why, *why == SessionEnd::failed ? ExitStatus::impossible : ExitStatus::done);
                if (rounds.living() < 2)
                    return end(SessionEnd::decided, ExitStatus::done);
                if (no_time_for_another(complete))
                    return end(SessionEnd::time, ExitStatus::done);
                if (!rounds.lives(due->variant))
                    continue;
            }
            if (due->place.round > waited_for_) {
                waited_for_ = due->place.round;
                if (const int signal = hands_.wait_for_round(
                        {due->place.round, utc_seconds(session_.started_utc).value_or(0), last_launch_s});
                    signal != 0)
                    return 128 + signal;
            }
            if (const std::optional<int> status = launch(*due, rounds))
                return *status;
        }
        tell_of_given_up(rounds);
        if (rounds.living() < 2)
            return end(SessionEnd::failed, ExitStatus::impossible);
        const SessionEnd why = (session_.decides ? look(rounds) : std::nullopt).value_or(SessionEnd::rounds);
        return end(why, why == SessionEnd::failed ? ExitStatus::impossible : ExitStatus::done);
    }

private:
    /// Goes on with the unfinished session, or records a new one.
    /// @return false where it is done already
    bool begin() {
        if (!wish_.fresh && holds_something(path_)) {
            const std::vector<Session> sessions = Database::open(path_).sessions();
            const auto open = std::find_if(sessions.rbegin(), sessions.rend(),
                                           [](const Session& session) { return session.ended_utc.empty(); });
            if (open != sessions.rend()) {
                if (const std::string other = difference(*open, wish_.session); !other.empty())
                    throw InputError(
                        fmt::format("{}: found an unfinished session of another definition ({}), "
                                    "expected the same; --fresh begins a new one",
                                    printable(path_), other));
                go_on(*open, "the session goes on");
                return true;
            }
            if (wish_.once && !sessions.empty() && difference(sessions.back(), wish_.session).empty()) {
                if (has_more_time(sessions.back())) {
                    go_on(sessions.back(), "the session goes on: there is more time");
                    return true;
                }
                session_ = sessions.back();
                hands_.note("this session has ended; --fresh begins a new one");
                return false;
            }
        }
        session_ = wish_.session;
        session_.uuid = make_uuid();
        session_.started_utc = utc_now();
        while (session_.seed == 0) // not chosen by the user
            session_.seed = static_cast<std::int64_t>(std::hash<std::string>{}(session_.uuid) >> 12);
        Database::open_for_writing(path_).begin_session(session_);
        return true;
    }

    void go_on(const Session& stored, const std::string& note) {
        session_ = stored;
        if (session_.time_limit_s != wish_.session.time_limit_s) {
            session_.time_limit_s = wish_.session.time_limit_s;
            Database::open_for_writing(path_).reopen_session(session_.uuid, session_.time_limit_s);
        }
        hands_.note(note);
    }

    /// Whether a session that ended because of its time limit has more time now.
    [[nodiscard]] bool has_more_time(const Session& ended) const {
        const double limit_s = wish_.session.time_limit_s;
        return ended.end == SessionEnd::time && (limit_s == 0 || limit_s > ended.time_limit_s);
    }

    [[nodiscard]] bool look_is_due(const std::vector<int>& looks, int complete) const {
        return (session_.decides || session_.race) && std::ranges::find(looks, complete) != looks.end();
    }

    /// "2 differences found, 1 at single lengths, 7 statements are open"
    [[nodiscard]] static std::string look_text(const LookResult& result) {
        std::vector<std::string> parts;
        if (result.different > 0)
            parts.push_back(count_of(result.different, "difference") + " found");
        if (result.ranges > 0)
            parts.push_back((result.different > 0 ? std::to_string(result.ranges)
                                                  : count_of(result.ranges, "difference") + " found") +
                            " at single lengths");
        parts.push_back(result.open > 0    ? count_of(result.open, "statement is open", "statements are open")
                        : result.known > 0 ? "all is decided, or known as well as was asked for"
                                           : "all is decided");
        return fmt::format("{}", fmt::join(parts, ", "));
    }

    /// @return why the session ends: all is decided, or there is nothing that more rounds could decide
    std::optional<SessionEnd> look(Rounds& rounds) {
        const std::optional<LookResult> result = hands_.look(session_);
        if (!result)
            return std::nullopt;
        if (result->statements == 0) {
            hands_.note(fmt::format("{}: nothing can be compared: no suite has times of two variants",
                                    count_of(rounds.complete(), "round")));
            return session_.decides ? std::optional(SessionEnd::failed) : std::nullopt;
        }
        for (const std::string& name : result->slower_everywhere)
            if (session_.race && name != session_.variants.front().name && rounds.living() > 2) {
                rounds.leave(name);
                hands_.note(fmt::format("variant {} leaves: it is slower in every suite", printable(name)));
            }
        hands_.note(fmt::format("{}: {}", count_of(rounds.complete(), "round"), look_text(*result)));
        return session_.decides && result->open == 0 ? std::optional(SessionEnd::decided) : std::nullopt;
    }

    /// From the rounds so far.
    void tell_how_long(int complete, const std::vector<int>& looks) {
        const double round_s = used_s_ / complete;
        const auto next = std::ranges::find_if(looks, [&](int look) { return look >= complete; });
        const double limit_s = session_.time_limit_s;
        const double all_s = round_s * session_.most_rounds;
        if (limit_s > 0 && next != looks.end() && limit_s < round_s * *next) {
            hands_.note(
                fmt::format("a round takes {}: it ends with its --time of {}, before the look after {}",
                            rough_time(round_s), rough_time(limit_s), count_of(*next, "round")));
            return;
        }
        hands_.note(fmt::format(
            "a round takes {}: it ends when all is decided, {}at the latest {}", rough_time(round_s),
            next == looks.end() ? ""
                                : fmt::format("after {} ({}) at the earliest, ", count_of(*next, "round"),
                                              rough_time(round_s * *next)),
            limit_s > 0 && limit_s < all_s
                ? fmt::format("with its --time of {}", rough_time(limit_s))
                : fmt::format("after {} ({})", count_of(session_.most_rounds, "round"), rough_time(all_s))));
    }

    void tell_of_given_up(const Rounds& rounds) {
        for (const std::string& name : rounds.given_up())
            hands_.note(fmt::format("variant {} is given up: its launches gave no run", printable(name)));
    }

    [[nodiscard]] bool no_time_for_another(int complete) const {
        return session_.time_limit_s > 0 && used_s_ + used_s_ / complete > session_.time_limit_s;
    }

    /// @return the status to leave with; none = go on
    std::optional<int> launch(const DueLaunch& due, Rounds& rounds) {
        const Variant& variant = session_.variants[due.variant];
        const double before_s = hands_.now_s();
        const LaunchEnd ended = hands_.launch(variant, due.place);
        used_s_ += hands_.now_s() - before_s;
        if (ended.has_run) {
            rounds.succeeded(due);
            something_failed_ =
                something_failed_ || ended.exit_status > static_cast<int>(ExitStatus::incomplete);
            return ended.exit_status > 128 ? std::optional(ended.exit_status) : std::nullopt;
        }
        // A refusal would be repeated and is no failure of the variant: the session is unchanged.
        if (ended.exit_status > 128 || ended.exit_status == static_cast<int>(ExitStatus::bad_input))
            return ended.exit_status;
        something_failed_ = true;
        rounds.failed(due);
        hands_.note(fmt::format("round {}: variant {} gave no run: {}", due.place.round,
                                printable(variant.name), printable(ended.reason)));
        Database::open_for_writing(path_).add_session_failure(session_.uuid, {.round = due.place.round,
                                                                              .place = due.place.place,
                                                                              .variant = variant.name,
                                                                              .time_utc = utc_now(),
                                                                              .reason = ended.reason});
        return std::nullopt;
    }

    int end(SessionEnd why, ExitStatus status) {
        session_.end = why;
        Database::open_for_writing(path_).end_session(session_.uuid, why);
        return static_cast<int>(status == ExitStatus::done ? done_or_incomplete() : status);
    }

    /// For the whole session, including launches before an interruption. Missing points do not matter if all
    /// is decided.
    [[nodiscard]] ExitStatus done_or_incomplete() const {
        const SessionSums sums = sums_of_session(Database::open(path_), session_.uuid);
        if (sums.incomplete > 0)
            hands_.note(fmt::format("{} of {} launches lack points, mostly because no time was left for them "
                                    "(Time_Suite); what most had no time for was dropped for all; "
                                    "skampi-run status tells which",
                                    sums.incomplete, sums.launches));
        const bool complete = sums.incomplete == 0 || session_.end == SessionEnd::decided;
        return !something_failed_ && sums.failed == 0 && complete ? ExitStatus::done : ExitStatus::incomplete;
    }

    const std::string& path_;
    const SessionWish& wish_;
    SessionHands& hands_;
    Session session_;
    double used_s_ = 0; ///< that launches took
    int waited_for_ = 0;
    bool something_failed_ = false;
};

} // namespace

int run_session(const std::string& database, const SessionWish& wish, SessionHands& hands) {
    // Another one would take the launches of this one for its own, and its lock for failures of variants.
    const SessionLock lock(database);
    return SessionRun(database, wish, hands).run();
}

} // namespace skampi
