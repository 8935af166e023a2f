// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/word_cache.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace skampi {

WordCache::WordCache(std::string folder, std::string library)
    : folder_(std::move(folder))
    , library_(to_valid_utf8(library)) {}

std::string WordCache::users_folder() {
    if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
        return std::string(cache) + "/skampi";
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home == '/')
        return std::string(home) + "/.cache/skampi";
    return {};
}

std::string WordCache::path() const {
    return fmt::format("{}/algorithms-{:016x}.json", folder_, Fnv1a().add(library_).value());
}

std::optional<LibraryWords> WordCache::load() const {
    if (folder_.empty() || library_.empty())
        return std::nullopt;
    LibraryWords words;
    try {
        const nlohmann::json kept = nlohmann::json::parse(file_text(path()));
        if (kept.at("library") != library_)
            return std::nullopt;
        for (const auto& [variable, numbers] : kept.at("variables").items())
            for (const auto& [word, number] : numbers.items()) {
                if (!number.is_number_integer())
                    return std::nullopt;
                words.of_variable[variable].emplace_back(number.get<int>(), word);
            }
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
    for (auto& [variable, numbers] : words.of_variable)
        std::ranges::sort(numbers);
    return words;
}

void WordCache::store(const LibraryWords& words) const {
    if (folder_.empty() || library_.empty() || !words.incomplete.empty())
        return;
    nlohmann::json variables = nlohmann::json::object();
    for (const auto& [variable, numbers] : words.of_variable)
        for (const auto& [number, word] : numbers)
            variables[variable][word] = number;
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    try {
        write_own_file(path(),
                       nlohmann::json{{"library", library_}, {"variables", variables}}.dump(1) + "\n");
    } catch (const Error&) {
        return; // a full disk, one that may only be read, or a link: the next run asks again
    }
}

} // namespace skampi
