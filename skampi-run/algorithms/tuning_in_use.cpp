#include "algorithms/tuning_in_use.hpp"

#include <cstdlib>
#include <vector>

namespace skampi {

std::map<std::string, std::string> tuning_files_in_use(LibraryKind library) {
    std::vector<const char*> names;
    if (library == LibraryKind::open_mpi)
        names = {open_mpi_rules_variable};
    else if (library == LibraryKind::mpich)
        names.assign(mpich_tree_variables.begin(), mpich_tree_variables.end());
    std::map<std::string, std::string> files;
    for (const char* const name : names)
        if (const char* const value = std::getenv(name); value != nullptr && *value != '\0')
            files[name] = value;
    return files;
}

} // namespace skampi
