// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/mpi_job.hpp"

#include "algorithms/choice.hpp"
#include "algorithms/offered.hpp"
#include "base/error.hpp"
#include "host/launcher.hpp"
#include "host/program.hpp"
#include "host/simulation.hpp"
#include "interruption/stop_signal.hpp"
#include "job/mpi_laboratory.hpp"
#include "job/recorder.hpp"
#include "job/run_facts.hpp"
#include "model/field_text.hpp"
#include "model/record.hpp"
#include "mpi/check.hpp"
#include "mpi/library_name.hpp"
#include "operations/all_operations.hpp"
#include "operations/message_limit.hpp"
#include "plan/job_plan.hpp"
#include "runs/merge_at_end.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <stdexcept>
#include <utility>

namespace skampi {
namespace {

#ifdef SKAMPI_SIMULATED
// Simulated ranks have no states, no interruptions and no caches: nothing has to be waited for, and a series
// is one batch, since messages that agree on starts are most of what short calls of many ranks would cost.
constexpr Tempo tempo_here = {.block_s = 0,
                              .batch_s = 1,
                              .most_lead_in = 0,
                              .visit_s = 0,
                              .warm_up_s = 0,
                              .min_warm_up = 1, // for how long a window has to be
                              .probe_share = 0,
                              .overhead_batches = 1,
                              .overhead_per_batch = 4};
#else
constexpr Tempo tempo_here = {};
#endif

/// What rank 0 sends to the others: how it began, and what is measured. Only rank 0 reads files.
struct Opening {
    int exit_status = 0; ///< not 0: rank 0 could not begin, all end with it
    std::int64_t memory_bytes = 0;
    std::map<int, AlgorithmChoice> algorithms; ///< that its suites ask for, by their place
    std::vector<Suite> plan;                   ///< of the run as it is stored, in its order
};

std::string broadcast_text(std::string text, MPI_Comm comm) {
    auto length = static_cast<std::int64_t>(text.size());
    check(MPI_Bcast(&length, 1, MPI_INT64_T, 0, comm), "MPI_Bcast");
    text.resize(static_cast<std::size_t>(length));
    check(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm), "MPI_Bcast");
    return text;
}

Opening broadcast_opening(const Opening& mine, MPI_Comm comm) {
    std::string record;
    pack(record, field_text(mine.exit_status));
    pack(record, field_text(mine.memory_bytes));
    pack(record, field_text(std::ssize(mine.algorithms)));
    for (const auto& [place, choice] : mine.algorithms) {
        pack(record, field_text(place));
        pack(record, packed_choice(choice));
    }
    record = broadcast_text(record + packed(mine.plan), comm);
    std::string_view rest = record;
    Opening opening;
    int algorithms = 0;
    bool readable = set_field(unpack_text(rest), opening.exit_status) &&
                    set_field(unpack_text(rest), opening.memory_bytes) &&
                    set_field(unpack_text(rest), algorithms);
    for (int i = 0; readable && i < algorithms; ++i) {
        int place = 0;
        readable = set_field(unpack_text(rest), place);
        opening.algorithms[place] = unpacked_choice(unpack_text(rest));
    }
    if (!readable)
        throw std::invalid_argument("a message between ranks cannot be read");
    opening.plan = unpacked<Suite>(rest);
    return opening;
}

/// The library's choices for the suites that ask for one. @throws InputError
std::map<int, AlgorithmChoice> algorithms_of(const std::vector<Suite>& plan, const AlgorithmList& offered) {
    std::map<int, AlgorithmChoice> algorithms;
    for (std::size_t place = 0; place < plan.size(); ++place) {
        const Suite& suite = plan[place];
        if (suite.algorithm.empty())
            continue;
        const AlgorithmChoice* const choice = find_choice(offered, suite.operation.name, suite.algorithm);
        if (choice == nullptr) // of a run that goes on
            throw InputError(unknown_word(offered, suite.operation.name, suite.algorithm));
        algorithms[static_cast<int>(place)] = *choice;
    }
    return algorithms;
}

/// What is measured, as this machine and its MPI library allow.
struct PlanOfJob {
    ParameterFile file;
    std::vector<std::string> changes; ///< what they do not, a sentence each
    AlgorithmList offered;            ///< where the plan asks for algorithms
};

/// @throws Error
PlanOfJob plan_of_job(const RunOptions& options, const std::vector<Operation>& operations, int ranks) {
    PlanOfJob job;
    job.file = read_plan(options.plan_for ? PlanText{options.program, options.plan_for(ranks)}
                                          : read_plan_text(options.file, options.in_turns),
                         operation_infos(operations), options.suites);
    job.changes = fit_to_machine(job.file, ranks, limit_of_suite(operations));
    if (!asks_for_algorithms(job.file))
        return job;
    job.offered = offered_algorithms();
    for (std::string& left_out : resolve_algorithms(job.file, job.offered, ranks))
        job.changes.push_back(std::move(left_out));
    return job;
}

} // namespace

