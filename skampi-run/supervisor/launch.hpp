// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The launcher found when this was built if it still exists, else mpiexec from PATH, else srun inside a
/// Slurm allocation. @throws SystemError saying what was looked for
[[nodiscard]] std::string default_launch();
/// Whether a launcher simulates its ranks: it needs a program of SimGrid's library.
[[nodiscard]] bool is_simulating(std::string_view launch);
/// The one next to this program, installed with it or in PATH; its bare name where there is none.
[[nodiscard]] std::string simulating_program();
/// The program that a launcher starts by default: this one, or that for simulations. @throws SystemError
[[nodiscard]] std::string usual_program(std::string_view launch);
/// The program that was named, else the usual one. @throws SystemError where none is installed that simulates
[[nodiscard]] std::string program_to_start(const std::string& named, std::string_view launch);

/// The words of a launch template with {n} and {command} replaced; the command is appended where the template
/// has no {command}. Inside a longer word {command} is quoted for a shell.
/// @throws InputError for an open quote or an empty template
[[nodiscard]] std::vector<std::string> launch_words(std::string_view launch, int ranks,
                                                    const std::vector<std::string>& command);

/// Words of a text as a POSIX shell splits them: blanks separate, '...' is literal, in "..." a backslash
/// protects ", \\, $ and `, elsewhere any character. No expansion of anything.
/// @param whose an option, for the message of InputError at an open quote
[[nodiscard]] std::vector<std::string> shell_words(std::string_view text, const std::string& whose);

/// Whether a launcher submits the job to a queue, so that its begin is unknown: sbatch, salloc, qsub,
/// bsub, and srun where it has no allocation yet.
[[nodiscard]] bool launcher_queues(const std::vector<std::string>& words);

} // namespace skampi
