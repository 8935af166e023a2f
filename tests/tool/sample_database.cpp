// SPDX-License-Identifier: GPL-2.0-or-later
// Writes a database with single measurements of two ranks, for samples_recipe_test.py.
// usage: sample_database FILE
#include "invented_run.hpp"
#include "store/database.hpp"

int main(int, char** arguments) {
    using namespace skampi;
    std::mt19937_64 random(1);
    Database database = Database::open_for_writing(arguments[1]);
    const RunId run =
        database.begin_run(invented::run("r"), {invented::suite("with"), invented::suite("without")});
    for (const StoredSuite& suite : database.suites(run)) {
        for (const std::int64_t argument : {1, 2}) {
            const Measurement m = invented::measurement(argument, random);
            Batch batch = invented::batch(20, random);
            batch.node_durations[1].rank = 1;
            if (suite.suite.name == "without")
                batch.node_durations.clear();
            database.add_batches(database.begin_measurement(suite.id, m), {batch, batch}, m, true);
        }
        database.end_suite(suite.id, SuiteState::finished);
    }
    database.end_run(run, database.run(run));
}
