#pragma once

#include "tuning/library_version.hpp"

#include <array>
#include <map>
#include <string>

namespace skampi {

constexpr const char* open_mpi_rules_variable = "OMPI_MCA_coll_tuned_dynamic_rules_filename";
/// Names of one variable; the first is that of its documentation.
inline constexpr std::array mpich_tree_variables{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
                                                 "MPIR_PARAM_COLL_SELECTION_TUNING_JSON_FILE",
                                                 "MPICH_COLL_SELECTION_TUNING_JSON_FILE"};

/// The variables of this process' environment that name a tuning file for a library, with the files: what
/// launches get, and what their default is then. Empty ones name none.
[[nodiscard]] std::map<std::string, std::string> tuning_files_in_use(LibraryKind library);

} // namespace skampi
