// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/mistake.hpp"

namespace skampi {

void refuse(const SourceText& source, std::size_t offset, Mistake mistake, const std::string& message) {
    throw ParameterError(mistake, source.line(offset), source.column(offset),
                         source.place(offset) + ": " + message);
}

} // namespace skampi
