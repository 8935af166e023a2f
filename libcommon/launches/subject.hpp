// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/launch_values.hpp"
#include "model/launch_time.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "model/stored.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A launch of a suite: all that it measured, used for the values shown or not.
struct SuiteLaunch {
    LaunchValues values; ///< that the values shown rest on
    LaunchValues others; ///< in another state of the machine, or left out because they are in doubt
    std::set<std::int64_t> abstentions; ///< arguments that it measured without a usable value
    double probe_s = 0;                 ///< median over its values; 0 = not known
    double core_speed = 0;              ///< core_speed(), likewise
    bool other_start = false;  ///< left out: between barriers where those shown are in windows, or vice versa
    double without_core_s = 0; ///< longest probe of values left out because a rank had no core; 0 = none
};

/// What launches measured at the arguments of a suite, used for the values shown or not.
struct MeasuredByLaunches {
    std::int64_t values = 0;
    std::int64_t disturbed = 0;           ///< of them
    std::int64_t single_measurements = 0; ///< with those discarded
    std::int64_t discarded = 0;
};

/// One suite of the run shown, with the measurements of its launches.
struct Curve {
    StoredSuite stored;
    /// Finished ones, ascending argument. `launches` and the subject's `contributions` hold their origin: the
    /// sources of merged points are not kept.
    std::vector<StoredMeasurement> points;
    int unfinished = 0; ///< begun, without a value yet
    /// Sum of the counts of merged values that rest on values between arguments alone: their single
    /// measurements count at other arguments.
    std::int64_t counted_elsewhere = 0;
    /// By uuid of the run: of a merged run its sources, of a raw run itself.
    std::map<std::string, SuiteLaunch> launches;
    double probe_with_core_s = 0; ///< of the fastest state, where there are such launches
    MeasuredByLaunches by_launches;
    /// For launches in a row, from merging (MergedSuite); 0 = launches count as independent.
    double correlation = 0;
    double clock_resolution_s = 0; ///< with which it was measured; 0 = not known
    double clock_cost_s = 0;       ///< of a reading of that clock
    bool simulated = false;        ///< its launches do not differ
    std::string title;             ///< that a content file gives it; empty = the suite's name
    bool halved = false;           ///< its times are half round trips
    Units units = {};              ///< of the values shown, that a content file chooses
    bool bus_column = false;       ///< a content file asks for bus bandwidths in its table

    [[nodiscard]] const Suite& suite() const { return stored.suite; }
    /// Launches on which values shown rest.
    [[nodiscard]] std::vector<std::string> launches_with_values() const;
    /// How many single measurements its points rest on, each of them once.
    [[nodiscard]] std::int64_t single_measurements() const;
};

/// What one launch gave to the merged values of a subject.
struct Contribution {
    std::string database; ///< file it was read from
    std::int64_t points = 0;
    std::int64_t interpolated = 0;
    std::int64_t chosen = 0;
    std::vector<double> ratios; ///< own value / merged value
};

/// The contents of one database: a machine with its MPI library.
struct Subject {
    std::string label; ///< short, unique in the report
    std::string path;
    std::vector<std::string> other_parts; ///< files of the rest of the suites (join_parts())
    /// The group of its runs if the file holds several merged runs: "ranks = 4"; else empty.
    std::string group;
    /// The run shown; none = the database holds no run. For several launches in the file, what all agree on,
    /// as in a merged run, without a uuid.
    std::optional<Run> run;
    std::vector<RunId>
        shown_runs;           ///< of this database, whose values are shown; with merged_here the launches
    bool merged_here = false; ///< the values are merged from raw launches in this file
    int suites_left_out = 0;  ///< by select_suites()
    bool ended = true;        ///< no launch shown is known to be unfinished; CSV files don't say
    int runs_in_database = 0;
    int strangers = 0;            ///< raw runs in the file that have values but belong to another series
    std::string strangers_differ; ///< how the newest of them differs
    std::vector<Curve> curves;    ///< plan order
    std::vector<Event> events;
    std::map<std::string, LaunchTime> launch_times;    ///< by uuid, of the launches whose begin is known
    std::map<std::string, Contribution> contributions; ///< of merged values, by uuid of the launch

    /// Launches whose own values are known.
    [[nodiscard]] std::set<std::string> launch_uuids() const;
    /// How many launches stand behind the values.
    [[nodiscard]] std::size_t launches() const;
    /// The number of launches with known own values; 0 for a result CSV of merged values.
    [[nodiscard]] std::size_t launches_with_values() const;
};

/// Whether one of the globs means the name of a suite; without any all are meant.
[[nodiscard]] bool suite_selected(const std::string& name, const std::vector<std::string>& globs);
/// The values the launches have at an argument; with interpolate also of launches that have neighbours of the
/// argument on both sides. In the order of their uuids, so that two curves of the same launches pair up.
[[nodiscard]] std::map<std::string, double> launch_values(const Curve& curve, std::int64_t argument,
                                                          bool interpolate = false);

/// The times of the launches at a point; of a value without launches itself.
[[nodiscard]] std::vector<double> times_of_launches(const Curve& curve, const Measurement& measurement);

/// Flags that make a single launch's value doubtful.
constexpr Flags doubtful_alone = Flag::disturbed | Flag::timed_out | static_cast<Flags>(Flag::unreliable);

/// The points for lines and models. Left out are doubtful merged values of one launch on a curve whose others
/// rest on several, and disturbed points between others if at most a third of the curve is disturbed: one
/// disturbance would be a spike, and a piece of a model.
[[nodiscard]] std::vector<const StoredMeasurement*> dependable_points(const Curve& curve);

/// Removes values measured while a rank had no core (lost_core() by the fastest probe of their suite), which
/// merging leaves out, too.
void leave_out_lost_cores(Subject& subject);

/// How many ranks took part in (most of) a curve's measurements; 0 where their number varies or is not known.
[[nodiscard]] int ranks_of(const Curve& curve);
/// The suite's name.
[[nodiscard]] const std::string& title_of(const Curve& curve);
/// What the curve's times are, as its operation says.
[[nodiscard]] Meaning meaning_of(const Curve& curve);
/// Messages a call moves: as stored, else what follows from the meaning (two of a round trip or an exchange,
/// one of a one-sided or collective call). 0 = not known, or none.
[[nodiscard]] double messages(const Curve& curve, const Measurement& measurement);
/// Bytes that bandwidth counts for a call: message length times messages, for an exchange those of one
/// direction. 0 = there is no bandwidth.
[[nodiscard]] double bytes_moved(const Curve& curve, const Measurement& measurement);

} // namespace skampi
