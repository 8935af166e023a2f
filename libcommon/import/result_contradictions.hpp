#pragma once

#include "model/result_row.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace skampi {

/// Refuses a row of a result CSV that contradicts itself or has a number that cannot be.
/// @param fail (column, what was found and expected) throws
void refuse_contradictions(const ResultRow& row,
                           const std::function<void(std::string_view, const std::string&)>& fail);

} // namespace skampi
