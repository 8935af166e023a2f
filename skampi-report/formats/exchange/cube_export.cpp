// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/exchange/cube_export.hpp"

#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace skampi {

namespace {

/// From so many instances on Cube reads a variance, and quartiles.
constexpr std::int64_t least_for_variance = 2;
constexpr std::int64_t least_for_quartiles = 5;

/// The measurements of one argument in one launch.
struct Source {
    MeasurementId id = 0;
    double launch_begin_s = 0; ///< of the launch, on the time line
    Measurement measurement;
};

/// A single measurement that may be the slowest.
struct Slowest {
    double duration_s = -1;
    double enter_s = 0;
    double exit_s = 0;
    int rank = 0;
};

int slowest_rank(const Batch& batch, std::size_t i) {
    int rank = 0;
    double longest_s = 0;
    for (const NodeDurations& node : batch.node_durations)
        if (i < node.duration_s.size() && node.duration_s[i] > longest_s) {
            rank = node.rank;
            longest_s = node.duration_s[i];
        }
    return rank;
}

/// All single measurements of an argument.
class Samples {
public:
    void add(const Source& source, const std::vector<Batch>& batches) {
        for (const Batch& batch : batches) {
            if (batch.dropped)
                continue;
            // What lies between two single measurements of a batch is not stored.
            double enter_s = source.launch_begin_s + batch.start_s;
            for (std::size_t i = 0; i < batch.duration_s.size(); ++i) {
                const double exit_s = enter_s + batch.duration_s[i] * static_cast<double>(batch.block);
                const double duration_s = batch.duration_s[i] - source.measurement.overhead_s;
                values_.push_back(duration_s);
                if (values_.size() == 1 || duration_s > slowest_.duration_s)
                    slowest_ = {duration_s, enter_s, exit_s, slowest_rank(batch, i)};
                enter_s = exit_s;
            }
        }
    }

    [[nodiscard]] bool empty() const { return values_.empty(); }

    void write(cube::PatternStatistics& pattern, std::size_t call_path) {
        std::ranges::sort(values_);
        skalib::RunningStatistics running;
        long double sum_s = 0;
        for (const double value : values_) {
            running.add(value);
            sum_s += value;
        }
        const auto count = static_cast<std::int64_t>(values_.size());
        pattern.count = count;
        pattern.moments = cube::Moments{static_cast<double>(sum_s / static_cast<long double>(count)),
                                        skalib::quantile(values_, 0.5), values_.front(), values_.back(),
                                        static_cast<double>(sum_s)};
        if (count >= least_for_variance)
            pattern.variance_s2 = running.variance();
        if (count >= least_for_quartiles)
            pattern.quartiles =
                cube::Quartiles{skalib::quantile(values_, 0.25), skalib::quantile(values_, 0.75)};
        pattern.severest.push_back({static_cast<std::int64_t>(call_path),
                                    slowest_.enter_s,
                                    slowest_.exit_s,
                                    slowest_.duration_s,
                                    cube::WholeNumber(std::int64_t{slowest_.rank}),
                                    {},
                                    {}});
    }

private:
    std::vector<double> values_;
    Slowest slowest_;
};

/// What the stored summary keeps of single measurements that are gone.
void write_summary(const skalib::Summary& summary, cube::PatternStatistics& pattern) {
    // A result CSV has no mean, which then is 0.
    if (!std::isfinite(summary.mean_all) || summary.mean_all == 0)
        return;
    const auto count = static_cast<double>(summary.count);
    pattern.moments = cube::Moments{summary.mean_all, summary.median, summary.minimum, summary.maximum,
                                    summary.mean_all * count};
    if (summary.count >= least_for_variance)
        pattern.variance_s2 = summary.standard_error_all * summary.standard_error_all * count;
    if (summary.count >= least_for_quartiles)
        pattern.quartiles = cube::Quartiles{summary.quartile25, summary.quartile75};
}

bool all_finite(const cube::PatternStatistics& pattern) {
    if (!pattern.moments)
        return true;
    const cube::Moments& m = *pattern.moments;
    const auto finite = [](double value) { return std::isfinite(value); };
    return std::ranges::all_of(std::array{m.mean_s, m.median_s, m.minimum_s, m.maximum_s, m.sum_s}, finite) &&
           finite(pattern.variance_s2.value_or(0)) &&
           (!pattern.quartiles || (finite(pattern.quartiles->lower_s) && finite(pattern.quartiles->upper_s)));
}

std::vector<cube::Process> processes_of(const Run& run) {
    std::map<int, std::string> hosts; // of a rank that had several places the first
    for (const RankFacts& rank : run.rank_facts)
        hosts.emplace(rank.rank, rank.processor);
    std::vector<cube::Process> processes;
    for (const auto& [rank, host] : hosts)
        processes.push_back({host.empty() ? run.host : host, rank});
    for (int rank = 0; processes.empty() || rank < (hosts.empty() ? run.ranks : 0); ++rank)
        processes.push_back({run.host, rank});
    for (cube::Process& process : processes)
        if (process.host.empty())
            process.host = "host";
    return processes;
}

class Exporter {
public:
    Exporter(const Database& database, const Subject& subject, cube::Dialect dialect)
        : database_(database)
        , subject_(subject) {
        result_.statistics.dialect = dialect;
    }

