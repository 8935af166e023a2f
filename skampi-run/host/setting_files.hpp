// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "host/environment.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Where the MPI library says that it reads settings (Open MPI); several paths are separated by : or ,
struct SettingFiles {
    std::string first_counts; ///< a setting in several of them has the value of the first
    std::string override;     ///< counts more than the environment
};

/// The environment with what libraries read in files: Open MPI's, ucx.conf and mvapich2.conf, each setting
/// under the name by which the environment sets it. The environment's own value counts where it does for the
/// library. A file that cannot be read sets nothing.
[[nodiscard]] std::vector<Variable> with_settings_of_files(const std::vector<Variable>& environment,
                                                           const SettingFiles& open_mpi);

} // namespace skampi
