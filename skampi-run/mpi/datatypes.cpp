// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mpi/datatypes.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"
#include "spec/datatypes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace skampi {
namespace {

// Name and handle come from one word, and the compiler sees that there is one for every row of
// spec/datatypes.
#define SKAMPI_DATATYPES(EACH)                                                                               \
    EACH(MPI_BYTE), EACH(MPI_CHAR), EACH(MPI_SHORT), EACH(MPI_INT), EACH(MPI_LONG), EACH(MPI_INT8_T),        \
        EACH(MPI_INT16_T), EACH(MPI_INT32_T), EACH(MPI_INT64_T), EACH(MPI_UINT8_T), EACH(MPI_UINT16_T),      \
        EACH(MPI_UINT32_T), EACH(MPI_UINT64_T), EACH(MPI_FLOAT), EACH(MPI_DOUBLE)
#define SKAMPI_REDUCTIONS(EACH)                                                                              \
    EACH(MPI_BOR), EACH(MPI_BAND), EACH(MPI_BXOR), EACH(MPI_LOR), EACH(MPI_LAND), EACH(MPI_LXOR),            \
        EACH(MPI_SUM), EACH(MPI_PROD), EACH(MPI_MAX), EACH(MPI_MIN)
#define SKAMPI_NAME(handle) std::string_view(#handle)
#define SKAMPI_HANDLE(handle) handle

constexpr std::array datatype_names{SKAMPI_DATATYPES(SKAMPI_NAME)};
constexpr std::array reduction_names{SKAMPI_REDUCTIONS(SKAMPI_NAME)};
static_assert(std::ranges::equal(datatype_names, known_datatypes, {}, {}, &DatatypeInfo::name));
static_assert(std::ranges::equal(reduction_names, known_reductions, {}, {}, &ReductionInfo::name));

template <typename Handles, typename Names>
auto handle_of(const Handles& handles, const Names& names, const std::string& name, const char* what) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw InputError(fmt::format("{} {} is not known, expected a predefined one such as {}", what, name,
                                     names.front()));
    return handles[static_cast<std::size_t>(found - names.begin())];
}

} // namespace

MPI_Datatype datatype_handle(const std::string& name) {
    // Not constants: some libraries' handles are known only to the linker.
    const std::array<MPI_Datatype, datatype_names.size()> handles{SKAMPI_DATATYPES(SKAMPI_HANDLE)};
    return handle_of(handles, datatype_names, name, "datatype");
}

MPI_Op reduction_handle(const std::string& name) {
    const std::array<MPI_Op, reduction_names.size()> handles{SKAMPI_REDUCTIONS(SKAMPI_HANDLE)};
    return handle_of(handles, reduction_names, name, "reduction");
}

int type_size(MPI_Datatype type) {
    int size = 0;
    check(MPI_Type_size(type, &size), "MPI_Type_size");
    return size;
}

} // namespace skampi
