#pragma once

#include <cstddef>
#include <vector>

namespace skampi {

/// Which values lie so far from the middle that they are left out; a fifth of them at most, since more
/// are a state of the machine, not a mishap.
/// @param least of fewer values none is
/// @param fitted slopes that were fitted by least absolute deviations: as many more values lie on the fit
[[nodiscard]] std::vector<bool> outliers(const std::vector<double>& values, std::size_t least,
                                         std::size_t fitted = 0);

} // namespace skampi
