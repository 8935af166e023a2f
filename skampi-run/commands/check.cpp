// SPDX-License-Identifier: LGPL-2.1-or-later
#include "commands/commands.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "commands/supervise.hpp"
#include "host/host_facts.hpp"
#include "plan/job_plan.hpp"
#include "runs/run_log.hpp"
#include "session/variant_text.hpp"
#include "spec/plan.hpp"
#include "spec/plan_text.hpp"
#include "spec/quick_file.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>

namespace skampi {
namespace {

/// What launches of a plan take, and what this host lacks for them.
std::string describe_use(const Options& options, std::span<const OperationInfo> operations,
                         const ParameterFile& plan, int ranks) {
    const std::string other_ranks = options.ranks == 0 ? "for another number of ranks: -n N\n" : "";
    const std::string variants = describe_variants(plan.variants);
    if (is_simulated(options))
        return variants +
               "simulated: these are seconds of the simulated cluster, not those that its simulation takes; one launch is "
               "enough\n" +
               other_ranks;
    const std::string warning = host_warning(host_limits(), ranks, plan.memory_bytes);
    const ParameterFile in_turns =
        options.file.empty() // a pipe is read once
            ? read_plan(read_plan_text({}, ranks <= most_ranks_in_turns), operations, options.suites)
            : plan;
    return describe_launches(plan, in_turns, ranks) + variants + other_ranks +
           (warning.empty() ? "" : warning + "; if they are simulated, add --launch 'smpirun ...'\n");
}

} // namespace

int check_plan(const Options& options, const JobProgram& program) {
    ParameterFile plan = read_plan(read_plan_text(options.file), program.operations, options.suites);
    (void)RunLog(plan.logfile, database_path(options.database, plan)); // refuses what is no log
    const int ranks = std::max(options.ranks, options.ranks == 0 ? 2 : 1);
    std::string changes;
    for (const std::string& change : fit_to_machine(plan, ranks, program.limit))
        changes += printable(change) + "\n";
    write_standard_output(describe_plan(plan, ranks) + changes +
                          describe_use(options, program.operations, plan, ranks));
    return 0;
}

int list_suites(const Options& options, const JobProgram& program) {
    std::vector<std::string> names;
    if (is_database_file(options.file)) {
        const Database database = Database::open(options.file);
        for (const RunId run : database.runs())
            for (const StoredSuite& suite : database.suites(run))
                names.push_back(suite.suite.name);
    } else {
        for (const Suite& suite : read_plan(read_plan_text(options.file), program.operations, {}).suites)
            names.push_back(suite.name);
    }
    std::set<std::string> known;
    std::string text;
    for (const std::string& name : names)
        if (known.insert(name).second)
            text += printable(name) + "\n";
    write_data_to_standard_output(text);
    return 0;
}

} // namespace skampi
