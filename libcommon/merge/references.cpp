// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/references.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/series.hpp"
#include "store/database.hpp"

#include <algorithm>

namespace skampi {

bool share_reference(const Run& a, const Run& b) {
    return Series(a).forget("plan_hash").differences(Series(b).forget("plan_hash")).empty();
}

std::vector<MachineState> stored_references(const std::vector<SourceRun>& runs,
                                            const std::vector<Run>& preferred) {
    std::vector<MachineState> found;
    const auto add = [&](const Run& run) {
        const MachineState reference{run.reference_probe_s, run.reference_core_speed};
        if (reference.known() && std::ranges::find(found, reference) == found.end())
            found.push_back(reference);
    };
    for (const Run& run : preferred)
        if (share_reference(run, runs.front().run))
            add(run);
    for (const SourceRun& source : runs)
        add(source.run);
    return found;
}

std::vector<Run> runs_with_reference(const std::string& path) {
    const Database database = Database::open(path);
    std::vector<Run> found;
    for (const RunId id : database.runs())
        if (Run run = database.run(id); run.reference_probe_s > 0 || run.reference_core_speed > 0)
            found.push_back(std::move(run));
    if (found.empty())
        throw InputError(printable(path) + ": no run stores a reference, expected a database of launches");
    return found;
}

} // namespace skampi
