// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

/// The fitted models as a C99 header that a program can compile in: for each operation
///
///     double skampi_MPI_Bcast(double bytes, int ranks);        in seconds; a comment says which time
///     double skampi_MPI_Bcast_error(double bytes, int ranks);  worst relative error of the piece used
///
/// NAN outside of what was measured. Names and texts of the database cannot leave their comments. Pure.
[[nodiscard]] std::string c_header(const Subject& subject);

} // namespace skampi
