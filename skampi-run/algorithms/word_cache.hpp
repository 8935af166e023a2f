// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/library_words.hpp"

#include <optional>
#include <string>

namespace skampi {

/// The words that a library was found to have, kept for the user from run to run: to ask it takes ten starts
/// of the program. A file for each library, in a folder that may be deleted at any time.
class WordCache {
public:
    /// @param folder where files are kept; empty = nothing is
    /// @param library name of its file: a changed one is another library
    WordCache(std::string folder, std::string library);

    /// None = nothing is kept, or it cannot be understood.
    [[nodiscard]] std::optional<LibraryWords> load() const;
    /// Incomplete words are not kept. That it cannot be written is no error.
    void store(const LibraryWords& words) const;

    /// $XDG_CACHE_HOME/skampi, else ~/.cache/skampi; empty = there is no home.
    [[nodiscard]] static std::string users_folder();

private:
    [[nodiscard]] std::string path() const;

    std::string folder_;
    std::string library_;
};

} // namespace skampi
