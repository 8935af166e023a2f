#include "merge/merge_suite.hpp"

#include "merge/launch_modes.hpp"
#include "model/adjusted.hpp"
#include "model/quantity.hpp"
#include "skalib/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>

namespace skampi {
namespace {

/// What a run measured at an argument, a value or not.
std::optional<Measurement> measured_at(const DistantCurve& run, std::int64_t argument) {
    const auto own = std::ranges::lower_bound(run.glances, argument, {}, &Glance::argument);
    if (own == run.glances.end() || own->argument != argument)
        return std::nullopt;
    return run.measurement(static_cast<std::size_t>(own - run.glances.begin()));
}

/// A run that has no value at an argument.
/// @param own what it measured there all the same, which says why, as far as it knows
Source abstaining(const DistantCurve& run, const std::optional<Measurement>& own) {
    Source source;
    source.run = run.run;
    source.database = run.file;
    if (own) {
        source.left_out = true;
        source.flags = own->flags;
        source.discarded = own->discarded;
        source.time_used_s = own->time_used_s;
    }
    return source;
}

double known_lerp(double a, double b, double share) {
    return a > 0 && b > 0 ? std::lerp(a, b, share) : 0;
}

std::vector<NodeTime> lerp(const std::vector<NodeTime>& a, const std::vector<NodeTime>& b, double share) {
    if (a.size() != b.size())
        return {};
    std::vector<NodeTime> between;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].rank != b[i].rank)
            return {};
        between.push_back({a[i].rank, std::lerp(a[i].value_s, b[i].value_s, share),
                           std::lerp(a[i].standard_error_s, b[i].standard_error_s, share)});
    }
    return between;
}

skalib::Summary lerp(const skalib::Summary& a, const skalib::Summary& b, double share) {
    skalib::Summary between;
    const auto count = [share](std::int64_t left, std::int64_t right) {
        return whole_count(std::lerp(static_cast<double>(left), static_cast<double>(right), share));
    };
    between.count = count(a.count, b.count);
    between.cut_count = count(a.cut_count, b.cut_count);
    for (const auto member :
         {&skalib::Summary::mean_all, &skalib::Summary::standard_error_all, &skalib::Summary::cut_mean,
          &skalib::Summary::cut_standard_error, &skalib::Summary::lower, &skalib::Summary::minimum,
          &skalib::Summary::quartile25, &skalib::Summary::median, &skalib::Summary::quartile75,
          &skalib::Summary::maximum})
        between.*member = std::lerp(a.*member, b.*member, share);
    return between;
}

Measurement lerp(const Measurement& a, const Measurement& b, double share, std::int64_t argument) {
    Measurement between = share < 0.5 ? a : b; // mode, its share: not to be mixed
    between.argument = argument;
    for (const auto member : {&Measurement::value_s, &Measurement::standard_error_s, &Measurement::overhead_s,
                              &Measurement::overhead_error_s, &Measurement::adjusted_s, &Measurement::alone_s,
                              &Measurement::computation_s})
        between.*member = std::lerp(a.*member, b.*member, share);
    between.probe_s = known_lerp(a.probe_s, b.probe_s, share);
    between.way_there = known_lerp(a.way_there, b.way_there, share);
    between.core_clock_hz = known_lerp(a.core_clock_hz, b.core_clock_hz, share);
    between.summary = lerp(a.summary, b.summary, share);
    between.flags = a.flags | b.flags;
    between.modes.clear();
    between.node_times = lerp(a.node_times, b.node_times, share);
    between.discarded = 0;
    between.time_used_s = 0;
    return between;
}

/// What a run saw of a mode beside the one it reported. Its error is not known: it is taken to be that of the
/// value reported, for as many single measurements.
Measurement seen_aside(const Measurement& m, const ModeValue& mode) {
    Measurement aside = m;
    aside.value_s = aside.adjusted_s = mode.value_s;
    aside.standard_error_s =
        m.standard_error_s / m.value_s * mode.value_s *
        std::sqrt(static_cast<double>(m.summary.count) / static_cast<double>(mode.count));
    aside.summary = skalib::Summary::unknown();
    aside.summary.count = mode.count;
    aside.mode = mode.mode;
    aside.probe_s = mode.probe_s;
    aside.modes.clear();
    aside.node_times.clear();
    aside.discarded = 0;
    aside.time_used_s = 0;
    return aside;
}

constexpr Flags doubtful_flags = Flag::disturbed | Flag::unreliable;

/// Of the value. A launch whose time was over before its error was small enough tells as much as the others
/// as long as launches differ by more. (Halves of five sessions of 50 to 60 launches on a quiet machine,
/// nearly all timed out at errors of 1 %: their medians differed by 1.26 % without them, by 0.88 % with
/// them.)
constexpr double coarse_error = 0.05;

bool is_doubtful(const Measurement& m) {
    return (m.flags & doubtful_flags) != 0 ||
           (has(m.flags, Flag::timed_out) && !(m.standard_error_s <= coarse_error * m.value_s));
}

bool is_doubtful(const Glance& m) {
    return m.doubtful;
}

/// What merging itself says of a value.
constexpr Flags flags_of_merging = (Flag::interpolated | Flag::one_run) | static_cast<Flags>(Flag::scattered);

/// Half of an interval between launches, as a share of the value, beyond which another set of launches would
/// give a value that differs by more than some percent.
constexpr double wide_interval = 0.05;

/// Launches whose interval has 95 %. Where it is not wide they settle a value, however short each of them
/// was.
constexpr std::size_t enough_to_settle = 6;

/// A probe that took so many times the lower quartile of all in its mode was slowed by what disturbed the
/// value beside it. (30 launches in two halves, all disturbed: without those of them the halves differed by a
/// half to a third as much; docs/merging.md.)
constexpr double raised_probe = 1.08;

bool is_aside(const Measurement& m, const ModeValue& mode) {
    return mode.mode != m.mode && mode.count > 0 && std::isfinite(mode.value_s);
}

/// What one run says at one argument in one mode.
struct Said {
    std::size_t run = 0;
    Measurement measurement;
    bool interpolated = false;
    bool aside = false;
    std::size_t mode = 0;
    bool slowed = false;  ///< so was its probe
    bool outside = false; ///< in doubt, its probe as of no mode, and others are there: it does not count
    /// What the run saw aside that is in no other mode of the suite.
    std::vector<ModeValue> beside = {};
    double interpolated_count = 0; ///< of single measurements, where it is interpolated: no whole number

