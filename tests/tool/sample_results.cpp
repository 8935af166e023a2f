// SPDX-License-Identifier: GPL-2.0-or-later
// Writes databases of invented runs for data_formats_test.py: one run, launches in a row, merged ones with an interval
// and with a range, a study over ranks, a session of variants, and names that would do harm where they are not escaped.
// usage: sample_results FOLDER
#include "invented_run.hpp"
#include "invented_session.hpp"

using namespace skampi;
using namespace skampi::test;

namespace {

void write_launches(const std::string& path, int launches, int ranks, const std::vector<InventedSuite>& plan) {
    Database database = Database::open_for_writing(path);
    for (int launch = 0; launch < launches; ++launch) {
        Run run = invented_run(std::to_string(ranks) + "-" + std::to_string(launch), launch);
        run.ranks = ranks;
        run.rank_facts.resize(static_cast<std::size_t>(std::min(ranks, 16)));
        run.started_utc = "2026-03-01T10:0" + std::to_string(launch) + ":00Z";
        write_run(database, run, plan, static_cast<unsigned>(17 * ranks + launch), 0.02);
    }
}

void write_merged_file(const std::string& path, int launches) {
    Database database = Database::open_for_writing(path);
    write_merged(database, invented_run("merged"), {}, launches, 1, 0.05);
}

} // namespace

int main(int, char** arguments) {
    const std::string folder = std::string(arguments[1]) + "/";
    const std::vector<InventedSuite> plan = full_plan({});
    write_launches(folder + "one.db", 1, 16, plan);
    write_launches(folder + "row.db", 6, 16, plan);
    write_merged_file(folder + "interval.db", 7);
    write_merged_file(folder + "range.db", 3);
    for (const int ranks : {2, 4, 8, 16, 32})
        write_launches(folder + "study.db", 5, ranks, {suite_called("MPI_Bcast"), suite_called("MPI_Reduce")});
    WantedSession session;
    session.variants = {variant_called("a"), variant_called("b")};
    session.plan = {suite_called("MPI_Send-MPI_Recv"), suite_called("MPI_Allreduce")};
    session.factor = [](std::size_t variant, int) { return variant == 0 ? 1.0 : 1.3; };
    write_session(folder + "session.db", session);
    std::vector<InventedSuite> named;
    for (const std::string& name : {invented::nasty, std::string("=1+1"), std::string("a -> b->c"), std::string("\"\\\n")}) {
        named.push_back(suite_called("MPI_Bcast"));
        named.back().suite.name = named.back().suite.family = name;
        named.back().suite.operation.name = name;
    }
    Database database = Database::open_for_writing(folder + "nasty.db");
    Run run = invented_run("r");
    run.host = run.machine = invented::nasty;
    write_run(database, run, named, 1, 0.02);
}
