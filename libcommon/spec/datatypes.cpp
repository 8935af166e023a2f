// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/datatypes.hpp"

#include <algorithm>
#include <span>

namespace skampi {

namespace {

template <typename Info>
const Info* find_by_name(std::span<const Info> all, std::string_view name) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Info& info) { return info.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace

const DatatypeInfo* find_datatype(std::string_view name) {
    return find_by_name<DatatypeInfo>(known_datatypes, name);
}

const ReductionInfo* find_reduction(std::string_view name) {
    return find_by_name<ReductionInfo>(known_reductions, name);
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
