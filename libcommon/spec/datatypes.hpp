#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace skampi {

/// What MPI allows to be done with a datatype (MPI-4.0, 6.9.2).
enum class DatatypeClass {
    bytes,    ///< bit-wise reductions only
    text,     ///< no reductions
    integer,  ///< all reductions
    floating, ///< arithmetic reductions only
};

/// An MPI datatype that Datatype in a parameter file may name.
struct DatatypeInfo {
    std::string_view name;
    DatatypeClass kind;
    std::size_t bytes; ///< of one element, on this machine
};

/// A predefined MPI reduction that Reduction in a parameter file may name.
struct ReductionInfo {
    std::string_view name;
    bool on_bytes;
    bool on_integers;
    bool on_floating;
};

[[nodiscard]] std::span<const DatatypeInfo> known_datatypes();
[[nodiscard]] std::span<const ReductionInfo> known_reductions();
/// nullptr for an unknown name.
[[nodiscard]] const DatatypeInfo* find_datatype(std::string_view name);
[[nodiscard]] const ReductionInfo* find_reduction(std::string_view name);
[[nodiscard]] bool is_allowed(const ReductionInfo& reduction, const DatatypeInfo& datatype);

} // namespace skampi
