// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/launch.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "host/program.hpp"
#include "supervisor/world.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace skampi {

namespace {

std::string replace_all(std::string text, std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

} // namespace

std::vector<std::string> shell_words(std::string_view text, const std::string& whose) {
    std::vector<std::string> words;
    std::optional<std::string> word;
    const auto open_quote = [&](char quote) {
        throw InputError(whose + ": " + std::string(1, quote) + " without its end in: " + printable(text));
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == ' ' || c == '\t' || c == '\n') {
            if (word)
                words.push_back(*std::exchange(word, std::nullopt));
            continue;
        }
        if (!word)
            word.emplace();
        if (c == '\'') {
            const std::size_t end = text.find('\'', i + 1);
            if (end == std::string_view::npos)
                open_quote(c);
            word->append(text.substr(i + 1, end - i - 1));
            i = end;
        } else if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                constexpr std::string_view protectable = "\"\\$`";
                if (text[i] == '\\' && i + 1 < text.size() &&
                    protectable.find(text[i + 1]) != std::string_view::npos)
                    ++i;
                word->push_back(text[i]);
            }
            if (i == text.size())
                open_quote(c);
        } else if (c == '\\' && i + 1 < text.size()) {
            word->push_back(text[++i]);
        } else {
            word->push_back(c);
        }
    }
    if (word)
        words.push_back(*word);
    return words;
}

std::vector<std::string> launch_words(std::string_view launch, int ranks,
                                      const std::vector<std::string>& command) {
    constexpr std::string_view command_place = "{command}";
    const std::vector<std::string> words = shell_words(launch, "--launch");
    if (words.empty())
        throw InputError("--launch: an empty command, expected something like 'mpiexec -n {n}'");
    std::string quoted;
    for (const std::string& word : command)
        quoted += (quoted.empty() ? "" : " ") + for_shell(word);

    std::vector<std::string> result;
    bool placed = false;
    for (const std::string& word : words) {
        const std::string numbered = replace_all(word, "{n}", std::to_string(ranks));
        if (numbered == command_place) {
            result.insert(result.end(), command.begin(), command.end());
            placed = true;
        } else if (numbered.find(command_place) != std::string::npos) {
            result.push_back(replace_all(numbered, command_place, quoted));
            placed = true;
        } else {
            result.push_back(numbered);
        }
    }
    if (!placed)
        result.insert(result.end(), command.begin(), command.end());
    return result;
}

/// Program of SimGrid's library that launchers of simulations start.
constexpr const char* simulating_name = "skampi-run-sim.so";

bool is_simulating(std::string_view launch) {
    return launch.find("smpirun") != std::string_view::npos;
}

std::string simulating_program() {
    const std::optional<std::string> installed =
        installed_program(std::string(SKAMPI_SIMULATION_FOLDER) + "/" + simulating_name);
    return installed ? *installed : installed_program(simulating_name).value_or(simulating_name);
}

std::string usual_program(std::string_view launch) {
    return is_simulating(launch) ? simulating_program() : this_program();
}

std::string program_to_start(const std::string& named, std::string_view launch) {
    std::string program = named.empty() ? usual_program(launch) : named;
    if (program == simulating_name)
        throw SystemError(
            std::string("this installation cannot simulate: found no ") + simulating_name +
            " next to skampi-run; build with -Dsim=enabled, which needs SimGrid (libsimgrid-dev)");
    return program;
}

std::string default_launch() {
    // The launcher must belong to the MPI library this program is linked with: the one found with the library
    // when it was built comes first.
    const std::string configured = SKAMPI_MPI_LAUNCHER;
    if (!configured.empty() && find_program(configured))
        return for_shell(configured) + " -n {n}";
    if (find_program("mpiexec"))
        return "mpiexec -n {n}";
    if (std::getenv("SLURM_JOB_ID") != nullptr && find_program("srun"))
        return "srun -n {n}";
    throw SystemError("no launcher: neither " + (configured.empty() ? "" : printable(configured) + " nor ") +
                      "mpiexec is there, and this is no Slurm allocation with srun; "
                      "give one with --launch 'PROGRAM -n {n}'");
}

bool launcher_queues(const std::vector<std::string>& words) {
    constexpr std::array<std::string_view, 4> queueing{"sbatch", "salloc", "qsub", "bsub"};
    if (words.empty())
        return false;
    const std::string_view program = words.front();
    const std::string_view name = program.substr(program.rfind('/') + 1);
    // Inside of an allocation srun starts at once.
    if (name == "srun")
        return std::getenv("SLURM_JOB_ID") == nullptr;
    return std::ranges::find(queueing, name) != queueing.end();
}

} // namespace skampi
