// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/launch_until.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "launches/read_subjects.hpp"
#include "model/quantity.hpp"
#include "runs/earlier_launches.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"
#include "session/variants_task.hpp"
#include "supervisor/launches_table.hpp"
#include "supervisor/world.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace skampi {
namespace {

/// Of a series that is spread over a time: from so many launches on its correlation is known.
constexpr double spread_launches = 15;

bool is_database_there(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0;
}

/// Ended runs of a plan, those of the newest one's series; ascending.
std::vector<RunId> runs_of(const Database& database, const Series& series, RunId after) {
    std::vector<RunId> runs;
    Series of_newest;
    std::vector<RunId> ids = database.runs();
    std::ranges::reverse(ids);
    for (const RunId id : ids) {
        if (id <= after)
            break;
        const Run run = database.run(id);
        const auto expected = run.facts.find(fact_expected_series); // launchers set variables
        const bool ours =
            Series(run) == series || (expected != run.facts.end() && expected->second == series.hash());
        if (run.kind != "raw" || run.ended_utc.empty() || run.session_place.known() || !ours ||
            Series(run) != of_newest)
            continue;
        of_newest.learn(Series(run));
        runs.push_back(id);
    }
    std::ranges::reverse(runs);
    return runs;
}

struct SettledSum {
    std::size_t points = 0;
    std::size_t settled = 0;
    std::size_t suites = 0; ///< settled ones
};

SettledSum sum_of(const LaunchesSoFar& so_far, const Precision& precision) {
    SettledSum sum;
    for (const SettledSuite& suite : so_far.suites) {
        sum.points += suite.arguments.size();
        sum.settled += suite.settled_points();
        sum.suites += suite.settled(precision.share) ? 1 : 0;
    }
    return sum;
}

bool is_settled(const LaunchesSoFar& so_far, const Precision& precision) {
    return !so_far.suites.empty() && sum_of(so_far, precision).suites == so_far.suites.size();
}

/// More launches, as the intervals so far let expect.
std::size_t expected_more(const LaunchesSoFar& so_far, const Precision& precision) {
    double needed = 0;
    for (const SettledSuite& suite : so_far.suites)
        if (!suite.settled(precision.share))
            needed = std::max(needed, suite.launches_needed);
    return static_cast<std::size_t>(std::max(std::ceil(needed) - static_cast<double>(so_far.launches), 1.0));
}

/// "61 of 105 values known to 2 %, about 8 more launches"
std::string state_text(const LaunchesSoFar& so_far, const Precision& precision, double launch_s) {
    const SettledSum sum = sum_of(so_far, precision);
    std::string text = fmt::format("{} of {} known to {}", sum.settled, count_of(sum.points, "value"),
                                   format_percent(precision.half_width));
    if (sum.suites < so_far.suites.size()) {
        const std::size_t more = expected_more(so_far, precision);
        text +=
            fmt::format(", about {} more{}", count_of(more, "launch", "launches"),
                        launch_s > 0 ? " (" + rough_time(launch_s * static_cast<double>(more)) + ")" : "");
    }
    return text;
}

/// "not known to 2 %: ping-pong (18 of 21 values), MPI_Bcast (3 of 14)"
std::string open_text(const LaunchesSoFar& so_far, const Precision& precision) {
    constexpr std::size_t most = 5;
    std::vector<std::string> names;
    for (const SettledSuite& suite : so_far.suites)
        if (!suite.settled(precision.share))
            names.push_back(fmt::format("{} ({} of {})", printable(shortened_name(suite.name, 40)),
                                        suite.settled_points(), suite.arguments.size()));
    if (names.size() > most) {
        const std::size_t others = names.size() - most;
        names.resize(most);
        names.push_back(fmt::format("{} more", others));
    }
    return fmt::format("known to {} at: {}", format_percent(precision.half_width), enumeration(names));
}

/// The newest run of a database; 0 = there is none.
RunId newest_run(const std::string& path) {
    const std::vector<RunId> runs =
        is_database_there(path) ? Database::open(path).runs() : std::vector<RunId>();
    return runs.empty() ? 0 : runs.back();
}

class LaunchesUntil {
public:
    LaunchesUntil(const Options& options, const Precision& precision, const SuperviseOptions& common,
                  JobView& view)
        : options_(options)
        , precision_(precision)
        , common_(common)
        , view_(view)
        , world_(make_world(common.database))
        , after_(options.fresh ? newest_run(common.database) : 0)
        , begin_s_(world_->monotonic_s()) {
        view_.be_brief();
    }

