// SPDX-License-Identifier: GPL-2.0-or-later
// Damaged databases. An input is no file but its damage: groups of three bytes, of which two say where in the
// file (in 65536ths of it) and one what stands there. A file made of random bytes would never get beyond its
// first page.
#include "fuzz_target.hpp"

#include "base/error.hpp"
#include "base/scratch_directory.hpp"
#include "store/database.hpp"

#include <fstream>
#include <iterator>

using namespace skampi;

namespace {

std::string whole_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A run of two suites, closed.
std::string sound_database(const std::string& path) {
    {
        Database database = Database::open_for_writing(path);
        Run run;
        run.uuid = "a-run";
        run.ranks = 2;
        std::vector<Suite> plan(2);
        plan[0].name = plan[0].family = "first";
        plan[1].name = plan[1].family = "second";
        for (Suite& suite : plan)
            suite.operation.name = suite.operation.title = "MPI_Bcast";
        const RunId id = database.begin_run(run, plan);
        for (const StoredSuite& stored : database.suites(id)) {
            database.begin_suite(stored.id);
            for (const std::int64_t argument : {1, 2, 4}) {
                Measurement measurement;
                measurement.argument = measurement.message_bytes = argument;
                measurement.value_s = 1e-6 * static_cast<double>(argument);
                measurement.summary.count = 8;
                const MeasurementId measured = database.begin_measurement(stored.id, measurement);
                database.add_batches(measured, {}, measurement, true);
            }
            database.end_suite(stored.id, SuiteState::finished);
        }
        database.end_run(id, run);
    }
    return whole_file(path);
}

void read_all(const std::string& path) {
    const Database database = Database::open(path);
    for (const RunId id : database.runs()) {
        (void)database.run(id);
        (void)database.events(id);
        for (const StoredSuite& suite : database.suites(id))
            for (const StoredMeasurement& stored : database.measurements(suite.id))
                (void)database.batches(stored.id);
    }
    database.check_integrity();
}

} // namespace

void fuzz::try_input(const std::string& bytes) {
    static const ScratchDirectory scratch;
    static const std::string path = scratch.path() + "/x.db";
    static const std::string sound = sound_database(path);
    std::string damaged = sound;
    for (std::size_t at = 0; at + 2 < bytes.size(); at += 3) {
        const auto high = static_cast<unsigned char>(bytes[at]);
        const auto low = static_cast<unsigned char>(bytes[at + 1]);
        damaged[(256u * high + low) * damaged.size() / 65536] = bytes[at + 2];
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
    try {
        read_all(path);
    } catch (const Error&) {
        return;
    }
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{std::string("\0\0\1", 3), "\1\0\xff", "\x80\x80\x80", "abcdef",
                                              std::string(300, 'x')};
    return all;
}
