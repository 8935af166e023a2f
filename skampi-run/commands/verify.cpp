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

int verify_file(Options options, const JobProgram& program) {
    outlive_readers();
    const std::string own_plan = verify_plan_path(options.database.value_or("skampi.db"));
    check_files(options, {}, {options.file.empty() ? own_plan : std::string()});
    const TuningUser user = tuning_user(options, program);
    TuningUse use = read_tuning_use(options.tuning_file, user);
    if (is_simulated(options))
        use.program = simulating_program();
    JobView view(options.progress, stdout);
    for (const std::string& note : use.notes)
        view.note(note);
    SuperviseOptions probed;
    probed.ranks = options.ranks;
    probed.launch = options.launcher;
    const ReadProof proof = prove_read(use, options.ranks, MPI_ERR_ARG, probe_launcher(probed));
    if (!proof.read) {
        write_standard_error(fmt::format("{}: {}: not known to be read by the library: {}\n", options.program,
                                         printable(use.path), proof.why));
        return static_cast<int>(ExitStatus::incomplete);
    }
    view.note(fmt::format("{} reads the file on each of {} ranks", short_library_name(user.library),
                          options.ranks));
    std::vector<VerifySuite> planned;
    if (options.file.empty()) {
        planned = verify_suites(use, options.seed == 0 ? seed_of(use) : options.seed);
        write_verify_plan(use, planned, own_plan, options.ranks);
        options.file = own_plan;
    }
    ParameterFile plan = plan_of_jobs(options, program);
    check_files(options, plan);
    plan.variants = variants_of(use);
    SuperviseOptions wanted = supervise_options(options, program, plan);
    show_jobs(wanted, options, plan, view);
    const int status = launch_variants(options, plan, wanted, view, suites_of_rules(planned));
    return status > static_cast<int>(ExitStatus::incomplete)
               ? status
               : tell_verified(use, *verified_file(wanted.database, planned));
}

} // namespace skampi
