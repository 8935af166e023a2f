#pragma once

#include <string>

namespace skampi {

/// Reads all of the file's unfinished runs before it is opened for writing, which changes it.
/// @throws StoreError naming the damage
void refuse_damage(const std::string& path);

} // namespace skampi
