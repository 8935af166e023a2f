// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
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

/// All datatypes: the one table of them. Their handles are found by these names (mpi/datatypes).
inline constexpr std::array known_datatypes{
    DatatypeInfo{"MPI_BYTE", DatatypeClass::bytes, 1},
    DatatypeInfo{"MPI_CHAR", DatatypeClass::text, 1},
    DatatypeInfo{"MPI_SHORT", DatatypeClass::integer, sizeof(short)},
    DatatypeInfo{"MPI_INT", DatatypeClass::integer, sizeof(int)},
    DatatypeInfo{"MPI_LONG", DatatypeClass::integer, sizeof(long)},
    DatatypeInfo{"MPI_INT8_T", DatatypeClass::integer, 1},
    DatatypeInfo{"MPI_INT16_T", DatatypeClass::integer, 2},
    DatatypeInfo{"MPI_INT32_T", DatatypeClass::integer, 4},
    DatatypeInfo{"MPI_INT64_T", DatatypeClass::integer, 8},
    DatatypeInfo{"MPI_UINT8_T", DatatypeClass::integer, 1},
    DatatypeInfo{"MPI_UINT16_T", DatatypeClass::integer, 2},
    DatatypeInfo{"MPI_UINT32_T", DatatypeClass::integer, 4},
    DatatypeInfo{"MPI_UINT64_T", DatatypeClass::integer, 8},
    DatatypeInfo{"MPI_FLOAT", DatatypeClass::floating, sizeof(float)},
    DatatypeInfo{"MPI_DOUBLE", DatatypeClass::floating, sizeof(double)},
};

inline constexpr std::array known_reductions{
    // name, on bytes, on integers, on floating-point numbers
    ReductionInfo{"MPI_BOR", true, true, false},   ReductionInfo{"MPI_BAND", true, true, false},
    ReductionInfo{"MPI_BXOR", true, true, false},  ReductionInfo{"MPI_LOR", false, true, false},
    ReductionInfo{"MPI_LAND", false, true, false}, ReductionInfo{"MPI_LXOR", false, true, false},
    ReductionInfo{"MPI_SUM", false, true, true},   ReductionInfo{"MPI_PROD", false, true, true},
    ReductionInfo{"MPI_MAX", false, true, true},   ReductionInfo{"MPI_MIN", false, true, true},
};

/// nullptr for an unknown name.
[[nodiscard]] const DatatypeInfo* find_datatype(std::string_view name);
[[nodiscard]] const ReductionInfo* find_reduction(std::string_view name);
[[nodiscard]] bool is_allowed(const ReductionInfo& reduction, const DatatypeInfo& datatype);

} // namespace skampi
