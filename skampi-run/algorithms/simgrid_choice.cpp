// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/simgrid_choice.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skampi {
namespace {

constexpr std::string_view variables_begin = "smpi/";
constexpr std::array<const char*, 11> collectives{"allgather", "allgatherv", "allreduce",     "alltoall",
                                                  "alltoallv", "barrier",    "bcast",         "gather",
                                                  "reduce",    "scatter",    "reduce_scatter"};

using Setter = void (*)(const std::string&);
using Configurator = void (*)();

/// simgrid::smpi::colls::NAME, as compilers spell it.
std::string mangled(std::string_view name, std::string_view parameters) {
    return fmt::format("_ZN7simgrid4smpi5colls{}{}E{}", name.size(), name, parameters);
}

std::string_view collective_of(std::string_view variable) {
    return variable.starts_with(variables_begin) ? variable.substr(variables_begin.size()) : "";
}

Setter setter_of(std::string_view collective) {
    const std::string name =
        mangled(fmt::format("set_{}", collective), "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
    return reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, name.c_str()));
}

/// A pointer to a function: moved as a number.
std::intptr_t* place_of(std::string_view collective) {
    return static_cast<std::intptr_t*>(dlsym(RTLD_DEFAULT, mangled(collective, "").c_str()));
}

/// Sets all of them as the configuration says.
Configurator configurator() {
    return reinterpret_cast<Configurator>(dlsym(RTLD_DEFAULT, mangled("set_collectives", "v").c_str()));
}

/// What MVAPICH2's choices leave behind for calls that do not choose: MPICH's Allreduce within hosts takes the
/// last one, so that the default would be another algorithm from then on.
constexpr std::array<const char*, 14> left_behind{
    "MV2_Allgatherction",           "MV2_Allgatherv_function",          "MV2_Allreduce_intra_function",
    "MV2_Allreducection",           "MV2_Alltoall_function",            "MV2_Bcast_function",
    "MV2_Bcast_intra_node_function", "MV2_Gather_inter_leader_function", "MV2_Gather_intra_node_function",
    "MV2_Red_scat_function",        "MV2_Reduce_function",              "MV2_Reduce_intra_function",
    "MV2_Scatter_function",         "MV2_Scatter_intra_function"};

/// As at the beginning of a simulation.
void forget_what_is_left_behind() {
    for (const char* const name : left_behind)
        if (auto* const place = static_cast<std::intptr_t*>(dlsym(RTLD_DEFAULT, name)))
            *place = 0;
}

void control_log(const char* setting) {
    using Control = void (*)(const char*);
    if (void* const control = dlsym(RTLD_DEFAULT, "xbt_log_control_set"))
        reinterpret_cast<Control>(control)(setting);
}

/// It says a line at each change of a function otherwise.
void silence_changes() {
    control_log("smpi_coll.thresh:warning");
}

/// What the function writes to standard error before it ends a copy of this process.
std::string last_words_of(Setter set, const std::string& word) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        const rlimit no_core{0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        control_log("root.thresh:critical");
        set(word);
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; child > 0 && (count = read(ends[0], buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    close(ends[0]);
    if (child > 0)
        waitpid(child, nullptr, 0);
    return text;
}

} // namespace

std::vector<std::string> simgrid_variables() {
    std::vector<std::string> found;
    if (configurator() == nullptr)
        return found;
    for (const char* const collective : collectives)
        if (setter_of(collective) != nullptr && place_of(collective) != nullptr)
            found.push_back(fmt::format("{}{}", variables_begin, collective));
    return found;
}

std::vector<std::string> words_in_refusal(const std::string& text) {
    constexpr std::string_view before = "Valid algorithms: ";
    std::vector<std::string> words;
    const std::size_t found = text.find(before);
    if (found == std::string::npos)
        return words;
    const auto is_part = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    std::size_t at = found + before.size();
    while (at < text.size() && is_part(text[at])) {
        const auto end =
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_part);
        words.emplace_back(text.begin() + static_cast<std::ptrdiff_t>(at), end);
        at += words.back().size();
        if (text.compare(at, 2, ", ") != 0)
            break;
        at += 2;
    }
    return words;
}

std::vector<std::string> simgrid_words(const std::string& variable) {
    const Setter set = setter_of(collective_of(variable));
    return set == nullptr ? std::vector<std::string>() : words_in_refusal(last_words_of(set, "?"));
}

std::optional<std::intptr_t> simgrid_function(const std::string& variable) {
    const std::intptr_t* const place = place_of(collective_of(variable));
    return place == nullptr ? std::nullopt : std::optional(*place);
}

void restore_simgrid_functions() {
    silence_changes();
    forget_what_is_left_behind();
    if (const Configurator configure = configurator())
        configure();
}

void choose_simgrid_function(const std::string& variable, const std::string& word) {
    silence_changes();
    forget_what_is_left_behind();
    if (const Setter set = setter_of(collective_of(variable)))
        set(word);
}

} // namespace skampi
