#include "import/importer.hpp"

namespace skampi {

const Importer* importer_of(const std::string& beginning) {
    for (const Importer* const importer : importers())
        if (importer->recognises(beginning))
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
