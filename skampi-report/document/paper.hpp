// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace skampi {

enum class Paper { a4, letter };

} // namespace skampi
