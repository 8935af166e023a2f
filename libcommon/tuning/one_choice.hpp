#pragma once

#include "tuning/rule.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Files that hold one choice per operation, for all lengths and numbers of ranks.

/// Variables of the ranks' environment, one a line: NAME=VALUE.
[[nodiscard]] std::string write_tuning_env(const TuningTarget& target, std::vector<TuningRule>& rules);
/// Options of smpirun, one a line: --cfg=smpi/bcast:binomial_tree.
[[nodiscard]] std::string write_smpi_cfg(const TuningTarget& target, std::vector<TuningRule>& rules);

/// The variables of such a file. Lines as the shell reads them, without any expansion: # begins a comment.
/// @param name of the file, for messages @throws InputError naming the line
[[nodiscard]] std::map<std::string, std::string> read_tuning_env(std::string_view text,
                                                                 const std::string& name);
/// The algorithms by operation ("MPI_Bcast"). @throws InputError naming the line
[[nodiscard]] std::map<std::string, std::string> read_smpi_cfg(std::string_view text,
                                                               const std::string& name);

/// The variable by which a library is told one algorithm of an operation: "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
/// "OMPI_MCA_coll_tuned_bcast_algorithm"; empty = there is none.
[[nodiscard]] std::string choice_variable(std::string_view layer, std::string_view operation);
/// The operation of such a variable; empty = it is none.
[[nodiscard]] std::string operation_of_variable(std::string_view variable);

} // namespace skampi
