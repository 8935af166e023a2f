// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/series_progress.hpp"

#include "base/utc.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace skampi {
namespace {

std::int64_t failed_among(const std::vector<StoredSuite>& suites) {
    return std::ranges::count(suites, SuiteState::failed, &StoredSuite::state);
}

} // namespace

Series counted_series(const Run& run) {
    return Series(run).forget("placement").forget("binding");
}

SeriesProgress progress_of(const Database& database, const Series& series, RunId after) {
    SeriesProgress progress;
    for (const RunId id : database.runs()) {
        progress.last = std::max(progress.last, id);
        const Run run = database.run(id);
        if (id <= after || run.kind != "raw" || counted_series(run) != series)
            continue;
        const double start_s = utc_seconds(run.started_utc).value_or(0);
        if (progress.first_start_s == 0)
            progress.first_start_s = start_s;
        progress.last_start_s = start_s;
        const std::vector<StoredSuite> suites = database.suites(id);
        progress.failed_suites += failed_among(suites);
        progress.failed_in_ended_runs += run.ended_utc.empty() ? 0 : failed_among(suites);
        progress.finished_measurements = 0;
        progress.in_progress = false;
        if (!run.ended_utc.empty()) {
            ++progress.ended;
            progress.open.reset();
            continue;
        }
        progress.open = id;
        for (const StoredSuite& suite : suites) {
            progress.in_progress = progress.in_progress || suite.in_progress;
            progress.finished_measurements +=
                std::ranges::count(database.measurements(suite.id), true, &StoredMeasurement::finished);
        }
    }
    return progress;
}

std::optional<RunOfJob> find_run(const Database& database, const std::string& uuid) {
    for (const RunId id : database.runs())
        if (Run run = database.run(id); run.uuid == uuid)
            return RunOfJob{id, std::move(run), failed_among(database.suites(id))};
    return std::nullopt;
}

} // namespace skampi