    [[nodiscard]] double count() const {
        return interpolated ? interpolated_count : static_cast<double>(measurement.summary.count);
    }
};

/// What one run says, mode by mode.
class RunInModes {
    using Points = std::vector<std::uint32_t>;

public:
    /// @param curve outlives this  @param bounds between the modes' probes; none = there is one mode
    RunInModes(const DistantCurve& curve, std::span<const double> bounds)
        : curve_(curve)
        , bounds_(bounds) {
        std::vector<std::size_t> points_in(bounds.size() + 1);
        for (const Glance& m : curve.glances)
            if (m.measured)
                ++points_in[mode_of(m.probe_s, bounds)];
        mode_ = static_cast<std::size_t>(std::max_element(points_in.begin(), points_in.end()) -
                                         points_in.begin());
        for (std::uint32_t place = 0; place < curve.glances.size(); ++place)
            if (const Glance& m = curve.glances[place]; m.measured && mode_of(m.probe_s, bounds) == mode_)
                points_.push_back(place);
    }
    [[nodiscard]] bool has_any() const { return !points_.empty(); }
    /// The mode that it reported most often, of equal ones the fastest.
    [[nodiscard]] std::size_t mode() const { return mode_; }
    /// The places of its values in that mode.
    [[nodiscard]] const Points& points() const { return points_; }

    /// Appends all that it says at an argument. Between its arguments it is interpolated in its mode.
    /// @pre arguments ascend from call to call
    void say(std::int64_t argument, std::size_t run, std::vector<Said>& said) {
        while (next_ < curve_.glances.size() && curve_.glances[next_].argument < argument)
            ++next_;
        if (next_ < curve_.glances.size() && curve_.glances[next_].argument == argument) {
            const Glance& own = curve_.glances[next_];
            if (!own.measured)
                return; // it was there and has none: that is not to be invented
            const std::size_t reported = mode_of(own.probe_s, bounds_);
            const std::size_t at = said.size();
            said.push_back({run, curve_.measurement(next_), false, false, reported});
            if (said[at].measurement.modes.empty())
                return;
            const std::vector<ModeValue> modes = said[at].measurement.modes;
            std::set<std::size_t> seen{reported};
            for (const ModeValue& mode : modes) {
                if (!is_aside(said[at].measurement, mode))
                    continue;
                const std::size_t in_mode = mode_of(mode.probe_s, bounds_);
                if (seen.insert(in_mode).second)
                    said.push_back({run, seen_aside(said[at].measurement, mode), false, true, in_mode});
                else
                    said[at].beside.push_back(mode);
            }
            return;
        }
        const auto place =
            skalib::place_on_curve(points_.begin(), points_.end(), argument,
                                   [this](std::uint32_t point) { return curve_.glances[point].argument; });
        if (place) {
            const Measurement left = curve_.measurement(*place->left);
            const Measurement right = curve_.measurement(*place->right);
            said.push_back({run, lerp(left, right, place->share, argument), true, false, mode_});
            said.back().interpolated_count =
                std::lerp(static_cast<double>(left.summary.count), static_cast<double>(right.summary.count),
                          place->share);
        }
    }

private:
    const DistantCurve& curve_;
    std::span<const double> bounds_;
    std::size_t mode_ = 0;
    std::size_t next_ = 0; ///< of its glances the first that is not before the last argument asked for
    Points points_;
};

/// Whether most values of a run are doubtful.
bool is_doubtful(const DistantCurve& run) {
    const auto values = std::ranges::count_if(run.glances, &Glance::measured);
    const auto doubtful =
        std::ranges::count_if(run.glances, [](const Glance& m) { return m.measured && is_doubtful(m); });
    return 2 * doubtful > values;
}

/// Whether the modes of a suite, or at an argument, are found and voted for without the doubtful launches.
bool sound_ones_decide(std::size_t launches, std::size_t doubtful, const MergeWay& way) {
    return way.weights == skalib::Weights::equal && skalib::enough_without(launches - doubtful, doubtful);
}

bool sound_ones_decide(std::span<const DistantCurve> runs, const MergeWay& way) {
    std::size_t launches = 0;
    std::size_t doubtful = 0;
    for (const DistantCurve& run : runs) {
        if (std::ranges::none_of(run.glances, &Glance::measured))
            continue;
        ++launches;
        doubtful += is_doubtful(run) ? 1 : 0;
    }
    return sound_ones_decide(launches, doubtful, way);
}

bool sound_ones_decide(std::span<const Said> said, const MergeWay& way) {
    std::size_t launches = 0;
    std::size_t doubtful = 0;
    for (const Said& each : said) {
        launches += each.aside ? 0 : 1;
        doubtful += !each.aside && is_doubtful(each.measurement) ? 1 : 0;
    }
    return sound_ones_decide(launches, doubtful, way);
}

/// Where the runs' probes tell modes apart; none where one value has no probe.
std::vector<double> probe_bounds(std::span<const DistantCurve> runs, bool of_sound_ones) {
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const DistantCurve& curve = runs[run];
        const bool passed_over = of_sound_ones && is_doubtful(curve);
        const auto counts = [&](const Glance& m) {
            return m.measured && !passed_over && !(of_sound_ones && is_doubtful(m));
        };
        for (const Glance& m : curve.glances) {
            if (m.measured && !(m.probe_s > 0))
                return {};
            if (counts(m))
                observations.push_back({run, m.probe_s});
        }
        for (const DistantCurve::Aside& aside : curve.asides)
            if (counts(curve.glances[aside.place]) && aside.probe_s > 0)
                observations.push_back({run, aside.probe_s});
    }
    return mode_bounds(std::move(observations));
}

bool all_have_probes(std::span<const DistantCurve> runs) {
    return std::ranges::all_of(runs, [](const DistantCurve& run) {
        return std::ranges::all_of(run.glances, [](const Glance& m) { return !m.measured || m.probe_s > 0; });
    });
}

/// The quartiles of the probes of a mode; 0 where there are none.
struct UsualProbes {
    double low_s = 0;
    double high_s = 0;
};

