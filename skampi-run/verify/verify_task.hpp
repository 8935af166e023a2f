#pragma once

#include "options.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/supervisor.hpp"
#include "verify/read_proof.hpp"
#include "verify/tuning_use.hpp"
#include "verify/verified.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Launches a probe with the launcher and the program of the jobs.
[[nodiscard]] LaunchProbe probe_launcher(const SuperviseOptions& common);

/// The parameter file of a verification: beside its database, so that all ranks read it.
[[nodiscard]] std::string verify_plan_path(const std::string& database);
/// Writes the parameter file of these suites.
/// @throws InputError where there are none: the file has no rule for this number of ranks
void write_verify_plan(const TuningUse& use, const std::vector<VerifySuite>& planned, const std::string& path,
                       int ranks);

/// What the newest session of a database says of the variant "tuned". @return none = nobody can tell
[[nodiscard]] std::optional<VerifiedFile> verified_file(const std::string& database);

/// Says on standard output what came out.
/// @param planned as write_verify_plan() got them; empty = another plan was measured
/// @return 0 nowhere slower, though single points may lack a value; 1 slower or faulty somewhere, or too few
/// launches were complete
[[nodiscard]] int tell_verified(const TuningUse& use, const std::vector<VerifySuite>& planned,
                                const std::string& database, JobView& view);

} // namespace skampi