    CubeExport make() {
        if (!subject_.run)
            throw InputError(printable(subject_.path) +
                             ": holds no run, expected one with single measurements");
        result_.experiment.machine = !subject_.run->machine.empty() ? subject_.run->machine
                                     : !subject_.run->host.empty()  ? subject_.run->host
                                                                    : "machine";
        result_.experiment.processes = processes_of(*subject_.run);
        for (std::size_t place = 0; place < result_.experiment.processes.size(); ++place)
            process_at_[result_.experiment.processes[place].rank] = place;
        read_launches();
        for (const Curve& curve : subject_.curves)
            add_suite(curve);
        if (result_.statistics.patterns.empty())
            throw InputError(fmt::format(
                "{}: has nothing that the {} dialect of Cube statistics can hold{}, expected a raw database with "
                "finished measurements",
                printable(subject_.path), to_text(result_.statistics.dialect), why_nothing()));
        for (const auto& [gap, measurements] : lost_)
            result_.losses.push_back({gap, measurements});
        return std::move(result_);
    }

private:
    struct LaunchSuites {
        double begin_s = 0;
        std::vector<StoredSuite> suites;
    };

    void read_launches() {
        double first_utc_s = 0;
        for (const RunId id : subject_.shown_runs) {
            const Run run = database_.run(id);
            if (run.kind == "merged")
                continue; // its values are of several launches, and it has no single measurements
            const double utc_s = utc_seconds(run.started_utc).value_or(0);
            if (launches_.empty())
                first_utc_s = utc_s;
            launches_.push_back({utc_s - first_utc_s, database_.suites(id)});
        }
    }

    [[nodiscard]] std::map<std::int64_t, std::vector<Source>> sources_of(const Suite& suite) const {
        std::map<std::int64_t, std::vector<Source>> sources;
        for (const LaunchSuites& launch : launches_)
            for (const StoredSuite& stored : launch.suites) {
                if (stored.suite.name != suite.name || stored.suite.operation.name != suite.operation.name ||
                    stored.suite.varied != suite.varied)
                    continue;
                for (StoredMeasurement& point : database_.measurements(stored.id))
                    if (point.finished && !has(point.measurement.flags, Flag::wrong_result))
                        sources[point.measurement.argument].push_back(
                            {point.id, launch.begin_s, std::move(point.measurement)});
            }
        return sources;
    }

    void add_suite(const Curve& curve) {
        const std::map<std::int64_t, std::vector<Source>> sources = sources_of(curve.suite());
        const std::size_t suite_path = result_.experiment.call_paths.size();
        result_.experiment.call_paths.push_back(
            {curve.suite().name, curve.suite().operation.title, std::nullopt});
        const std::size_t before = result_.statistics.patterns.size();
        for (const StoredMeasurement& point : curve.points) {
            if (point.measurement.summary.count <= 0) {
                ++lost_[CubeGap::no_value];
                continue;
            }
            const auto found = sources.find(point.measurement.argument);
            add_point(curve, point, found == sources.end() ? std::vector<Source>() : found->second,
                      suite_path);
        }
        if (result_.statistics.patterns.size() == before)
            result_.experiment.call_paths.pop_back();
    }

    void add_point(const Curve& curve, const StoredMeasurement& point, const std::vector<Source>& sources,
                   std::size_t suite_path) {
        const std::int64_t argument = point.measurement.argument;
        const bool varied = curve.suite().varied != Varied::none;
        const std::size_t call_path = varied ? result_.experiment.call_paths.size() : suite_path;
        cube::PatternStatistics pattern;
        pattern.metric_id = cube::WholeNumber(std::ssize(result_.statistics.patterns));
        Samples samples;
        for (const Source& source : sources)
            samples.add(source, database_.batches(source.id));
        if (!samples.empty()) {
            samples.write(pattern, call_path);
        } else {
            pattern.count = point.measurement.summary.count;
            if (sources.size() == 1)
                write_summary(sources.front().measurement.summary, pattern);
        }
        if (!all_finite(pattern)) {
            pattern.moments.reset();
            pattern.variance_s2.reset();
            pattern.quartiles.reset();
        }
        if (pattern.moments && !(pattern.moments->mean_s > 0)) {
            ++lost_[CubeGap::not_above_zero];
            return;
        }
        if (!pattern.moments && result_.statistics.dialect == cube::Dialect::scout) {
            ++lost_[CubeGap::no_statistics];
            return;
        }
        if (!pattern.moments)
            ++lost_[CubeGap::only_count];
        else if (samples.empty())
            ++lost_[CubeGap::only_summary];
        pattern.name = unique(cube_pattern_name(curve.suite(), argument));
        const std::string at = varied ? argument_text(curve, argument) : "";
        result_.experiment.metrics.push_back(
            {pattern.name, curve.suite().name + (varied ? ", " + at : ""),
             curve.suite().operation.title + ": " + what_is_measured(curve)});
        if (varied)
            result_.experiment.call_paths.push_back({at, curve.suite().operation.title, suite_path});
        add_severity(point.measurement, call_path);
        result_.statistics.patterns.push_back(std::move(pattern));
    }

