#pragma once

#include "base/error.hpp"

#include <mpi.h>
#include <string>

namespace skampi {

/// An MPI call returned an error. Named with its class and text; attributed to a suite by who catches it.
class MpiError : public Error {
public:
    MpiError(const std::string& call, int code);
};

/// "MPI_ERR_COUNT: Invalid count argument" for a return code.
[[nodiscard]] std::string mpi_error_text(int code);

/// @throws MpiError when code is not MPI_SUCCESS
void check(int code, const char* call);

} // namespace skampi
