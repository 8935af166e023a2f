#include "spec/datatypes.hpp"

#include <algorithm>
#include <array>

namespace skampi {

namespace {

constexpr std::array datatypes{
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

constexpr std::array reductions{
    // name, on bytes, on integers, on floating-point numbers
    ReductionInfo{"MPI_BOR", true, true, false},   ReductionInfo{"MPI_BAND", true, true, false},
    ReductionInfo{"MPI_BXOR", true, true, false},  ReductionInfo{"MPI_LOR", false, true, false},
    ReductionInfo{"MPI_LAND", false, true, false}, ReductionInfo{"MPI_LXOR", false, true, false},
    ReductionInfo{"MPI_SUM", false, true, true},   ReductionInfo{"MPI_PROD", false, true, true},
    ReductionInfo{"MPI_MAX", false, true, true},   ReductionInfo{"MPI_MIN", false, true, true},
};

template <typename Info>
const Info* find_by_name(std::span<const Info> all, std::string_view name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Info& info) { return info.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

std::span<const DatatypeInfo> known_datatypes() {
    return datatypes;
}

std::span<const ReductionInfo> known_reductions() {
    return reductions;
}

const DatatypeInfo* find_datatype(std::string_view name) {
    return find_by_name(known_datatypes(), name);
}

const ReductionInfo* find_reduction(std::string_view name) {
    return find_by_name(known_reductions(), name);
}

bool is_allowed(const ReductionInfo& reduction, const DatatypeInfo& datatype) {
    switch (datatype.kind) {
    case DatatypeClass::bytes:
        return reduction.on_bytes;
    case DatatypeClass::text:
        return false;
    case DatatypeClass::integer:
        return reduction.on_integers;
    case DatatypeClass::floating:
        return reduction.on_floating;
    }
    return false;
}

} // namespace skampi