/// Mode by mode.
std::vector<UsualProbes> usual_probes(std::span<const DistantCurve> runs, std::span<const double> bounds) {
    std::vector<std::vector<double>> probes(bounds.size() + 1);
    for (const DistantCurve& run : runs)
        for (const Glance& m : run.glances)
            if (m.measured)
                probes[mode_of(m.probe_s, bounds)].push_back(m.probe_s);
    std::vector<UsualProbes> usual(probes.size());
    for (std::size_t mode = 0; mode < probes.size(); ++mode) {
        if (probes[mode].empty())
            continue;
        std::sort(probes[mode].begin(), probes[mode].end());
        usual[mode] = {skalib::quantile(probes[mode], 0.25), skalib::quantile(probes[mode], 0.75)};
    }
    return usual;
}

/// Notes of all that is said at an argument whether its probe was slowed, and how far.
/// @param usual probes of the modes
void compare_probes(std::span<Said> said, std::span<const UsualProbes> usual) {
    std::set<std::size_t> modes_with_others;
    for (Said& each : said) {
        const double probe_s = each.measurement.probe_s;
        each.slowed = probe_s > raised_probe * usual[each.mode].low_s;
        const bool suspicious = is_doubtful(each.measurement) || has(each.measurement.flags, Flag::timed_out);
        each.outside = suspicious && probe_s >= mode_ratio * usual[each.mode].high_s;
        if (!each.outside)
            modes_with_others.insert(each.mode);
    }
    for (Said& each : said)
        each.outside = each.outside && modes_with_others.contains(each.mode);
}

/// A value adjusted in this way. The probe counts only where it and the reference are of one mode.
template <typename Point>
double adjusted_value(const Point& m, const Adjustment& way, ReferenceState reference) {
    if (!in_one_mode(m.probe_s, reference.probe_s))
        reference.probe_s = 0;
    if (!way.by_core_clock)
        reference.core_clock_hz = 0;
    return adjusted_value(m, way.shares, reference);
}

/// The way to adjust values at an argument: that of the next one at which there is one, or of the last.
const Adjustment& adjustment_at(const MergedSuite& suite, std::int64_t argument) {
    const auto next = suite.adjustments.lower_bound(argument);
    return next != suite.adjustments.end() ? next->second : suite.adjustments.rbegin()->second;
}

/// The median over the runs of the median within each; 0 where a run lacks it, so that all are treated alike.
/// @param of_sound_ones doubtful runs are passed over, as their values are
double reference(std::span<const DistantCurve> runs, std::span<const RunInModes> in_modes, std::size_t mode,
                 bool of_sound_ones, double Glance::*member) {
    std::vector<double> of_runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const RunInModes& run = in_modes[i];
        if (!run.has_any() || run.mode() != mode || (of_sound_ones && is_doubtful(runs[i])))
            continue;
        std::vector<double> of_run;
        for (const std::uint32_t point : run.points()) {
            const double seen = runs[i].glances[point].*member;
            if (!(seen > 0))
                return 0;
            of_run.push_back(seen);
        }
        of_runs.push_back(lower_median(std::move(of_run)));
    }
    return lower_median(std::move(of_runs));
}

/// The mode that most runs reported most often, of equal ones the fastest.
std::size_t most_common_mode(std::span<const DistantCurve> runs, std::span<const RunInModes> in_modes,
                             std::size_t modes, bool of_sound_ones) {
    std::vector<std::size_t> runs_in(modes);
    for (std::size_t run = 0; run < runs.size(); ++run)
        if (in_modes[run].has_any() && !(of_sound_ones && is_doubtful(runs[run])))
            ++runs_in[in_modes[run].mode()];
    return static_cast<std::size_t>(std::max_element(runs_in.begin(), runs_in.end()) - runs_in.begin());
}

/// NaN (not known of some runs) is passed over.
double smallest(double a, double b) {
    return std::fmin(a, b);
}
double largest(double a, double b) {
    return std::fmax(a, b);
}

/// What the single measurements of several launches say together: how many they are, their mean and its
/// standard error (SKaLib eq. 3.4 over all of them, from the squares within the launches and between their
/// means), their extremes; how many the cuts within the launches left, and the mean of those. What one of
/// them does not know is not known of all. Quartiles stay: those of several series do not tell that of all.
/// @param launches not empty
void pool(const std::vector<const Said*>& launches, skalib::Summary& summary) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    long double count = 0;
    long double sum = 0;
    long double cut_count = 0;
    long double cut_sum = 0;
    bool mean_known = true;
    summary.minimum = summary.maximum = unknown;
    for (const Said* launch : launches) {
        const skalib::Summary& own = launch->measurement.summary;
        count += static_cast<long double>(own.count);
        sum += static_cast<long double>(own.count) * own.mean_all;
        cut_count += static_cast<long double>(own.cut_count);
        cut_sum += static_cast<long double>(own.cut_count) * own.cut_mean;
        // A table of another program has no mean, which then is 0.
        mean_known = mean_known && std::isfinite(own.mean_all) && own.mean_all != 0;
        summary.minimum = smallest(summary.minimum, own.minimum);
        summary.maximum = largest(summary.maximum, own.maximum);
    }
    summary.count = whole_count(static_cast<double>(count));
    summary.cut_count = whole_count(static_cast<double>(cut_count));
    summary.mean_all = summary.standard_error_all = summary.cut_mean = summary.cut_standard_error = unknown;
    if (cut_count > 0) { // not known of one, the sums are not
        long double cut_variance = 0;
        for (const Said* launch : launches) {
            const skalib::Summary& own = launch->measurement.summary;
            const long double cut_share = static_cast<long double>(own.cut_count) / cut_count;
            cut_variance += cut_share * cut_share * own.cut_standard_error *
                            static_cast<long double>(own.cut_standard_error);
        }
        summary.cut_mean = static_cast<double>(cut_sum / cut_count);
        summary.cut_standard_error = static_cast<double>(std::sqrt(cut_variance));
    }
    if (!mean_known || !(count > 0))
        return;
    const long double mean = sum / count;
    long double squares = 0;
    for (const Said* launch : launches) {
        const skalib::Summary& own = launch->measurement.summary;
        const auto n = static_cast<long double>(own.count);
        squares += n * (n - 1) * own.standard_error_all * own.standard_error_all +
                   n * (own.mean_all - mean) * (own.mean_all - mean);
    }
    // Of equal values rounding must not put the mean beside them.
    summary.mean_all = largest(summary.minimum, smallest(summary.maximum, static_cast<double>(mean)));
    summary.standard_error_all =
        count > 1 ? static_cast<double>(std::sqrt(squares / (count * (count - 1)))) : 0;
}

