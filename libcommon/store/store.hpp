// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/error.hpp"
#include "store/commits.hpp"
#include "store/database_file.hpp"
#include "store/measurement_rows.hpp"
#include "store/pair_rows.hpp"
#include "store/run_rows.hpp"
#include "store/session_rows.hpp"
#include "store/tuning_rows.hpp"

#include <memory>
#include <utility>

namespace skampi {

/// An open file: its rows, and when changes of them are committed.
struct Store {
    explicit Store(std::unique_ptr<DatabaseFile> opened)
        : file(std::move(opened))
        , runs(file->connection())
        , measurements(file->connection(), runs)
        , sessions(file->connection())
        , tuning(file->connection())
        , pairs(file->connection())
        , commits(*file, runs) {}
    Store(Store&&) = delete;
    ~Store() {
        try {
            commits.end_gathering();
        } catch (const Error&) {
            // What waits for others may be lost when a process ends; all other commits are in the file.
        }
    }

    /// All public functions begin with one of these. @param what is done, for messages
    [[nodiscard]] Connection& begin(const char* what) {
        file->connection().doing(what);
        commits.seal();
        return file->connection();
    }
    [[nodiscard]] Connection& begin_writing(const char* what) {
        file->connection().doing(what);
        if (!file->writable())
            file->connection().fail("it was opened for reading only");
        return file->connection();
    }

    std::unique_ptr<DatabaseFile> file;
    RunRows runs;
    MeasurementRows measurements;
    SessionRows sessions;
    TuningRows tuning;
    PairRows pairs;
    Commits commits;
};

} // namespace skampi
