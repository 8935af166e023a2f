// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"
#include "model/suite.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// One of several ways to run the same plan: a library, a setting, a build, a placement.
struct Variant {
    std::string name;      ///< Run::variant of its runs
    std::string program;   ///< file that the launcher starts; empty = the program that was called
    std::string launch;    ///< template of the launcher's command line; empty = that of the session
    std::string arguments; ///< further words for the launcher
    /// What it changes of the ranks' environment; none = the variable is removed.
    std::map<std::string, std::optional<std::string>> settings;
    bool operator==(const Variant&) const = default;
};
[[nodiscard]] inline bool differ_in_name_alone(const Variant& first, Variant second) {
    second.name = first.name;
    return first == second;
}

/// A variable of variants that compare a tuning file with the library's own choice (skampi-run verify): a
/// hash of the file, so that another content makes another session.
inline constexpr const char* tuning_content_variable = "TUNING_FILE_CONTENT";

/// The first variable by which a variant chooses a library's algorithm of an operation
/// ("MPIR_CVAR_BCAST_INTRA_ALGORITHM", "OMPI_MCA_coll_tuned_bcast_algorithm"); empty = none does.
[[nodiscard]] std::string algorithm_variable(const std::vector<Variant>& variants);

/// Whether a text can be the name of an environment variable: a letter or _, then letters, digits and _.
[[nodiscard]] bool is_variable_name(std::string_view text);
/// The problem with a variant's name: "found ..., expected ..."; empty = none.
[[nodiscard]] std::string wrong_variant_name(const std::string& name);

/// Why a session ended.
enum class SessionEnd {
    not_yet, ///< it continues, or was interrupted
    decided, ///< no statement is open
    rounds,  ///< its last round was made
    time,    ///< another round would have passed the time it had
    failed,  ///< fewer than two variants can be launched
};
[[nodiscard]] std::string_view to_text(SessionEnd value);

/// Variants that are launched in turns: each once a round, in an order drawn for the round, so that what a
/// round shares cancels in their difference. Run::session_place says which launch a run was.
struct Session {
    std::string uuid;
    std::string plan_hash; ///< Run::plan_hash of its runs
    int ranks = 0;
    std::int64_t seed = 0; ///< with the number of a round it decides the round's order
    double margin = 0;     ///< variants are equal where their ratio is within [1 / (1 + margin), 1 + margin]
    double error = 0;      ///< the probability of any false difference in all its statements together
    int first_look = 0;    ///< rounds before the first look
    int most_rounds = 0;   ///< it ends after so many
    double time_limit_s = 0; ///< 0 = none
    bool race = false;       ///< variants that are slower everywhere leave
    bool decides = true;     ///< false: a fixed number of rounds, which no look ends early
    std::string launch;      ///< template of the launcher's command line; empty = the usual one
    std::string started_utc;
    std::string ended_utc; ///< empty = not ended
    SessionEnd end = SessionEnd::not_yet;
    std::vector<Variant> variants; ///< the first is the reference
};

/// A launch that gave no run.
struct SessionFailure {
    int round = 0; ///< from 1
    int place = 0; ///< in the round's order, from 0; that of a second try is the same
    std::string variant;
    std::string time_utc;
    std::string reason;
};

/// Begin of the names of facts of a launch of a session: the library's value of a variable that some variant
/// changes, read from the library itself.
inline constexpr std::string_view fact_setting_read_back = "setting read back: ";
/// The same for a variable that the library does not have.
inline constexpr std::string_view fact_setting_unknown = "setting unknown to the library: ";
/// Kind of an event: a library below MPI (UCX) reported an unused variable, whose name is the text.
inline constexpr const char* event_unused_setting = "unused-setting";

/// The order of a round: numbers of variants, drawn from the seed and the round alone (Fisher-Yates), so that
/// it is the same after an interruption.
/// @param variants how many there are; the caller leaves out those that no longer take part
[[nodiscard]] std::vector<std::size_t> order_of_round(std::int64_t seed, int round, std::size_t variants);

/// The rounds after which a session has a look: the first, then each 1.4 times as many, and the last round.
/// Ascending.
[[nodiscard]] std::vector<int> rounds_of_looks(const Session& session);

// --- fields

/// The fields of Session but its variants: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Session> Row, typename Visitor>
void for_each_field(Row& session, Visitor&& field) {
    field({"uuid", "run.session of its runs"}, session.uuid);
    field({"plan_hash", "run.plan_hash of its runs"}, session.plan_hash);
    field({"ranks", "number of ranks of each launch"}, session.ranks);
    field({"seed", "with the number of a round it decides the round's order"}, session.seed);
    field({"margin", "variants are equal where their ratio is within [1 / (1 + margin), 1 + margin]"},
          session.margin);
    field({"error", "largest probability of any false difference in the session"}, session.error);
    field({"first_look", "rounds before the first look at the results"}, session.first_look);
    field({"most_rounds", "it ends after so many"}, session.most_rounds);
    field({"time_limit_s", "it begins no round that would end later; 0 = none"}, session.time_limit_s);
    field({"race", "1 = variants that are slower in every suite leave"}, session.race);
    field({"decides", "0 = a fixed number of rounds, which no look ends early"}, session.decides);
    field({"launch", "template of the launcher's command line; empty = the usual one"}, session.launch);
    field({"started_utc", "begin of the session"}, session.started_utc);
    field({"ended_utc", "end of the session; empty = not ended"}, session.ended_utc);
    field({"end_reason", "why it ended: decided, rounds, time, failed; not yet = it has not"}, session.end);
}

/// The fields of Variant but its settings.
template <MaybeConst<Variant> Row, typename Visitor>
void for_each_field(Row& variant, Visitor&& field) {
    field({"name", "run.variant of its runs"}, variant.name);
    field({"program", "file that the launcher starts; empty = the program that was called"}, variant.program);
    field({"launch", "template of the launcher's command line; empty = that of the session"}, variant.launch);
    field({"arguments", "further words for the launcher"}, variant.arguments);
}

template <MaybeConst<SessionFailure> Row, typename Visitor>
void for_each_field(Row& failure, Visitor&& field) {
    field({"round", "from 1"}, failure.round);
    field({"place", "in the order of the round, from 0"}, failure.place);
    field({"variant", "name of the variant"}, failure.variant);
    field({"time_utc", "when it failed"}, failure.time_utc);
    field({"reason", "why"}, failure.reason);
}

} // namespace skampi