/// Merges what the runs say at one argument.
class PointMerger {
public:
    PointMerger(std::span<const DistantCurve> runs, const MergedSuite& suite, const MergeWay& way)
        : runs_(runs)
        , suite_(suite)
        , way_(way) {}

    /// @param said ascending runs, not empty
    /// @param preferred mode to be merged in, should a launch report it here
    [[nodiscard]] MergedMeasurement merge(std::int64_t argument, const std::vector<Said>& said,
                                          std::optional<std::size_t> preferred) {
        const std::size_t main = main_mode(said, preferred);
        const skalib::MergedPoint point = in_mode(argument, said, main, &Measurement::value_s);
        MergedMeasurement merged;
        Measurement& m = merged.measurement;
        const Said& one = of(said, point.chosen, main);
        const Said& other = of(said, point.chosen_too, main);
        const auto mean_of = [&](const Said& a, const Said& b) {
            return &a == &b ? a.measurement : lerp(a.measurement, b.measurement, 0.5, argument);
        };
        m = mean_of(one, other);
        if (one.aside || other.aside) {
            const Measurement known = mean_of(describing(one, said, point), describing(other, said, point));
            m.summary = known.summary;
            m.node_times = known.node_times;
        }
        m.argument = argument;
        m.value_s = point.value;
        m.standard_error_s = point.standard_error;
        m.discarded = 0;
        m.time_used_s = 0;
        std::vector<const Said*> used;
        std::vector<const Said*> measured_here;
        std::vector<const Said*> interpolated;
        for (const Said& each : said) {
            m.discarded += each.measurement.discarded;
            m.time_used_s += each.measurement.time_used_s;
            if (each.mode != main || each.outside || point.left_out[each.run])
                continue;
            used.push_back(&each);
            if (!each.aside) // of which nothing is known but its number
                (each.interpolated ? interpolated : measured_here).push_back(&each);
        }
        // A value that rests on neighbours alone has their statistics: one of no single measurement is none.
        if (measured_here.empty() && interpolated.empty()) {
            m.summary = skalib::Summary::unknown(); // it rests on what was seen aside
            m.summary.count = whole_count(point.count);
        } else {
            pool(measured_here.empty() ? interpolated : measured_here, m.summary);
        }
        m.adjusted_s = in_mode(argument, said, main, &Measurement::adjusted_s).value;
        m.alone_s = of_those_with(argument, used, &Measurement::alone_s);
        m.computation_s = of_those_with(argument, used, &Measurement::computation_s);
        m.flags = flags_of(used);
        if (point.chosen_interpolated)
            set(m.flags, Flag::interpolated);
        if (point.runs == 1)
            set(m.flags, Flag::one_run);
        if (point.interval.high - point.interval.low > 2 * wide_interval * std::fabs(m.value_s))
            set(m.flags, Flag::scattered);
        else if (point.interval.confidence > 0 && point.runs >= enough_to_settle)
            m.flags &= ~(Flag::unsettled | Flag::timed_out);
        add_modes(argument, said, main, m);
        // What was planned at this argument is not a matter of interpolation.
        const auto planned = std::ranges::find_if(said, [](const Said& each) { return !each.interpolated; });
        if (planned != said.end()) {
            m.message_bytes = planned->measurement.message_bytes;
            m.ranks = planned->measurement.ranks;
            m.chunks = planned->measurement.chunks;
            m.messages = planned->measurement.messages;
        }
        merged.facts = facts_of(point, said, main);
        return merged;
    }

private:
    /// Most launches report it, of equal ones most of those that reported the former argument's, of equal
    /// ones the fastest.
    std::size_t main_mode(const std::vector<Said>& said, std::optional<std::size_t> preferred) {
        struct Launches {
            std::size_t all = 0;
            std::size_t of_former = 0;
            auto operator<=>(const Launches&) const = default;
        };
        const bool of_sound_ones = sound_ones_decide(said, way_);
        std::map<std::size_t, Launches> launches;
        for (const Said& each : said) {
            if (each.aside || each.outside || (of_sound_ones && is_doubtful(each.measurement)))
                continue;
            ++launches[each.mode].all;
            launches[each.mode].of_former += in_former_mode_.contains(each.run) ? 1 : 0;
        }
        const std::size_t main =
            preferred && launches.contains(*preferred)
                ? *preferred
                : std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
                      return a.second < b.second;
                  })->first;
        if (launches.size() > 1) { // where there is one, it tells nothing of the others
            in_former_mode_.clear();
            for (const Said& each : said)
                if (!each.aside && each.mode == main)
                    in_former_mode_.insert(each.run);
        }
        return main;
    }

    static const Said& of(const std::vector<Said>& said, std::size_t run, std::size_t mode) {
        return *std::ranges::find_if(said,
                                     [&](const Said& each) { return each.run == run && each.mode == mode; });
    }

    /// Whose statistics tell of the value of a run that was chosen: its own or, where it saw the mode aside
    /// only and has none, those of the run that reported the mode with the nearest value, if there is one.
    static const Said& describing(const Said& chosen, const std::vector<Said>& said,
                                  const skalib::MergedPoint& point) {
        if (!chosen.aside)
            return chosen;
        const auto order = [&](const Said& each) {
            const Measurement& m = each.measurement;
            // The first two decide; the others only make the choice independent of the runs' order.
            return std::tuple(each.outside || point.left_out[each.run],
                              std::fabs(m.value_s - chosen.measurement.value_s), m.value_s,
                              m.standard_error_s, m.summary.count, m.summary.mean_all);
        };
        const Said* nearest = nullptr;
        for (const Said& each : said)
            if (each.mode == chosen.mode && !each.aside &&
                (nearest == nullptr || order(each) < order(*nearest)))
                nearest = &each;
        return nearest == nullptr ? chosen : *nearest;
    }

    [[nodiscard]] skalib::MergedPoint in_mode(std::int64_t argument, const std::vector<Said>& said,
                                              std::size_t mode, double Measurement::*member) const {
        std::vector<skalib::Contribution> contributions;
        contributions.reserve(said.size());
        std::size_t launches = 0;
        std::size_t doubtful = 0;
        for (const Said& each : said) {
            if (each.mode != mode || each.outside)
                continue;
            ++launches;
            doubtful += is_doubtful(each.measurement) ? 1 : 0;
        }
        // Where nearly all are doubtful, those of them go first whose probe tells that they were slowed.
        const bool of_sound_ones = skalib::enough_without(launches - doubtful, doubtful);
        const Adjustment& way = adjustment_at(suite_, argument);
        for (const Said& each : said) {
            if (each.mode != mode || each.outside)
                continue;
            const Measurement& own = each.measurement;
            const double value = member == &Measurement::adjusted_s ? adjusted_of(own, way) : own.*member;
            contributions.push_back({each.run,
                                     {argument,
                                      {value, own.standard_error_s, std::max(1.0, each.count())},
                                      {},
                                      is_doubtful(own) && (of_sound_ones || each.slowed)},
                                     each.interpolated});
        }
        const bool is_adjusted = member == &Measurement::adjusted_s;
        return skalib::merge_contributions(argument, std::move(contributions), runs_.size(),
                                           is_adjusted ? skalib::MergedValue::median : way_.value,
                                           way_.weights, suite_.correlation);
    }

    /// What the runs that a value rests on measured of its overlap, merged like the value; 0 where none did.
    [[nodiscard]] double of_those_with(std::int64_t argument, const std::vector<const Said*>& used,
                                       double Measurement::*member) const {
        std::vector<Said> with_it;
        for (const Said* each : used)
            if (each->measurement.*member > 0)
                with_it.push_back(*each);
        return with_it.empty() ? 0 : in_mode(argument, with_it, with_it.front().mode, member).value;
    }

    static Flags flags_of(const std::vector<const Said*>& used) {
        Flags flags = 0;
        for (const Flag flag : all_flags()) {
            const auto with_it = std::ranges::count_if(
                used, [&](const Said* each) { return has(each->measurement.flags, flag); });
            // One that is not settled makes the value unsettled; a few disturbed ones do not move a median,
            // half of them do.
            const bool one_is_enough = flag == Flag::unsettled || flag == Flag::unreliable;
            if (with_it > 0 && (one_is_enough || 2 * with_it >= std::ssize(used)))
                set(flags, flag);
        }
        return flags & ~flags_of_merging;
    }

    void add_modes(std::int64_t argument, const std::vector<Said>& said, std::size_t main,
                   Measurement& m) const {
        m.modes.clear();
        m.mode = static_cast<int>(main);
        m.mode_share = 1;
        std::map<std::size_t, std::size_t> launches; // that reported it
        std::size_t reported = 0;
        std::vector<double> all_probes_s;
        for (const Said& each : said) {
            if (each.measurement.probe_s > 0)
                all_probes_s.push_back(each.measurement.probe_s);
            launches[each.mode] += each.aside || each.outside ? 0 : 1;
            reported += each.aside ? 0 : 1;
        }
        // Also a launch that is alone behind a gap; the more launches, the farther they spread without any.
        std::ranges::sort(all_probes_s);
        if (std::ranges::adjacent_find(all_probes_s, [](double a_s, double b_s) {
                return b_s >= mode_ratio * a_s;
            }) != all_probes_s.end())
            set(m.flags, Flag::several_modes);
        if (launches.size() < 2)
            return;
        set(m.flags, Flag::several_modes);
        for (const auto& [mode, holding] : launches) {
            const skalib::MergedPoint point = in_mode(argument, said, mode, &Measurement::value_s);
            std::vector<double> probes_s;
            for (const Said& each : said)
                if (each.mode == mode && each.measurement.probe_s > 0)
                    probes_s.push_back(each.measurement.probe_s);
            ModeValue& value = m.modes.emplace_back();
            value.mode = static_cast<int>(mode);
            value.share = static_cast<double>(holding) / static_cast<double>(reported);
            value.value_s = point.value;
            value.probe_s = lower_median(std::move(probes_s));
            value.count = whole_count(point.count);
            value.runs = static_cast<int>(point.runs);
            value.interval_low_s = point.interval.low;
            value.interval_high_s = point.interval.high;
            value.interval_confidence = point.interval.confidence;
            if (mode == main)
                m.mode_share = value.share;
        }
    }

    [[nodiscard]] double adjusted_of(const Measurement& own, const Adjustment& way) const {
        if (suite_.reference.probe_s == 0 && suite_.reference.core_clock_hz == 0)
            return own.adjusted_s; // nothing to compute with: what the run says itself
        return adjusted_value(own, way, suite_.reference);
    }

    /// All of it but what became of it.
    [[nodiscard]] Source source_of(const Said& said) const {
        Source source;
        source.run = runs_[said.run].run;
        source.database = runs_[said.run].file;
        const Measurement& own = said.measurement;
        source.value_s = own.value_s;
        source.count = said.count();
        source.interpolated = said.interpolated;
        source.aside = said.aside;
        source.mode = static_cast<int>(said.mode);
        source.adjusted_s = own.adjusted_s == own.value_s ? 0 : own.adjusted_s;
        for_each_kept(source, own, [](auto& kept, const auto& of_own) { kept = of_own; });
        return source;
    }

    [[nodiscard]] MergeFacts facts_of(const skalib::MergedPoint& point, const std::vector<Said>& said,
                                      std::size_t main) const {
        MergeFacts facts;
        facts.runs = static_cast<int>(point.runs);
        facts.minimum_s = point.minimum;
        facts.maximum_s = point.maximum;
        facts.mad_s = point.mad;
        facts.between_runs_error_s = point.between_runs_error;
        facts.interval_low_s = point.interval.low;
        facts.interval_high_s = point.interval.high;
        facts.interval_confidence = point.interval.confidence;
        facts.value_kind = value_name(way_.value);
        const Adjustment& adjustment = adjustment_at(suite_, point.argument);
        if (suite_.reference.probe_s > 0) {
            facts.adjusted_there = adjustment.shares.there;
            facts.adjusted_back = adjustment.shares.back;
        }
        facts.adjusted_by_clock = suite_.reference.core_clock_hz > 0 && adjustment.by_core_clock;
        for (const Flag flag : all_flags()) {
            const auto with_it = std::ranges::count_if(
                said, [&](const Said& each) { return !each.aside && has(each.measurement.flags, flag); });
            if (with_it > 0)
                facts.flagged += (facts.flagged.empty() ? "" : ", ") + std::to_string(with_it) + " " +
                                 flag_words(static_cast<Flags>(flag));
        }
        facts.sources.reserve(std::max(said.size(), runs_.size()));
        auto next = said.begin();
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            bool any = false;
            for (; next != said.end() && next->run == run; ++next, any = true) {
                Source source = source_of(*next);
                source.left_out = next->mode != main || next->outside || point.left_out[run];
                source.chosen = next->mode == main && (run == point.chosen || run == point.chosen_too);
                facts.measured_runs += next->aside ? 0 : 1;
                facts.sources.push_back(std::move(source));
                for (const ModeValue& mode : next->beside) {
                    Source beside =
                        source_of({run, seen_aside(next->measurement, mode), false, true, next->mode});
                    beside.left_out = true;
                    facts.sources.push_back(std::move(beside));
                }
            }
            if (!any)
                facts.sources.push_back(abstaining(runs_[run], measured_at(runs_[run], point.argument)));
        }
        return facts;
    }

    std::span<const DistantCurve> runs_;
    const MergedSuite& suite_;
    const MergeWay& way_;
    std::set<std::size_t> in_former_mode_; ///< runs that reported it where there were last several
};

