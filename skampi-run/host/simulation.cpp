#include "host/simulation.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace skampi {

namespace {

/// Where ranks are is a fact of theirs, and how many.
constexpr auto without_influence = std::to_array<std::string_view>(
    {"smpi/privatization", "smpi/np", "smpi/hostfile", "smpi/tmpdir", "smpi/keep-temps"});

} // namespace

Simulation simulation_of(const std::vector<std::string>& command_line) {
    constexpr std::string_view option = "--cfg=";
    Simulation found;
    for (std::size_t i = 2; i < command_line.size(); ++i) { // behind smpimain and the program
        const std::string_view word = command_line[i];
        if (!word.starts_with("--")) {
            found.platform = word;
            break;
        }
        const std::size_t colon = word.find(':');
        if (!word.starts_with(option) || colon == std::string_view::npos)
            continue;
        const std::string_view name = word.substr(option.size(), colon - option.size());
        if (std::ranges::find(without_influence, name) == without_influence.end())
            found.settings[std::string(name)] = word.substr(colon + 1);
    }
    if (!found.platform.empty())
        found.settings["simulated platform"] =
            fmt::format("{:016x}", Fnv1a().add(file_text(found.platform)).value());
    return found;
}

Simulation own_simulation() {
#ifdef SKAMPI_SIMULATED
    std::vector<std::string> words;
    const std::string text = file_text("/proc/self/cmdline");
    for (std::size_t at = 0; at < text.size();) {
        words.emplace_back(text.c_str() + at);
        at += words.back().size() + 1;
    }
    return simulation_of(words);
#else
    return {};
#endif
}

} // namespace skampi
