// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/tuning_in_use.hpp"

#include "host/environment.hpp"
#include "tuning/one_choice.hpp"

#include <cstdlib>

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

std::vector<ChoiceInUse> choices_in_use(LibraryKind library) {
    std::vector<ChoiceInUse> choices;
    const bool open_mpi = library == LibraryKind::open_mpi;
    if (!open_mpi && library != LibraryKind::mpich)
        return choices;
    const std::string own_choice = open_mpi ? "0" : "auto";
    for (const auto& [name, value] : own_environment()) {
        const std::string control = control_variable_of(name);
        const std::string operation =
            control.empty() ? "" : operation_of_variable((open_mpi ? "OMPI_MCA_" : "") + control);
        if (!operation.empty() && !value.empty() && value != own_choice)
            choices.push_back({name, value, operation});
    }
    return choices;
}

bool follows_file_before_choice(const LibraryVersion& version) {
    return version.kind == LibraryKind::open_mpi && !version.at_least(5, 0);
}

} // namespace skampi