using SoundOnes = std::map<std::int64_t, std::vector<const Glance*>>;

/// What the launches measured at each argument, in their order: values in one mode that are not doubtful.
SoundOnes sound_ones(std::span<const DistantCurve> runs, std::span<const double> bounds, std::size_t mode) {
    SoundOnes sound;
    for (const DistantCurve& run : runs)
        for (const Glance& m : run.glances)
            if (m.measured && !is_doubtful(m) && mode_of(m.probe_s, bounds) == mode)
                sound[m.argument].push_back(&m);
    return sound;
}

double correlation_of(const SoundOnes& sound) {
    std::vector<std::vector<double>> series;
    for (const auto& [argument, launches] : sound) {
        std::vector<double>& values_s = series.emplace_back();
        for (const Glance* launch : launches)
            values_s.push_back(launch->value_s);
    }
    return skalib::serial_correlation(series);
}

constexpr std::array shares_tried{0.0, 0.25, 0.5, 0.75, 1.0, -0.25, -0.5, -0.75, -1.0};
constexpr std::size_t shares_of_few = 5; ///< of them; the others are for so many launches:
constexpr std::size_t many_launches = 20;
constexpr std::size_t fewest_to_tell = 5;   ///< launches at an argument
constexpr std::size_t arguments_beside = 4; ///< on either side, that tell, too

