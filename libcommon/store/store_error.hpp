// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/error.hpp"
#include "base/text.hpp"

#include <string>

namespace skampi {

/// A result file that cannot be read or written. The text is `path: what was done: why not`.
class StoreError : public Error {
public:
    /// @param doing "begin a suite", "open this file"   @param why SQLite's message, or our own finding
    StoreError(const std::string& path, const std::string& doing, const std::string& why,
               ExitStatus status = ExitStatus::impossible)
        : Error(status, printable(path) + ": cannot " + doing + ": " + printable(why)) {}
};

/// SQLite does not know the file as one of its own: it may be CSV, or anything.
class NotADatabase : public StoreError {
public:
    NotADatabase(const std::string& path, const std::string& doing, const std::string& why)
        : StoreError(path, doing, why, ExitStatus::bad_input) {}
};

/// Somebody else has the file in use just now.
class FileBusy : public StoreError {
public:
    using StoreError::StoreError;
};

} // namespace skampi
