// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/csv.hpp"

#include "analysis/finding_names.hpp"
#include "import/result_csv.hpp"
#include "launches/read_subjects.hpp"
#include "model/bus_bandwidth.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skampi {

namespace {

/// result_csv_line() and result_csv_header() may come with or without their line end.
std::string ended(std::string line) {
    if (line.empty() || line.back() != '\n')
        line += '\n';
    return line;
}

/// The lines of a CSV file, as long as they are not too many.
class Lines {
public:
    explicit Lines(std::size_t most_bytes)
        : most_bytes_(most_bytes) {}

    void add(const ResultRow& row) {
        if (text_.size() <= most_bytes_)
            text_ += ended(result_csv_line(row));
    }
    /// Empty where there were too many.
    std::string text() { return text_.size() > most_bytes_ ? std::string() : std::move(text_); }

private:
    std::size_t most_bytes_;
    std::string text_ = ended(result_csv_header());
};

/// A name for launches that were merged here: they have none together.
std::string uuid_of(const Subject& subject) {
    if (!subject.run->uuid.empty() || subject.launch_times.empty())
        return subject.run->uuid;
    return "merged-" + subject.launch_times.rbegin()->first;
}

} // namespace

ResultRow result_row(const Subject& subject, const Curve& curve, const StoredMeasurement& point) {
    ResultRow row;
    row.run = uuid_of(subject);
    row.suite = curve.suite();
    row.measurement = point.measurement;
    if (!point.merge && std::isnan(row.measurement.adjusted_s)) // the column of a run is as its field says
        row.measurement.adjusted_s = row.measurement.value_s;
    if (point.merge)
        row.launches = point.merge->runs;
    const ValueError error = value_error(point);
    row.low = error.low.value_or(row.low);
    row.high = error.high.value_or(row.high);
    row.error = to_text(error.kind);
    row.interval_confidence = error.confidence;
    if (meaning_of(curve) == Meaning::round_trip)
        row.half_round_trip_s = point.measurement.value_s / 2;
    if (const double bytes = bytes_moved(curve, point.measurement);
        bytes > 0 && point.measurement.value_s > 0)
        row.bandwidth = bytes / point.measurement.value_s;
    row.bus_bandwidth = row.bandwidth * bus_share(curve.suite().operation.name,
                                                  curve.suite().operation.pattern, point.measurement.ranks);
    row.host = subject.run->host;
    row.mpi_library = subject.run->mpi_library;
    row.started_utc = subject.run->started_utc;
    row.kind = subject.merged_here ? "merged" : subject.run->kind;
    row.variant = subject.run->variant;
    row.round = subject.merged_here ? 0 : subject.run->session_place.round;
    return row;
}

std::string shown_csv(const std::vector<Subject>& subjects, std::size_t most_bytes) {
    Lines lines(most_bytes);
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves)
            for (const StoredMeasurement& point : curve.points)
                lines.add(result_row(subject, curve, point));
    return lines.text();
}

std::string result_csv(const std::vector<Database>& databases, const std::vector<std::string>& suites,
                       const std::vector<std::string>& runs, std::size_t most_bytes) {
    Lines lines(most_bytes);
    const auto add = [&](const ResultRow& row) {
        if (suite_selected(row.suite.name, suites))
            lines.add(row);
    };
    for (const Database& database : databases) {
        const std::vector<RunId> chosen = runs_called(database, runs);
        if (chosen.empty())
            database.for_each_result(add);
        for (const RunId id : chosen)
            database.for_each_result(add, database.run(id).uuid);
    }
    return lines.text();
}

} // namespace skampi