/// What each argument between tells less by: many launches at an argument tell by themselves.
double weight_beside(std::size_t launches) {
    return 1 / (1 + static_cast<double>(launches) / 15);
}

/// Of the scatter, at most, for the probe's two ways to count apart. Of few launches it is uncertain itself.
double much_less(std::size_t launches) {
    return 1 - 0.3 / std::sqrt(static_cast<double>(launches));
}

/// How much the launches at an argument scatter, by the way to adjust. Adjusted values are affine in the
/// probe's shares, value - there * u - back * v: the covariances of these three tell it for all shares.
class Scatter {
public:
    Scatter(const std::vector<const Glance*>& launches, bool by_core_clock, const ReferenceState& reference) {
        constexpr double small = 1.0 / 1024; // a share that leaves something of any value
        std::vector<std::array<double, 3>> rows;
        for (const Glance* launch : launches) {
            const auto with = [&](double there, double back) {
                return adjusted_value(*launch, {{there, back}, by_core_clock}, reference);
            };
            const double value_s = with(0, 0);
            rows.push_back({value_s, (with(small, 0) - value_s) / small, (with(0, small) - value_s) / small});
        }
        const auto n = static_cast<double>(rows.size());
        for (const auto& row : rows)
            for (std::size_t i = 0; i < 3; ++i)
                mean_.at(i) += row.at(i) / n;
        for (const auto& row : rows)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k = 0; k < 3; ++k)
                    covariance_.at(i).at(k) +=
                        (row.at(i) - mean_.at(i)) * (row.at(k) - mean_.at(k)) / std::max(n - 1, 1.0);
    }

    /// The launches' deviation by their mean; infinite where nothing would be left of them.
    [[nodiscard]] double with(const ProbeShares& shares) const {
        const std::array factors{1.0, shares.there, shares.back};
        double mean = 0;
        double variance = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            mean += factors.at(i) * mean_.at(i);
            for (std::size_t k = 0; k < 3; ++k)
                variance += factors.at(i) * factors.at(k) * covariance_.at(i).at(k);
        }
        if (!(mean_[0] > 0))
            return 0; // no way to adjust makes anything of it
        return mean > 0 ? std::sqrt(std::max(variance, 0.0)) / mean : std::numeric_limits<double>::infinity();
    }

private:
    std::array<double, 3> mean_{};
    std::array<std::array<double, 3>, 3> covariance_{};
};

bool is_for_many(const Adjustment& way) {
    return way.shares.there < 0 || way.shares.back < 0;
}

/// The ways that are tried, the usual one first: of equally good ones the first is taken. Those in which the
/// probe's two ways count alike come before the others, and those with a share below zero, which a late rank
/// has that has less to wait for, last. What sends no message holds nothing of the probe, whatever launches
/// seem to tell.
std::vector<Adjustment> ways_to_adjust(double usual_share, bool ways_are_known) {
    std::vector<Adjustment> ways{{{usual_share, usual_share}, true}};
    const std::span possible = std::span(shares_tried).first(usual_share > 0 ? shares_tried.size() : 1);
    const std::span usual = possible.first(std::min(shares_of_few, possible.size()));
    for (const bool by_core_clock : {true, false})
        for (const double share : usual)
            ways.push_back({{share, share}, by_core_clock});
    for (const bool by_core_clock : {true, false})
        for (const double there : possible)
            for (const double back : possible)
                if (ways_are_known && there != back)
                    ways.push_back({{there, back}, by_core_clock});
    std::ranges::stable_partition(ways, std::not_fn(is_for_many));
    return ways;
}