EndedJob run_job(const RunOptions& options, const std::vector<Operation>& operations, bool own_program,
                 const std::vector<Variable>& variables) {
    const Communicator all = Communicator::duplicate(MPI_COMM_WORLD);
    const bool leads = all.rank() == 0;
    catch_stop_signals();

    const auto tell = [&](const std::string& line) { // a failed write must not end the ranks
        std::fputs((options.program + ": " + line + "\n").c_str(), stderr);
    };

    // Rank 0 reads and opens everything; its failure becomes every rank's exit status.
    const auto attempt = [&](auto&& work) {
        int status = 0;
        if (leads) {
            try {
                work();
            } catch (const Error& error) {
                tell(error.what());
                status = static_cast<int>(error.status());
            }
        }
        return status;
    };
    PlanOfJob job;
    int status = attempt([&] { job = plan_of_job(options, operations, all.size()); });
    check(MPI_Bcast(&status, 1, MPI_INT, 0, all.get()), "MPI_Bcast");
    if (status != 0)
        return {status};

    std::vector<RankFacts> ranks = facts_of_all_ranks(all.get());
    Surroundings surroundings;
    std::unique_ptr<Recorder> recorder;
    Opening opening;
    opening.exit_status = attempt([&] {
        surroundings = surroundings_of_job(std::move(ranks), variables);
        if (own_program)
            surroundings.environment.settings.merge(program_settings(options.program));
        surroundings.facts.merge(setting_facts(options.read_back));
        recorder = Recorder::begin(options, job.file, job.changes, surroundings);
        opening.memory_bytes = job.file.memory_bytes;
        opening.plan = recorder->plan();
        opening.algorithms = algorithms_of(opening.plan, job.offered);
    });
    opening = broadcast_opening(opening, all.get());
    if (opening.exit_status != 0)
        return {opening.exit_status};

    MpiLaboratory laboratory(
        all.get(), {opening.plan, opening.memory_bytes, operations, opening.algorithms}, LocalClock{},
        [] { return stop_signal() != 0; }, std::move(surroundings.ranks));
    if (leads) {
        int ended = 0;
        Tempo tempo = tempo_here.with(surroundings.clock, job.file.resolution);
        if (!options.due.empty())
            tempo = tempo.of_many_launches();
        if (laboratory.cores_are_shared()) // a probe would measure the scheduler, not the machine
            tempo.probe_share = 0;
        status = attempt([&] { ended = recorder->measure(laboratory, tempo); });
        if (status == 0)
            status = ended;
        try {
            laboratory.finish();
        } catch (const LaboratoryError& error) { // what was measured is stored
            tell(fmt::format("warning: {}", error.what()));
        }
    } else {
        laboratory.follow();
    }
    check(MPI_Bcast(&status, 1, MPI_INT, 0, all.get()), "MPI_Bcast");
    return {status, database_to_merge(options, job.file)};
}

} // namespace skampi
