// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/importer.hpp"

#include "import/text_lines.hpp"

namespace skampi {

bool recognises(const Importer& importer, const std::string& beginning) {
    return importer.recognises != nullptr ? importer.recognises(beginning)
                                          : begins_a_line(beginning, importer.marks);
}

const Importer* importer_of(const std::string& beginning) {
    for (const Importer* const importer : importers())
        if (recognises(*importer, beginning))
            return importer;
    return nullptr;
}

std::string importable_kinds() {
    std::string kinds;
    for (const Importer* const importer : importers())
        kinds += std::string(kinds.empty() ? "" : " nor ") + importer->kind;
    return kinds;
}

} // namespace skampi
