// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/verify.hpp"

#include "algorithms/library_file.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/supervise.hpp"
#include "interruption/stop_signal.hpp"
#include "mpi/control_variables.hpp"
#include "mpi/library_name.hpp"
#include "session/variants_task.hpp"
#include "supervisor/launch.hpp"
#include "tune/simulated_algorithms.hpp"
#include "tuning/mpich_tree.hpp"
#include "verify/verify_task.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <set>

namespace skampi {

std::string tree_of_library() {
    return find_mpich_tree(LibraryFile(reinterpret_cast<const void*>(&MPI_Get_library_version)).bytes())
        .value_or("");
}

TuningUser tuning_user(const Options& options, const JobProgram& program) {
    if (is_simulated(options))
        return {.library = "SMPI Version 3", .own_tree = {}, .ranks = options.ranks};
    TuningUser user{.library = program.library, .own_tree = tree_of_library(), .ranks = options.ranks};
    const ControlVariables variables;
    for (const std::string& name : variables.names())
        if (variables.read(name))
            user.numbers.insert(name);
    return user;
}

Verification launch_with_and_without(Options options, const JobProgram& program, const TuningUse& use,
                                     JobView& view) {
    options.task = Task::verify;
    std::vector<VerifySuite> planned;
    if (options.file.empty()) {
        planned = verify_suites(use.regions);
        if (planned.empty())
            throw InputError(
                fmt::format("{}: found no rule that changes a choice of the library with {} ranks, "
                            "expected one (or a parameter file behind it, to measure all the same)",
                            printable(use.path), options.ranks));
        options.file = verify_plan_path(*options.database);
        write_own_file(options.file, verify_plan(planned));
    }
    ParameterFile plan = plan_of_jobs(options, program);
    check_files(options, plan);
    plan.variants = variants_of(use);
    SuperviseOptions wanted = supervise_options(options, program, plan);
    show_jobs(wanted, options, plan, view);
    Verification done{launch_variants(options, plan, wanted, view, names_of(planned)), nullptr, {}};
    constexpr int incomplete = static_cast<int>(ExitStatus::incomplete);
    if (done.status > incomplete && done.status != static_cast<int>(ExitStatus::impossible))
        return done;
    done.file = verified_file(wanted.database, std::move(planned));
    if (!done.file)
        return done;
    done.not_read = why_not_read(use, done.file->launches);
    if (done.status > incomplete && done.file->launches.variants.front().run)
        done.status = incomplete; // the library works, but not with the file
    else if (done.status > incomplete)
        done.file.reset();
    return done;
}

int verify_file(Options options, const JobProgram& program) {
    outlive_readers();
    options.database = options.database.value_or("verify.db");
    check_files(options, {}, {options.file.empty() ? verify_plan_path(*options.database) : std::string()});
    TuningUse use = read_tuning_use(options.tuning_file, tuning_user(options, program));
    if (is_simulated(options))
        use.program = simulating_program();
    JobView view(options.progress, stdout);
    for (const std::string& note : use.notes)
        view.note(note);
    return tell_verified(use.path, launch_with_and_without(options, program, use, view));
}

} // namespace skampi
