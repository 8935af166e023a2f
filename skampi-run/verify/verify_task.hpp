#pragma once

#include "supervisor/supervisor.hpp"
#include "verify/read_proof.hpp"
#include "verify/tuning_use.hpp"
#include "verify/verified.hpp"

#include <memory>
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

/// What the newest session of a database says of its tuning file. @pre there is a session
/// @param planned as write_verify_plan() got them; empty = another plan was measured
[[nodiscard]] std::unique_ptr<const VerifiedFile> verified_file(const std::string& database,
                                                                std::vector<VerifySuite> planned);

/// Says on standard output what came out.
/// @return 0 nowhere slower, though single points may lack a value; 1 slower or faulty somewhere, or too few
/// launches were complete
[[nodiscard]] int tell_verified(const TuningUse& use, const VerifiedFile& file);

} // namespace skampi
