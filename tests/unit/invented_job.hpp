// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "interruption/crash_protocol.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A job that measures nothing: it goes through the suites as the real one does, writes invented values that
/// depend on suite and argument alone, and misbehaves where it is told to. One step is one visit to the
/// database.
namespace invented {

struct JobPlan {
    std::string database;
    std::string plan_hash = "plan";
    std::string host = "node1";
    std::string mpi_library = "an invented one";
    std::string expected_series = {}; ///< told by its supervisor
    int ranks = 2;
    bool one_process_number = false; ///< of all ranks, as on several hosts they may have
    int retries = 2;
    std::vector<std::string> suites;
    std::vector<std::int64_t> arguments{1, 2, 4, 8};
    bool fresh = false;
    int launch = 0;
    std::string time_utc = "2026-11-21T10:00:00Z";
};

/// What is known of such a job's run before it begins.
inline skampi::Run run_of(const JobPlan& plan) {
    skampi::Run run;
    run.plan_hash = plan.plan_hash;
    run.host = plan.host;
    run.placement = plan.host;
    run.mpi_library = plan.mpi_library;
    run.ranks = plan.ranks;
    return run;
}

/// Where the job dies: before it measures this argument of this suite.
struct Fault {
    std::string suite;
    std::int64_t argument = 1;
};

class Job {
public:
    enum class Step { working, fault, run_ended, stopped };

    /// Takes the writer's lock and finds or begins the run, as the real job does.
    explicit Job(const JobPlan& plan)
        : plan_(plan)
        , database_(skampi::Database::open_for_writing(plan.database)) {
        skampi::Run run = run_of(plan);
        std::optional<skampi::RunId> open;
        if (!plan.fresh)
            open = database_.find_open_run(skampi::Series(run));
        if (open) {
            run_ = *open;
            skampi::note_unseen_end(database_, run_, plan.retries, plan.time_utc);
            return;
        }
        run.uuid = "run " + std::to_string(database_.runs().size());
        if (!plan.expected_series.empty())
            run.facts[skampi::fact_expected_series] = plan.expected_series;
        run.launch = plan.launch;
        run.started_utc = plan.time_utc;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            skampi::RankFacts& facts = run.rank_facts.emplace_back();
            facts.rank = rank;
            facts.processor = plan.host;
            facts.pid = plan.one_process_number ? 101 : 100 + rank;
        }
        std::vector<skampi::Suite> suites;
        for (const std::string& name : plan.suites) {
            skampi::Suite suite;
            suite.name = suite.family = name;
            suite.operation = {.type = 17,
                               .name = "MPI_Bcast",
                               .title = "MPI_Bcast",
                               .pattern = skampi::Pattern::collective,
                               .varied = {skampi::Varied::message_length}};
            suite.varied = skampi::Varied::message_length;
            suites.push_back(suite);
        }
        run_ = database_.begin_run(run, suites);
    }

    /// @return fault: the fault must happen now; the job is not asked again
    Step step(const std::vector<Fault>& faults, bool stop_wanted) {
        if (stop_wanted) {
            skampi::note_stopped(database_, run_, "signal 15", plan_.time_utc);
            return Step::stopped;
        }
        if (!suite_) {
            const std::vector<skampi::StoredSuite> suites = database_.suites(run_);
            const skampi::StoredSuite* next = skampi::next_suite(suites, plan_.retries);
            if (next == nullptr) {
                skampi::Run run = database_.run(run_);
                run.ended_utc = plan_.time_utc;
                database_.end_run(run_, run);
                return Step::run_ended;
            }
            suite_ = *next;
            position_ = 0;
            database_.begin_suite(suite_->id);
            return Step::working;
        }
        if (position_ == plan_.arguments.size()) {
            database_.end_suite(suite_->id, skampi::SuiteState::finished);
            suite_.reset();
            return Step::working;
        }
        measure(plan_.arguments[position_], faults);
        return fault_ ? Step::fault : Step::working;
    }

    /// What a finished measurement holds, whoever makes it and whenever.
    static skampi::Measurement measurement(const std::string& suite, std::int64_t argument) {
        skampi::Measurement m;
        m.argument = m.message_bytes = argument;
        m.ranks = 2;
        m.value_s = m.adjusted_s =
            1e-6 * static_cast<double>(argument) + 1e-9 * static_cast<double>(suite.size());
        m.summary.count = 4;
        return m;
    }

    /// Exit status of the real job after its run: 1 when a suite failed.
    [[nodiscard]] std::string uuid() const { return database_.run(run_).uuid; }
    [[nodiscard]] int exit_status() const {
        for (const skampi::StoredSuite& suite : database_.suites(run_)) {
            if (suite.state != skampi::SuiteState::finished)
                return 1;
        }
        return 0;
    }

private:
    void measure(std::int64_t argument, const std::vector<Fault>& faults) {
        for (const skampi::StoredMeasurement& known : database_.measurements(suite_->id)) {
            if (known.finished && known.measurement.argument == argument) {
                ++position_;
                return;
            }
        }
        const skampi::Measurement made = measurement(suite_->suite.name, argument);
        const skampi::MeasurementId id = database_.begin_measurement(suite_->id, made);
        for (const Fault& fault : faults) {
            if (fault.suite == suite_->suite.name && fault.argument == argument) {
                fault_ = true;
                return;
            }
        }
        skampi::Batch batch;
        batch.duration_s.assign(4, made.value_s);
        database_.add_batches(id, {batch}, made, true);
        ++position_;
    }

    JobPlan plan_;
    skampi::Database database_;
    skampi::RunId run_ = 0;
    std::optional<skampi::StoredSuite> suite_;
    std::size_t position_ = 0;
    bool fault_ = false;
};

} // namespace invented