    void add_severity(const Measurement& measurement, std::size_t call_path) {
        cube::Severity severity{result_.experiment.metrics.size() - 1, call_path,
                                std::vector<double>(result_.experiment.processes.size(), 0)};
        const auto set = [&](int rank, double value_s) {
            const auto place = process_at_.find(rank);
            if (place != process_at_.end() && std::isfinite(value_s) && value_s > 0)
                severity.seconds[place->second] = value_s;
        };
        set(0, measurement.value_s);
        for (const NodeTime& node : measurement.node_times)
            set(node.rank, node.value_s);
        result_.experiment.severities.push_back(std::move(severity));
    }

    /// Names of different suites may become the same one.
    std::string unique(const std::string& name) {
        std::string candidate = name;
        for (int i = 2; !names_.insert(candidate).second; ++i)
            candidate = fmt::format("{}#{}", name, i);
        return candidate;
    }

    [[nodiscard]] std::string why_nothing() const {
        if (lost_.contains(CubeGap::no_statistics))
            return " (no usable single measurements)";
        return lost_.contains(CubeGap::not_above_zero) ? " (no mean is above zero)" : "";
    }

    const Database& database_;
    const Subject& subject_;
    CubeExport result_;
    std::vector<LaunchSuites> launches_;
    std::map<int, std::size_t> process_at_; ///< by rank
    std::set<std::string> names_;
    std::map<CubeGap, std::size_t> lost_; ///< measurements
};

} // namespace

std::string to_text(const CubeLoss& loss) {
    const char* words = "";
    switch (loss.gap) {
    case CubeGap::no_value:
        words = "without a value: left out";
        break;
    case CubeGap::not_above_zero:
        words = "with a mean that is not above zero: left out";
        break;
    case CubeGap::no_statistics:
        words =
            "without usable single measurements and without a summary of one launch: left out, because Cube "
            "reads no pattern without statistics (--dialect documented writes their count)";
        break;
    case CubeGap::only_count:
        words =
            "without single measurements and without a summary of one launch: only their count is written";
        break;
    case CubeGap::only_summary:
        words = "without single measurements: written from the stored summary, without a severe instance";
        break;
    }
    return fmt::format("{} {}", count_of(loss.measurements, "measurement"), words);
}

std::string cube_pattern_name(const Suite& suite, std::int64_t argument) {
    std::string name = printable(suite.name);
    std::ranges::replace(name, ' ', '_');
    if (name.empty() || name.front() == '-')
        name.insert(0, 1, '_');
    switch (suite.varied) {
    case Varied::message_length:
        return name + fmt::format("/{}_bytes", argument);
    case Varied::nodes:
        return name + fmt::format("/{}_ranks", argument);
    case Varied::chunks:
        return name + fmt::format("/{}_chunks", argument);
    case Varied::argument:
        return name + fmt::format("/{}", argument);
    case Varied::none:
        break;
    }
    return name;
}

std::string statistics_path(const std::string& cube_path) {
    return std::filesystem::path(cube_path).replace_extension(".stat").string();
}

namespace {

/// The statistics file gets its name from the CUBE file's: nobody named the one that it would replace.
void refuse_other_dialect(const std::string& path, cube::Dialect dialect) {
    std::error_code error;
    if (!std::filesystem::exists(path, error) || !cube::is_statistics_file(path))
        return;
    if (const cube::Dialect there = cube::read_statistics_file(path).file.dialect; there != dialect)
        throw InputError(
            fmt::format("{}: is there in the dialect {}, and would be replaced by one in the dialect {}, "
                        "expected another name, or --dialect {}",
                        printable(path), to_text(there), to_text(dialect), to_text(there)));
}

} // namespace

void write_cube_files(CubeExport cube, const std::string& cube_path) {
    const std::string path = statistics_path(cube_path);
    refuse_other_dialect(path, cube.statistics.dialect);
    OutputFile statistics_file(path, NamedBy::us);
    statistics_file.write(write_statistics(cube.statistics));
    cube.experiment.attributes = {{"statisticfile", std::filesystem::path(path).filename().string()},
                                  {"Creator", "skampi-report " SKAMPI_VERSION}};
    OutputFile cube_file(cube_path);
    cube_file.write(write_cube3(cube.experiment));
    statistics_file.commit();
    cube_file.commit();
}

CubeExport cube_export(const Database& database, const Subject& subject, cube::Dialect dialect) {
    return Exporter(database, subject, dialect).make();
}

} // namespace skampi
