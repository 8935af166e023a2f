// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/program.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "model/run.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace skampi {

std::map<std::string, std::string> program_settings(const std::string& name) {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    Fnv1a hash;
    std::array<char, 1 << 16> buffer{};
    std::int64_t bytes = 0;
    while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
        hash.add(std::string_view(buffer.data(), static_cast<std::size_t>(file.gcount())));
        bytes += file.gcount();
    }
    if (bytes == 0)
        return {{program_setting, name}};
    return {{program_setting, fmt::format("{}, build {:08x}", name, hash.folded())}};
}

std::string program_name(int argc, const char* const* argv) {
    std::string_view path = argc > 0 && argv != nullptr && argv[0] != nullptr ? argv[0] : "";
    path.remove_prefix(path.rfind('/') + 1); // npos + 1 = 0
    return path.empty() ? "a program" : printable(std::string(path));
}

std::optional<std::string> installed_program(const std::string& name) {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path folder = self.parent_path();
    if (!error) // installed next to this one, or built with it
        for (const std::filesystem::path& path :
             {folder / name, folder.parent_path() / name, folder.parent_path() / name / name})
            if (std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0)
                return path.string();
    return find_program(name);
}

std::optional<ChildResult> call_report(const std::vector<std::string>& words, double longest_s) {
    const std::optional<std::string> program = installed_program("skampi-report");
    if (!program)
        return std::nullopt;
    constexpr std::size_t most_bytes = std::size_t{1} << 28;
    Command command;
    command.argv = {*program};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.timeout_s = longest_s;
    command.max_output_bytes = most_bytes;
    command.death_signal = SIGTERM;
    return run(std::move(command));
}

} // namespace skampi
