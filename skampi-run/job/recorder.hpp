// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "host/environment.hpp"
#include "laboratory/laboratory.hpp"
#include "model/run.hpp"
#include "plan/run_options.hpp"
#include "skalib/clock.hpp"
#include "spec/parameter_file.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace skampi {

/// What a run is measured with, as it was found when the job began.
struct Surroundings {
    std::string library; ///< Run::mpi_library
    Environment environment;
    std::map<std::string, std::string> facts; ///< of machine and library
    HostSizes host_sizes;
    std::vector<RankFacts> ranks; ///< of all ranks; the run has so many
    std::string launcher;
    skalib::ClockFacts clock;
};

/// A run that begins now, without its identity.
[[nodiscard]] Run run_of(const ParameterFile& plan, const RunOptions& options,
                         const Surroundings& surroundings);

/// One run, from the plan to the last line of the database: everything that touches it. Knows no MPI.
class Recorder {
public:
    /// Goes on with an unfinished run of the same series or begins one.
    /// @param plan fitted to the machine; must outlive this, as must the options
    /// @param changes what was changed for that, a warning of the run each
    /// @throws StoreError when the database cannot be opened for writing, or an unfinished run in it is
    /// damaged
    [[nodiscard]] static std::unique_ptr<Recorder> begin(const RunOptions& options, const ParameterFile& plan,
                                                         const std::vector<std::string>& changes,
                                                         const Surroundings& surroundings);
    virtual ~Recorder() = default;

    /// What is measured, as it is stored.
    [[nodiscard]] virtual std::vector<Suite> plan() const = 0;
    /// Measures everything there is to measure, and says on standard output how it ended.
    /// @param laboratory of the plan above
    /// @return the exit status
    [[nodiscard]] virtual int measure(Laboratory& laboratory, const Tempo& tempo) = 0;
};

} // namespace skampi
