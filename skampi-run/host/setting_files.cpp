// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/setting_files.hpp"

#include "base/file.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

using Settings = std::map<std::string, std::string>;

std::string stripped(const std::string& text) {
    constexpr const char* blanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Takes the lines "NAME = VALUE" of a file, replacing earlier ones; others are comments and sections.
void read_file(const std::string& path, const std::string& before_names, Settings& settings) {
    std::istringstream lines(file_text(path));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        const std::string name = stripped(line.substr(0, equals));
        if (equals != std::string::npos && !name.empty() &&
            std::string_view("#;[").find(name.front()) == std::string_view::npos)
            settings[before_names + name] = stripped(line.substr(equals + 1));
    }
}

/// The folder of the UCX that this process has loaded; empty = none.
std::string folder_of_ucx() {
    void* const library = dlopen("libucs.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr)
        return {};
    Dl_info info{};
    const void* const function = dlsym(library, "ucs_config_parser_fill_opts");
    const bool found = function != nullptr && dladdr(function, &info) != 0 && info.dli_fname != nullptr;
    const std::string folder =
        found ? std::filesystem::path(info.dli_fname).parent_path().string() : std::string();
    dlclose(library);
    return folder;
}

std::string value_of(const std::vector<Variable>& environment, const char* name) {
    const auto found = std::ranges::find(environment, name, &Variable::first);
    return found == environment.end() ? std::string() : found->second;
}

void read_open_mpi(std::string paths, Settings& settings) {
    std::ranges::replace(paths, ',', ':');
    std::istringstream each(paths);
    std::vector<std::string> files;
    for (std::string path; std::getline(each, path, ':');)
        files.push_back(path);
    for (auto file = files.rbegin(); file != files.rend(); ++file)
        read_file(*file, "OMPI_MCA_", settings);
}

} // namespace

std::vector<Variable> with_settings_of_files(const std::vector<Variable>& environment,
                                             const SettingFiles& open_mpi) {
    Settings settings;
    const std::string home = value_of(environment, "HOME");
    std::vector<std::string> files{"/etc/mvapich2.conf", home + "/.mvapich2.conf", "/etc/ucx/ucx.conf"};
    if (const std::string folder = folder_of_ucx(); !folder.empty())
        files.insert(files.end(), {folder + "/../etc/ucx/ucx.conf", folder + "/../etc/ucx.conf"});
    files.push_back(home + "/ucx.conf");
    if (const std::string folder = value_of(environment, "UCX_CONFIG_DIR"); !folder.empty())
        files.push_back(folder + "/ucx.conf");
    files.emplace_back("ucx.conf"); // in the order in which UCX 1.13 reads them: the last counts
    for (const std::string& file : files)
        read_file(file, "", settings);
    std::erase_if(settings, [](const auto& each) { // they set nothing else, and a PATH in them is not ours
        return !each.first.starts_with("UCX_") && !each.first.starts_with("MV2_");
    });
    read_open_mpi(open_mpi.first_counts, settings);
    for (const auto& [name, value] : environment)
        settings[name] = value;
    read_open_mpi(open_mpi.override, settings);
    return {settings.begin(), settings.end()};
}

} // namespace skampi
