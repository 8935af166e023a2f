// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mpi/check.hpp"

#include <fmt/format.h>

namespace skampi {

std::string mpi_error_text(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    char class_text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    int error_class = code;
    MPI_Error_class(code, &error_class);
    MPI_Error_string(code, text, &length);
    MPI_Error_string(error_class, class_text, &length);
    std::string what = text;
    if (what.find(class_text) == std::string::npos)
        what = fmt::format("{} ({})", what, class_text);
    for (char& c : what)
        if (c == '\n')
            c = ' ';
    return fmt::format("error class {}: {}", error_class, what);
}

MpiError::MpiError(const std::string& call, int code)
    : Error(ExitStatus::impossible, fmt::format("{} returned {}", call, mpi_error_text(code))) {}

MpiError::MpiError(const std::string& call, const std::string& thrown)
    : Error(ExitStatus::impossible, fmt::format("{} threw: {}", call, thrown)) {}

MpiError::MpiError(const std::string& words)
    : Error(ExitStatus::impossible, words) {}

void check(int code, const char* call) {
    if (code != MPI_SUCCESS)
        throw MpiError(call, code);
}

} // namespace skampi
