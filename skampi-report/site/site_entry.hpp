#pragma once

#include "formats/web/site_pages.hpp"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// By what a database is known not to have changed. SQLite writes into the file or, until that is copied,
/// into the one beside it.
struct Stamp {
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;
    std::int64_t log_bytes = 0;
    std::int64_t log_changed_ns = 0;
    /// The last change was so short before that a further one might bear the same time.
    bool fresh = false;

    friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// @return none where there is no such file
[[nodiscard]] std::optional<Stamp> stamp_of(const std::string& path);
[[nodiscard]] nlohmann::ordered_json stamp_json(const Stamp& stamp);

/// What results/NAME.json holds.
struct Entry {
    std::string made_by;
    Stamp stamp;
    SiteRow row;
    std::vector<std::string> histories; ///< to whose pages its runs belong
    std::vector<std::string> launches;  ///< uuids of those that are compared
};

[[nodiscard]] std::string to_text(const Entry& entry);

/// @return none when the file is not as we write it: its pages are made anew
[[nodiscard]] std::optional<Entry> read_entry(const std::filesystem::path& path);

} // namespace skampi
