#include "mpi/datatypes.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"

#include <fmt/format.h>
#include <utility>
#include <vector>

namespace skampi {

MPI_Datatype find_datatype(const std::string& name) {
    const std::vector<std::pair<const char*, MPI_Datatype>> table = {
        {"MPI_BYTE", MPI_BYTE},         {"MPI_CHAR", MPI_CHAR},         {"MPI_SHORT", MPI_SHORT},
        {"MPI_INT", MPI_INT},           {"MPI_LONG", MPI_LONG},         {"MPI_INT8_T", MPI_INT8_T},
        {"MPI_INT16_T", MPI_INT16_T},   {"MPI_INT32_T", MPI_INT32_T},   {"MPI_INT64_T", MPI_INT64_T},
        {"MPI_UINT8_T", MPI_UINT8_T},   {"MPI_UINT16_T", MPI_UINT16_T}, {"MPI_UINT32_T", MPI_UINT32_T},
        {"MPI_UINT64_T", MPI_UINT64_T}, {"MPI_FLOAT", MPI_FLOAT},       {"MPI_DOUBLE", MPI_DOUBLE},
    };
    for (const auto& [known, type] : table)
        if (name == known)
            return type;
    throw InputError(
        fmt::format("datatype {} is not known, expected a predefined one such as MPI_BYTE", name));
}

MPI_Op find_reduction(const std::string& name) {
    const std::vector<std::pair<const char*, MPI_Op>> table = {
        {"MPI_SUM", MPI_SUM},   {"MPI_PROD", MPI_PROD}, {"MPI_MAX", MPI_MAX},   {"MPI_MIN", MPI_MIN},
        {"MPI_BOR", MPI_BOR},   {"MPI_BAND", MPI_BAND}, {"MPI_BXOR", MPI_BXOR}, {"MPI_LOR", MPI_LOR},
        {"MPI_LAND", MPI_LAND}, {"MPI_LXOR", MPI_LXOR},
    };
    for (const auto& [known, reduction] : table)
        if (name == known)
            return reduction;
    throw InputError(
        fmt::format("reduction {} is not known, expected a predefined one such as MPI_SUM", name));
}

int type_size(MPI_Datatype type) {
    int size = 0;
    check(MPI_Type_size(type, &size), "MPI_Type_size");
    return size;
}

} // namespace skampi
