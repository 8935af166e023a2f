// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

/// A control variable of the MPI library (MPI_T) that holds a number.
struct ControlVariable {
    std::string name;
    std::string description;
    std::vector<std::pair<int, std::string>> words = {}; ///< the names of its values; empty = they have none
    bool constant = false;                               ///< only the environment sets it, before the start
};

/// The control variables of the MPI library. MPI_T may be used before MPI_Init; this must be gone before
/// MPI_Finalize, and several may be there at a time. SimGrid has none; MPICH shows none if it refuses a word
/// of the environment.
class ControlVariables {
public:
    ControlVariables();
    ~ControlVariables();
    ControlVariables(const ControlVariables&) = delete;
    ControlVariables& operator=(const ControlVariables&) = delete;

    /// The names of all variables of any type.
    [[nodiscard]] std::set<std::string> names() const;
    /// Those that hold one number and whose name ends so, in the library's order.
    [[nodiscard]] std::vector<ControlVariable> numbers(std::string_view name_begins,
                                                       std::string_view name_ends) const;
    /// The number in it; none = there is no such variable, or no number in it.
    [[nodiscard]] std::optional<int> read(const std::string& name) const;
    /// Its value of any type, as text; none = there is no such variable, or it cannot be read.
    [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
    /// @return the error; empty = it is written
    [[nodiscard]] std::string write(const std::string& name, int number) const;

private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
};

} // namespace skampi
