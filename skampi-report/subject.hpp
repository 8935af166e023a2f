#pragma once

#include "model/measurement.hpp"
#include "model/run.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// One suite of the run shown, with what other launches of the same plan say of it.
struct Curve {
    StoredSuite stored;
    std::vector<StoredMeasurement> points; ///< finished ones, ascending argument
    int unfinished = 0;                    ///< begun, without a value yet
    /// Values per launch (run uuid): argument -> seconds. Of a merged run these are its sources, of a raw run
    /// itself and the other raw runs of the same plan in the database.
    std::map<std::string, std::map<std::int64_t, double>> launches;

    [[nodiscard]] const Suite& suite() const { return stored.suite; }
};

/// What one database says: a machine with its MPI library.
struct Subject {
    std::string label; ///< short, unique in the report
    std::string path;
    std::optional<Run> run; ///< the run shown; none = the database holds no run
    int runs_in_database = 0;
    std::vector<Curve> curves; ///< plan order
    std::vector<Event> events;

    /// How many launches stand behind the values: of a merged run its sources, else the raw runs of the plan.
    [[nodiscard]] std::size_t launches() const;
};

/// Reads the run to be shown: the newest merged one that has a value, else the newest raw one that has a
/// value, else the newest. Other raw runs of the same plan are read for their values only.
[[nodiscard]] Subject read_subject(const Database& database);

/// Gives every subject a label that no other has: machine or library where they differ, else the file's name.
void label_subjects(std::vector<Subject>& subjects);

/// The values the launches have at an argument; with interpolate also of launches that have neighbours of the
/// argument on both sides. In the order of their uuids, so that two curves of the same launches pair up.
[[nodiscard]] std::map<std::string, double> launch_values(const Curve& curve, std::int64_t argument,
                                                          bool interpolate = false);

/// The curve of a subject that measures the same as the one given: same name, operation and variation; else
/// the only one with the same operation, variation and fixed parameters.
[[nodiscard]] const Curve* matching_curve(const Subject& subject, const Curve& curve);

/// Messages a call moves: as stored, else two for a ping-pong and one for a collective or master-worker
/// operation. 0 = no bandwidth can be said.
[[nodiscard]] double messages(const Curve& curve, const Measurement& measurement);
/// Bytes a call moves, for bandwidth: message length times messages.
[[nodiscard]] double bytes_moved(const Curve& curve, const Measurement& measurement);
/// Whether a time is that of one message there and one back.
[[nodiscard]] bool is_round_trip(const Curve& curve);

} // namespace skampi
