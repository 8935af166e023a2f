// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/library_name.hpp"

#include "merge/run_group.hpp"
#include "model/quantity.hpp"

#include <fmt/format.h>
#include <string_view>

namespace skampi {

namespace {

/// The rest of the line of a text that begins with the key.
std::string line_after(const std::string& text, std::string_view key) {
    const std::size_t at = text.find(key);
    if (at == std::string::npos)
        return {};
    const std::size_t begin = text.find_first_not_of(" \t:", at + key.size());
    if (begin == std::string::npos)
        return {};
    return text.substr(begin, text.find('\n', begin) - begin);
}

std::string full_text(const Run& run) {
    const auto fact = run.facts.find(fact_library_text);
    return fact == run.facts.end() ? std::string() : fact->second;
}

} // namespace

std::string library_name(const Run& run) {
    std::string name = shortened(run.mpi_library, 90);
    // "MPICH Version:\t4.0.2"
    if (const std::size_t at = name.find(" Version"); at != std::string::npos) {
        const std::size_t behind = name.find_first_not_of(" \t:", at + std::string_view(" Version").size());
        if (behind != std::string::npos)
            name = name.substr(0, at) + " " + name.substr(behind);
    }
    // "SMPI Version 3.32."
    while (name.ends_with('.'))
        name.pop_back();
    // "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, ..."
    name = name.substr(0, name.find(", package:"));
    // "SMPI 3.32. Copyright The SimGrid Team 2007-2022"
    name = name.substr(0, name.find(". Copyright"));
    if (name == differs_between_runs)
        return "several MPI libraries";
    const std::string device = line_after(full_text(run), "MPICH Device");
    return device.empty() || name.empty() ? name : fmt::format("{} ({})", name, shortened(device, 20));
}

} // namespace skampi
