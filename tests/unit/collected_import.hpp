// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "import/imported_runs.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// Keeps all that an importer reads.
class CollectedImport : public skampi::ImportSink {
public:
    std::vector<skampi::ImportedRun> runs;
    std::size_t rows = 0;

    skampi::RunId begin_run(const skampi::Run& run) override {
        runs.push_back({run, {}});
        return std::ssize(runs) - 1;
    }
    skampi::SuiteId begin_suite(skampi::RunId run, const skampi::Suite& suite) override {
        auto& suites = runs.at(static_cast<std::size_t>(run)).suites;
        suites.push_back({suite, {}, {}, {}});
        places_.emplace_back(static_cast<std::size_t>(run), suites.size() - 1);
        return std::ssize(places_) - 1;
    }
    std::optional<std::int64_t> add(skampi::SuiteId suite, std::int64_t place,
                                    const skampi::Measurement& measurement,
                                    const std::optional<skampi::MergeFacts>& merged) override {
        const auto [known, is_new] = taken_.try_emplace({suite, measurement.argument}, place);
        if (!is_new)
            return known->second;
        at(suite).measurements.push_back(measurement);
        if (merged)
            at(suite).merged.push_back(*merged);
        ++rows;
        return std::nullopt;
    }
    void end_suite(skampi::SuiteId id, const skampi::Suite& suite,
                   const std::map<std::string, std::string>& facts) override {
        at(id).suite = suite;
        at(id).facts = facts;
    }
    void end_run(skampi::RunId id, const skampi::Run& run) override {
        runs.at(static_cast<std::size_t>(id)).run = run;
    }

private:
    skampi::ImportedRun::ImportedSuite& at(skampi::SuiteId suite) {
        const auto [run, place] = places_.at(static_cast<std::size_t>(suite));
        return runs[run].suites[place];
    }

    std::vector<std::pair<std::size_t, std::size_t>> places_; ///< of the suites
    std::map<std::pair<skampi::SuiteId, std::int64_t>, std::int64_t> taken_;
};

/// A text that comes in pieces of so many bytes.
inline skampi::TextSource text_in_pieces(const std::string& name, std::string text, std::size_t bytes) {
    return {name, [text = std::move(text), bytes, at = std::size_t{0}]() mutable {
                std::string piece = text.substr(std::min(at, text.size()), bytes);
                at += bytes;
                return piece;
            }};
}