bool counts_ways_apart(const Adjustment& way) {
    return way.shares.there != way.shares.back;
}

/// At each argument the way to adjust in which launches scatter least, there and at its neighbours; where too
/// few tell, the usual one.
std::map<std::int64_t, Adjustment> choose_adjustments(const SoundOnes& sound, double usual_share,
                                                      const ReferenceState& reference) {
    const std::vector<Adjustment> ways = ways_to_adjust(usual_share, reference.way_there > 0);
    const auto apart = std::ranges::find_if(ways, counts_ways_apart) - ways.begin();
    const auto for_many = std::ranges::find_if(ways, is_for_many) - ways.begin();
    struct Told {
        std::int64_t argument = 0;
        std::size_t launches = 0;
        std::vector<double> deviations; ///< by way
    };
    std::vector<Told> told;
    for (const auto& [argument, launches] : sound) {
        if (launches.size() < fewest_to_tell)
            continue;
        const Scatter by_core_clock(launches, true, reference);
        const Scatter by_probe_alone(launches, false, reference);
        Told& here = told.emplace_back(Told{argument, launches.size(), {}});
        for (const Adjustment& way : ways)
            here.deviations.push_back((way.by_core_clock ? by_core_clock : by_probe_alone).with(way.shares));
    }
    std::map<std::int64_t, Adjustment> chosen;
    if (told.empty())
        chosen[0] = ways.front();
    for (std::size_t i = 0; i < told.size(); ++i) {
        const std::size_t launches = told[i].launches;
        std::vector<double> near(ways.size());
        const std::size_t end = std::min(i + arguments_beside + 1, told.size());
        for (std::size_t k = i - std::min(i, arguments_beside); k < end; ++k) {
            const double weight =
                std::pow(weight_beside(launches), static_cast<double>(k > i ? k - i : i - k));
            for (std::size_t way = 0; way < ways.size(); ++way)
                near[way] += weight * told[k].deviations[way];
        }
        const auto clearly_less = [](double a, double b) { return a < b * (1 - 1e-9); }; // not by rounding
        const auto alike = std::min_element(near.begin(), near.begin() + apart, clearly_less);
        const auto end_of_ways = launches < many_launches ? near.begin() + for_many : near.end();
        const auto any = std::min_element(near.begin() + apart, end_of_ways, clearly_less);
        const bool far_better = any != end_of_ways && *any < much_less(launches) * *alike;
        chosen[told[i].argument] = ways[static_cast<std::size_t>((far_better ? any : alike) - near.begin())];
    }
    return chosen;
}

/// A point at which no run has a value: it says why, and nothing else.
MergedMeasurement without_value(std::int64_t argument, std::span<const DistantCurve> runs) {
    MergedMeasurement merged;
    Measurement& m = merged.measurement;
    m.argument = argument;
    m.summary = skalib::Summary::unknown();
    m.value_s = m.standard_error_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
    for (const DistantCurve& run : runs) {
        const std::optional<Measurement> own = measured_at(run, argument);
        merged.facts.sources.push_back(abstaining(run, own));
        if (!own)
            continue;
        m.message_bytes = own->message_bytes;
        m.ranks = own->ranks;
        m.chunks = own->chunks;
        m.messages = own->messages;
        m.flags |= own->flags;
        m.discarded += own->discarded;
        m.time_used_s += own->time_used_s;
    }
    m.flags &= ~flags_of_merging;
    return merged;
}

/// The arguments of the runs' measurements, whether they have a value there or not.
std::set<std::int64_t> arguments_of(std::span<const DistantCurve> runs, skalib::Grid grid) {
    std::set<std::int64_t> arguments;
    const auto told = grid == skalib::Grid::union_ ? runs : runs.first(std::min<std::size_t>(runs.size(), 1));
    for (const DistantCurve& run : told)
        for (const Glance& m : run.glances)
            arguments.insert(m.argument);
    if (grid == skalib::Grid::common)
        std::erase_if(arguments, [&](std::int64_t argument) {
            return !std::ranges::all_of(runs, [&](const DistantCurve& run) {
                return std::ranges::binary_search(run.glances, argument, {}, &Glance::argument);
            });
        });
    return arguments;
}

/// "0.5", or "0.25 to 0.75" where it depends on the argument.
std::string range_of(const MergedSuite& merged, double ProbeShares::*way) {
    const auto [least, most] = std::ranges::minmax(
        merged.adjustments | std::views::transform([way](const auto& at) { return at.second.shares.*way; }));
    return least == most ? fmt::format("{:g}", least) : fmt::format("{:g} to {:g}", least, most);
}

/// How much of the probe is in the suite's adjusted values.
std::string held_of_probe(const MergedSuite& merged) {
    if (std::ranges::any_of(merged.adjustments, [](const auto& at) { return counts_ways_apart(at.second); }))
        return range_of(merged, &ProbeShares::there) + " of its way there and " +
               range_of(merged, &ProbeShares::back) + " of its way back";
    const std::string share = range_of(merged, &ProbeShares::there);
    return share == "0" ? "nothing of it" : share + " of it";
}

} // namespace

Glance glance_at(const Measurement& m) {
    return {m.argument,      m.message_bytes, m.chunks, m.value_s,    m.probe_s,     m.way_there,
            m.core_clock_hz, m.ranks,         m.flags,  has_value(m), is_doubtful(m)};
}

void DistantCurve::add(const Measurement& m) {
    for (const ModeValue& mode : m.modes)
        if (is_aside(m, mode))
            asides.push_back({glances.size(), mode.probe_s});
    glances.push_back(glance_at(m));
}

std::int64_t whole_count(double count) {
    // The largest whole number is no double: the next one is, and does not fit any more.
    constexpr double beyond = 0x1p63;
    return count >= beyond ? std::numeric_limits<std::int64_t>::max() : std::llround(count);
}

void leave_out_node_times(MergedMeasurement& point) {
    point.measurement.node_times.clear();
    for (Source& source : point.facts.sources)
        source.node_times.clear();
}

