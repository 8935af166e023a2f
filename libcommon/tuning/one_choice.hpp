// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/rule.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Files that hold one choice per operation, for all lengths and numbers of ranks: variables of the ranks'
// environment, one a line (NAME=VALUE), and options of smpirun (--cfg=smpi/bcast:binomial_tree).

/// @param format environment or smpi_cfg
[[nodiscard]] std::string write_choices(TuningFormat format, const TuningTarget& target,
                                        std::vector<TuningRule>& rules);

/// What such a file sets: variables, or options by their names ("smpi/bcast"). Lines as the shell reads them,
/// without any expansion: # begins a comment.
/// @param name of the file, for messages @throws InputError naming the line
[[nodiscard]] std::map<std::string, std::string> read_choices(TuningFormat format, std::string_view text,
                                                              const std::string& name);

/// The variable, or option of smpirun, by which a library is given one algorithm of an operation:
/// "MPIR_CVAR_BCAST_INTRA_ALGORITHM", "OMPI_MCA_coll_tuned_bcast_algorithm", "smpi/bcast"; empty = there is
/// none.
[[nodiscard]] std::string choice_variable(std::string_view layer, std::string_view operation);
/// The operation of such a variable or option; empty = it is none.
[[nodiscard]] std::string operation_of_variable(std::string_view variable);

} // namespace skampi