    int run() {
        int worst = static_cast<int>(ExitStatus::done);
        LaunchesSoFar so_far = look();
        for (double due_s = begin_s_; !ends(so_far, due_s); due_s += options_.spread_s / spread_launches) {
            if (const int signal = wait_until(due_s); signal != 0)
                return 128 + signal;
            const double launch_begin_s = world_->monotonic_s();
            SuperviseOptions wanted = common_;
            wanted.job_arguments.insert(wanted.job_arguments.end(),
                                        {"--until", fmt::format("{:.6g}%", 100 * precision_.half_width)});
            wanted.job_arguments.push_back("--due=" + due_text(due_next(so_far, precision_)));
            wanted.brief = true;
            const int status = supervise(wanted, *world_);
            common_.fresh = false; // the first launch alone begins anew
            worst = std::max(worst, status);
            if (status > static_cast<int>(ExitStatus::incomplete))
                return status;
            const std::size_t before = so_far.launches;
            so_far = look();
            if (so_far.launches <= before || so_far.suites.empty()) // it would go on like that
                return static_cast<int>(ExitStatus::incomplete);
            launch_s_ = world_->monotonic_s() - launch_begin_s;
            view_.step(fmt::format("launch {}: {:.1f} s; {}", so_far.launches, launch_s_,
                                   state_text(so_far, precision_, launch_s_)));
        }
        view_.clear();
        if (so_far.without_value > 0) {
            view_.note(fmt::format("{} without a value", count_of(so_far.without_value, "suite")));
            worst = std::max(worst, static_cast<int>(ExitStatus::incomplete));
        }
        if (is_settled(so_far, precision_))
            view_.note(fmt::format("{}, after {}", state_text(so_far, precision_, 0),
                                   count_of(so_far.launches, "launch", "launches")));
        else
            view_.note(
                fmt::format("its time is over: {}; the same command goes on", open_text(so_far, precision_)));
        return worst;
    }

    [[nodiscard]] std::string table() const {
        const Database database = Database::open(common_.database);
        return launches_table(database, runs_of(database, common_.series, after_));
    }

    /// For scripts.
    [[nodiscard]] std::string line(int status) const {
        if (status > static_cast<int>(ExitStatus::incomplete))
            return line_without_sums(common_.database, status);
        const LaunchesSoFar so_far = look();
        const SettledSum sum = sum_of(so_far, precision_);
        return fmt::format("SKAMPI: {} launches={} points={} settled={}", status == 0 ? "OK" : "FAILED",
                           so_far.launches, sum.points, sum.settled);
    }

private:
    [[nodiscard]] LaunchesSoFar look() const {
        return launches_so_far(common_.database, common_.series, precision_, after_);
    }

    /// @param due_s when the next launch may begin
    [[nodiscard]] bool ends(const LaunchesSoFar& so_far, double due_s) const {
        const double used_s = world_->monotonic_s() - begin_s_;
        const bool spread = used_s >= options_.spread_s * (1 - 1 / spread_launches);
        return (is_settled(so_far, precision_) && spread) ||
               (so_far.launches > 0 && std::max(used_s, due_s - begin_s_) + launch_s_ > *precision_.time_s);
    }

    /// @return signal that came meanwhile; 0 = none
    int wait_until(double monotonic_s) {
        while (world_->monotonic_s() < monotonic_s)
            if (const int signal = world_->wait(monotonic_s).signal; signal != 0)
                return signal;
        return 0;
    }

    const Options& options_;
    const Precision& precision_;
    SuperviseOptions common_;
    JobView& view_;
    std::unique_ptr<World> world_;
    RunId after_; ///< earlier launches do not count
    double begin_s_;
    double launch_s_ = 0; ///< that the last one took
};

} // namespace

LaunchesSoFar launches_so_far(const std::string& path, const Series& series, const Precision& precision,
                              RunId after) {
    LaunchesSoFar so_far;
    if (!is_database_there(path))
        return so_far;
    const Database database = Database::open(path);
    const std::vector<RunId> runs = runs_of(database, series, after);
    so_far.launches = runs.size();
    if (runs.empty())
        return so_far;
    const Subject merged = read_series(database, runs);
    so_far.suites = settled_suites(merged, precision);
    so_far.without_value = merged.curves.size() - so_far.suites.size();
    so_far.arguments = arguments_of_session(
        database, {{runs.front(), database.run(runs.front()), {.session = {}, .round = 1, .place = 0}}}, {},
        2);
    return so_far;
}

int launch_until(const Options& options, const Precision& precision, const SuperviseOptions& common,
                 JobView& view) {
    LaunchesUntil launches(options, precision, common, view);
    int status = launches.run();
    if (status <= static_cast<int>(ExitStatus::incomplete)) {
        if (writes_lines(options.progress, stdout))
            write_standard_output(launches.table(), ExitStatus::incomplete);
        else if (!report_result(options, common.database, view))
            status = static_cast<int>(ExitStatus::incomplete);
    }
    view.summary_of_all(launches.line(status));
    return status;
}

} // namespace skampi
