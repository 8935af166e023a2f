// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/overhead_control.hpp"

#include <algorithm>

namespace skampi {
namespace {

constexpr int attempts_per_question = 3; // while something disturbs them
constexpr int most_series = 12;          // of one key in one suite
constexpr double time_share = 0.02;      // of the time left

} // namespace

OverheadControl::OverheadControl(std::int64_t enough, double clock_resolution_s, KnownOverheads& of_run)
    : enough_(enough)
    , clock_resolution_s_(clock_resolution_s)
    , of_run_(of_run) {}

Overhead OverheadControl::formed(const OverheadKey& key, const Known& known, const ModesSeen& modes,
                                 const std::vector<Overhead>& others) const {
    return overhead_of(key, known.calls, modes, enough_, others, clock_resolution_s_);
}

Overhead OverheadControl::overhead(const OverheadKey& key, const ModesSeen& modes) {
    Known& known = known_[key];
    const bool one_mode = modes.split.count() == 1;
    if (one_mode && known.certain && known.judgement == modes.known.judgement())
        return *known.certain;
    const Overhead overhead = formed(key, known, modes, of_run_[key]);
    known.certain = one_mode && !overhead.doubtful ? std::optional(overhead) : std::nullopt;
    known.judgement = modes.known.judgement();
    return overhead;
}

bool OverheadControl::wants_series(const Question& question, const Overhead& overhead) const {
    const auto known = known_.find(question.key);
    const int series = known == known_.end() ? 0 : known->second.series;
    return (question.may_repeat || series == 0) && question.attempts < attempts_per_question &&
           series < most_series && (overhead.doubtful || overhead.value_s > question.usual_call_s);
}

void OverheadControl::begin_attempt(Question& question, const Overhead& overhead) {
    ++question.attempts;
    if (overhead.value_s > question.usual_call_s) {
        Known& known = known_[question.key];
        known.calls.batches.clear();
        known.certain.reset();
    }
}

double OverheadControl::time_for_question_s(double left_s) {
    return time_share * left_s;
}

double OverheadControl::start(const OverheadKey& key, double left_s) {
    return left_s * time_share / ++known_[key].series;
}

void OverheadControl::add(const OverheadKey& key, const SeriesOfEmptyCalls& series) {
    Known& known = known_[key];
    known.calls.agreement_s = series.agreement_s;
    known.calls.batches.insert(known.calls.batches.end(), series.batches.begin(), series.batches.end());
    known.certain.reset();
}

bool OverheadControl::is_measured(const OverheadKey& key) const {
    const auto known = known_.find(key);
    return known != known_.end() && std::ranges::any_of(known->second.calls.batches, [](const Batch& batch) {
               return !batch.duration_s.empty();
           });
}

bool OverheadControl::was_repeated() const {
    return std::ranges::any_of(known_, [](const auto& known) { return known.second.series > 1; });
}

void OverheadControl::finished(const ModesSeen& modes) {
    for (const auto& [key, known] : known_)
        if (const Overhead overhead = formed(key, known, modes, {}); !overhead.doubtful)
            of_run_[key].push_back(overhead);
}

} // namespace skampi
