// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/library_version.hpp"

#include <charconv>
#include <utility>

namespace skampi {

namespace {

constexpr auto library_beginnings = std::to_array<std::pair<std::string_view, LibraryKind>>({
    {"MPICH Version:", LibraryKind::mpich},
    {"Open MPI v", LibraryKind::open_mpi},
    {"SMPI Version", LibraryKind::simgrid},
});

} // namespace

LibraryVersion library_version(std::string_view text) {
    for (const auto& [beginning, kind] : library_beginnings) {
        if (!text.starts_with(beginning))
            continue;
        text.remove_prefix(beginning.size());
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
            text.remove_prefix(1);
        LibraryVersion version{.kind = kind, .number = {}};
        for (int& part : version.number) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
            if (error != std::errc())
                break;
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
            if (!text.starts_with('.'))
                break;
            text.remove_prefix(1);
        }
        return version;
    }
    return {};
}

} // namespace skampi
