// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/error.hpp"

#include <mpi.h>
#include <optional>
#include <string>

namespace skampi {

/// An MPI call returned an error, or a user's function threw one. Named with its class and text; attributed
/// to a suite by who catches it.
class MpiError : public Error {
public:
    MpiError(const std::string& call, int code);
    MpiError(const std::string& call, const std::string& thrown);
    explicit MpiError(const std::string& words); ///< for errors outside calls
};

/// "MPI_ERR_COUNT: Invalid count argument" for a return code.
[[nodiscard]] std::string mpi_error_text(int code);

/// @throws MpiError when code is not MPI_SUCCESS
void check(int code, const char* call);

/// Keeps the first error of calls that other ranks take part in. Later steps are carried out all the same:
/// the others saw no error and wait in them.
class FirstError {
public:
    /// @param thrown what a user's function threw; the code stands for it then
    void note(int code, const std::string& call, const std::string& thrown = {}) {
        if (code != MPI_SUCCESS)
            keep(thrown.empty() ? MpiError(call, code) : MpiError(call, thrown));
    }
    void keep(const MpiError& error) {
        if (!error_)
            error_ = error;
    }
    [[nodiscard]] bool seen() const { return error_.has_value(); }
    [[nodiscard]] std::string text() const { return error_ ? error_->what() : ""; } ///< empty = none
    /// When no rank waits for this one any more. @throws MpiError the error kept, if there is one
    void raise() const {
        if (error_)
            throw MpiError(*error_);
    }

private:
    std::optional<MpiError> error_;
};

} // namespace skampi
