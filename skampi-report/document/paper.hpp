#pragma once

namespace skampi {

enum class Paper { a4, letter };

} // namespace skampi
