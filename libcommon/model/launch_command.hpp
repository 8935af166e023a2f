// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"
#include "model/session.hpp"

#include <string>

namespace skampi {

/// A word for a shell, in quotes only where it needs them.
[[nodiscard]] std::string as_typed(const std::string& word);

/// What --launch of skampi-run gets to bind each rank to a core. @param launcher as Run names it @return
/// empty = not known
[[nodiscard]] std::string binding_launcher(const std::string& launcher);

/// A template of a launcher's command line with the options that bind each rank to a core behind its first
/// word: "mpiexec.mpich -n {n}" as "mpiexec.mpich -bind-to core -n {n}". Empty where that word is no launcher
/// of ours ("ssh"). @param words empty = binding_launcher()
[[nodiscard]] std::string bound_launch(const std::string& words, const std::string& launcher);

/// " --launch 'mpiexec.mpich -n {n}'": how the run was launched, for a command that launches as it did.
/// Empty = as usual, or not known.
/// @param bound whether each rank is bound to a core of its own, where the run's launcher is known
[[nodiscard]] std::string launch_option(const Run& run, bool bound = false);

/// Whether a command is known that launches a run anew with each rank bound to a core.
[[nodiscard]] bool can_be_bound(const Run& run);

/// The command that checks a tuning file. @param launcher what --launch gets; empty = as usual
[[nodiscard]] std::string verify_command(const std::string& file, int ranks, const std::string& launcher);
/// The same, launched as a run was.
[[nodiscard]] std::string verify_command(const std::string& file, const Run& measured);

/// The name of a new database for a printed command, next to an existing one: "x.db" gives
/// "x-2.db", "x-2.db" gives "x-3.db". Commands from reports of several databases do not collide.
[[nodiscard]] std::string next_database(const std::string& path);

/// fact_command of a command line: without ranks, result file, number of launches and other options that do
/// not change what is measured.
[[nodiscard]] std::string command_fact(int argc, const char* const* argv);

/// Whether skampi-run tune launched it, which plans its launches itself.
[[nodiscard]] bool was_tuned(const Run& run);
/// Whether skampi-run verify launched it.
[[nodiscard]] bool was_verified(const Run& run);

/// The command that was typed for a run, with its settings, for so many launches more: "UCX_TLS=tcp
/// skampi-run my.skampi -n 2 --launches 5 -d x.db". Empty if not known, as for an imported run or one merged
/// from several commands, and for functions without MPI.
/// @param database into which the launches go
/// @param bound whether each rank is bound to a core of its own, where the run's launcher is known
[[nodiscard]] std::string launch_command(const Run& run, int ranks, std::size_t launches,
                                         const std::string& database, bool bound = false);

/// The words of --variant behind its name, for a shell: "MPIR_CVAR_X=y program=/opt/skampi-run"; empty =
/// nothing is changed.
[[nodiscard]] std::string variant_text(const Variant& variant);

/// The command that makes such a session. Empty for skampi-run verify and tune, which make plans themselves.
/// @param launch one of its launches, of whose plan it is   @param database into which the launches go
[[nodiscard]] std::string session_command(const Session& session, const Run& launch,
                                          const std::string& database);

/// The command that launches two runs in turns that differ only in their variables or their launcher:
/// "skampi-run compare my.skampi -n 2 --variant a: --variant 'b: UCX_TLS=tcp' -d x-2.db". Empty where they
/// differ in anything else that a command cannot repeat (library, plan, ranks, host), or in nothing.
[[nodiscard]] std::string compare_command(const Run& reference, const Run& other,
                                          const std::string& database);

} // namespace skampi