std::map<std::string, std::string> facts_of_merging(const MergedSuite& merged) {
    std::map<std::string, std::string> facts;
    if (merged.reference.probe_s > 0)
        facts["reference probe"] = format_time(merged.reference.probe_s) +
                                   (merged.reference.way_there > 0
                                        ? fmt::format(" ({:.0f} % there)", 100 * merged.reference.way_there)
                                        : "") +
                                   ", the median of the runs; adjusted values hold " + held_of_probe(merged);
    if (merged.reference.core_clock_hz > 0) {
        const auto with_clock =
            std::ranges::count_if(merged.adjustments, [](const auto& at) { return at.second.by_core_clock; });
        const bool all = with_clock == std::ssize(merged.adjustments);
        facts["reference core clock"] =
            fmt::format("{:.3f} GHz, the median of the runs", merged.reference.core_clock_hz / 1e9) +
            (all ? ""
                 : fmt::format("; adjusted values leave it out{}: launches scatter more with it",
                               with_clock > 0 ? " at some arguments" : ""));
    }
    constexpr double shown_from = 0.005; // with two decimals
    if (merged.correlation >= shown_from)
        facts["launches in a row"] = fmt::format(
            "alike (rank autocorrelation {:.2f}): intervals are as much wider", merged.correlation);
    if (merged.wrong_results > 0)
        facts["wrong results"] =
            fmt::format("{} measurements of the runs were left out", merged.wrong_results);
    return facts;
}

double lower_median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<DistantCurve> at_hand(std::span<const SuiteCurve> runs) {
    std::vector<DistantCurve> curves;
    curves.reserve(runs.size());
    for (const SuiteCurve& run : runs) {
        DistantCurve& curve = curves.emplace_back();
        curve.run = run.run;
        curve.file = run.file;
        for (const Measurement& m : run.measurements)
            curve.add(m);
        curve.measurement = [&run](std::size_t place) { return run.measurements[place]; };
    }
    return curves;
}

MergedSuite merge_suite(std::span<const SuiteCurve> runs, const MergeWay& way, double probe_share) {
    std::vector<MergedMeasurement> points;
    MergedSuite suite = merge_suite(at_hand(runs), way, probe_share,
                                    [&](MergedMeasurement&& point) { points.push_back(std::move(point)); });
    suite.points = std::move(points);
    return suite;
}

MergedSuite merge_suite(std::span<const DistantCurve> runs, const MergeWay& way, double probe_share,
                        const std::function<void(MergedMeasurement&&)>& take) {
    MergedSuite suite;
    const bool have_probes = all_have_probes(runs);
    const bool by_probe = way.modes && have_probes;
    const bool of_sound_ones = sound_ones_decide(runs, way);
    const std::vector<double> bounds = by_probe ? probe_bounds(runs, of_sound_ones) : std::vector<double>();
    std::vector<RunInModes> in_modes;
    for (const DistantCurve& run : runs)
        in_modes.emplace_back(run, bounds);
    const std::size_t common = most_common_mode(runs, in_modes, bounds.size() + 1, of_sound_ones);
    if (std::ranges::count_if(in_modes, &RunInModes::has_any) > 1) { // one run is adjusted as it was before
        const auto of_all = [&](double Glance::*member) {
            return reference(runs, in_modes, common, of_sound_ones, member);
        };
        suite.reference = {of_all(&Glance::probe_s), of_all(&Glance::way_there),
                           of_all(&Glance::core_clock_hz)};
    }

    const SoundOnes sound = sound_ones(runs, bounds, common);
    suite.adjustments = choose_adjustments(sound, probe_share, suite.reference);
    if (way.weights == skalib::Weights::equal)
        suite.correlation = correlation_of(sound);

    const bool compares_probes = by_probe && way.weights == skalib::Weights::equal;
    const std::vector<UsualProbes> usual =
        compares_probes ? usual_probes(runs, bounds) : std::vector<UsualProbes>();
    PointMerger merger(runs, suite, way);
    const auto merge_at = [&](std::int64_t argument, std::vector<Said>& said) {
        if (said.empty()) {
            suite.abstained += runs.size();
            take(without_value(argument, runs));
            return;
        }
        if (compares_probes)
            compare_probes(said, usual);
        std::optional<std::size_t> preferred = common;
        bool several_modes = false; // that values tell of and that are merged together
        if (!have_probes) {
            const bool of_sound_ones_here = sound_ones_decide(said, way);
            std::vector<Observation> values;
            for (const Said& each : said)
                if (each.measurement.value_s > 0 && !(of_sound_ones_here && is_doubtful(each.measurement)))
                    values.push_back({each.run, each.measurement.value_s});
            const std::vector<double> at_argument = mode_bounds(values);
            if (way.modes) {
                for (Said& each : said)
                    each.mode = mode_of(each.measurement.value_s, at_argument);
                preferred.reset();
            }
            several_modes = !way.modes && !at_argument.empty();
        }
        MergedMeasurement point = merger.merge(argument, said, preferred);
        if (several_modes)
            set(point.measurement.flags, Flag::several_modes);
        suite.abstained += runs.size() - static_cast<std::size_t>(point.facts.measured_runs);
        take(std::move(point));
    };
    // Each run says all of some arguments before the next one is asked: of many runs, what belongs to one has
    // left the machine's caches when its turn comes again.
    const std::set<std::int64_t> all = arguments_of(runs, way.grid);
    const std::vector<std::int64_t> arguments(all.begin(), all.end());
    std::array<std::vector<Said>, DistantCurve::asked_at_once> said;
    for (std::size_t begin = 0; begin < arguments.size(); begin += said.size()) {
        const std::size_t count = std::min(said.size(), arguments.size() - begin);
        for (std::size_t run = 0; run < runs.size(); ++run)
            for (std::size_t i = 0; i < count; ++i)
                in_modes[run].say(arguments[begin + i], run, said[i]);
        for (std::size_t i = 0; i < count; ++i) {
            merge_at(arguments[begin + i], said[i]);
            said[i].clear();
        }
    }
    for (const DistantCurve& run : runs)
        suite.wrong_results += static_cast<std::size_t>(std::ranges::count_if(
            run.glances, [](const Glance& m) { return has(m.flags, Flag::wrong_result); }));
    return suite;
}

} // namespace skampi
