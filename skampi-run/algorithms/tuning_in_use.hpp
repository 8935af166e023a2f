// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/library_version.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace skampi {

constexpr const char* open_mpi_rules_variable = "OMPI_MCA_coll_tuned_dynamic_rules_filename";
/// Names of one variable; the first is that of its documentation.
inline constexpr std::array mpich_tree_variables{"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
                                                 "MPIR_PARAM_COLL_SELECTION_TUNING_JSON_FILE",
                                                 "MPICH_COLL_SELECTION_TUNING_JSON_FILE"};

/// The variables of this process' environment that name a tuning file for a library, with the files: what
/// launches get, and what their default is then. Empty ones name none.
[[nodiscard]] std::map<std::string, std::string> tuning_files_in_use(LibraryKind library);

/// A variable of this process' environment that chooses one algorithm for all calls of an operation.
struct ChoiceInUse {
    std::string variable;
    std::string value;
    std::string operation;
    bool operator==(const ChoiceInUse&) const = default;
};
/// Those that choose another algorithm than the library would by itself.
[[nodiscard]] std::vector<ChoiceInUse> choices_in_use(LibraryKind library);

/// Whether a library follows the rules of a tuning file, and not such a variable, where both are set: Open
/// MPI's coll_tuned_decision_dynamic.c does so up to 4.1.
[[nodiscard]] bool follows_file_before_choice(const LibraryVersion& version);

} // namespace skampi
