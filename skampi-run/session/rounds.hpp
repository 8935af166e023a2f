// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// The launches of a session in a database.
struct SessionProgress {
    std::set<std::pair<int, std::string>> done; ///< round and variant of launches that ended with a run
    std::map<std::pair<int, std::string>, int> failures; ///< of round and variant
    double launches_s = 0;                               ///< that the runs took, and the starts between them
    double last_start_s = 0; ///< of the newest, seconds since 1970 (UTC); 0 = there is none
};
[[nodiscard]] SessionProgress progress_of_session(const Database& database, const std::string& session_uuid);

/// A launch that is due.
struct DueLaunch {
    std::size_t variant = 0;
    SessionPlace place;
};

/// The rounds of a session so far. Pure: what is due follows from the seed and the stored launches, so an
/// interruption changes nothing.
class Rounds {
public:
    /// @param session outlives this
    Rounds(const Session& session, SessionProgress progress);

    /// The first launch that is due; none = all rounds are complete. A launch that failed is tried once more
    /// when the others of its round are done; then the round lacks the variant.
    [[nodiscard]] std::optional<DueLaunch> next();
    void succeeded(const DueLaunch& launch);
    void failed(const DueLaunch& launch);
    /// It no longer takes part, from the round that is due on.
    void leave(const std::string& variant);

    /// How many rounds are complete.
    [[nodiscard]] int complete() const { return round_ - 1; }
    /// Variants that were missing in three consecutive rounds.
    [[nodiscard]] std::vector<std::string> given_up() const;
    /// How many variants still take part.
    [[nodiscard]] std::size_t living() const;
    [[nodiscard]] bool lives(std::size_t variant) const;

private:
    [[nodiscard]] bool lacks(int round, const std::string& variant) const;
    [[nodiscard]] bool is_given_up(const std::string& variant) const;

    const Session& session_;
    SessionProgress progress_;
    std::set<std::string> left_;
    int round_ = 1; ///< the first that is not complete
};

} // namespace skampi
