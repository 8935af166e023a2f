// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/commands.hpp"

#include "algorithms/list_text.hpp"
#include "algorithms/offered.hpp"
#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "supervisor/launch.hpp"
#include "tune/simulated_algorithms.hpp"

#include <fmt/format.h>

namespace skampi {
namespace {

/// What the program that a launcher starts says, as one rank: a simulation has algorithms of its own.
int list_algorithms_of_launch(const Options& options) {
    std::vector<std::string> words = options.operations;
    if (options.json)
        words.emplace_back("--json");
    const ChildResult ended = ask_for_algorithms(options.launcher, usual_program(options.launcher), words);
    if (ended.exit_status == 0) {
        write_standard_output(ended.out);
        return 0;
    }
    // Of all that a simulation prints, what the program itself says.
    constexpr std::string_view own = "skampi-run: ";
    if (const std::size_t at = ended.err.find(own); at != std::string::npos)
        throw Error(ended.exit_status == static_cast<int>(ExitStatus::bad_input) ? ExitStatus::bad_input
                                                                                 : ExitStatus::impossible,
                    ended.err.substr(at + own.size(), ended.err.find('\n', at) - at - own.size()));
    throw SystemError(printable(options.launcher + ": " + ended.describe_end() + "; " + ended.err));
}

} // namespace

int list_algorithms(const Options& options, int argc, char** argv) {
    if (options.library_variables)
        return print_library_variables();
    if (!options.launcher.empty())
        return list_algorithms_of_launch(options);
    if (!is_first_rank())
        return 0;
    AlgorithmList list = offered_algorithms();
    if (list.choices.empty())
        throw SystemError(list.refusal);
    list = of_operations(std::move(list), options.operations);
    if (!is_first_rank_at_end(argc, argv))
        return 0;
    write_standard_output(options.json ? algorithm_list_json(list) : algorithm_list_text(list));
    return 0;
}

} // namespace skampi
