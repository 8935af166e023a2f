// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/suite_record.hpp"

#include "base/text.hpp"
#include "base/utc.hpp"
#include "interruption/crash_protocol.hpp"
#include "model/quantity.hpp"
#include "model/run.hpp"
#include "model/session_start.hpp"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skampi {
namespace {

/// "a: 0-1", or "a: 0-1 | b: 0-1" where a suite went on elsewhere.
std::string with_place(const std::string& before, const std::string& now) {
    if (before.empty())
        return now;
    const std::string and_now = std::string(between_places) + now;
    return before == now || before.ends_with(and_now) ? before : before + and_now;
}

std::string last_place(const std::string& places) {
    const std::size_t last = places.rfind(between_places);
    return last == std::string::npos ? places : places.substr(last + between_places.size());
}

} // namespace

SuiteRecord::SuiteRecord(Database& database, RunId run, StoredSuite stored)
    : database_(database)
    , run_(run)
    , stored_(std::move(stored))
    , facts_(stored_.facts) {}

void SuiteRecord::add_event(const std::string& kind, const std::string& text) {
    database_.add_event(run_, {utc_now(), kind, stored_.suite.name, text});
}

Facts SuiteRecord::begin(const std::string& here, std::optional<int> given_up_in, const Facts& planned) {
    const std::string before = facts_[fact_measured_on];
    facts_[fact_measured_on] = with_place(before, here);
    if (given_up_in)
        facts_.emplace(fact_windows_given_up_in_round, std::to_string(*given_up_in));
    for (const auto& [name, text] : planned)
        facts_[name] = text;
    database_.set_suite_facts(stored_.id, facts_);
    Facts known = facts_;
    if (facts_[fact_measured_on] != before) {
        if (known.erase(fact_partner) > 0) // elsewhere it is another one, and no value is of two
            begin_values_anew();
    } else if (known.contains(fact_partner))
        known[fact_partner] = last_place(known[fact_partner]);
    return known;
}

void SuiteRecord::begin_values_anew() {
    if (const std::int64_t dropped = database_.drop_unfinished(stored_.id); dropped > 0)
        add_event("info", fmt::format("{}: begun with another partner on other hosts, measured again",
                                      count_of(dropped, "value")));
}

void SuiteRecord::keep_laboratory_facts(Laboratory& laboratory, bool at_end) {
    for (const auto& [name, value] : laboratory.suite_facts())
        if (name == fact_partner || name == fact_partner_place || name == fact_root_rank)
            facts_[name] = with_place(facts_[name], value);
        else if (at_end)
            facts_[name] = value;
}

void SuiteRecord::keep_ranks(Laboratory& laboratory) {
    keep_laboratory_facts(laboratory, false);
    database_.set_suite_facts(stored_.id, facts_);
}

void SuiteRecord::keep_outcome(const SuiteOutcome& outcome, const Facts& findings, Laboratory& laboratory) {
    for (const auto& [name, text] : findings)
        facts_[name] = text;
    keep_curve(outcome);
    keep_refusals(outcome);
    keep_laboratory_facts(laboratory, true);
    for (const auto& [name, value] : laboratory.algorithm_facts(stored_.ordinal))
        facts_[name] = value;
    database_.set_suite_facts(stored_.id, facts_);
}

void SuiteRecord::keep_curve(const SuiteOutcome& outcome) {
    if (const auto& worst = outcome.worst_segment; worst && std::isfinite(worst->key)) {
        facts_[fact_interpolation_error] = fmt::format("{:.4g}", worst->key);
        facts_[fact_interpolation_worst] = fmt::format("{} and {}", worst->begin, worst->end);
    }
    if (outcome.left_out > 0) {
        facts_[fact_left_out] = std::to_string(outcome.left_out);
        add_event("info", fmt::format("no time was left for {}",
                                      count_of(static_cast<std::int64_t>(outcome.left_out), "argument")));
    }
}

/// What the library refused of its algorithms is no value that is missing.
void SuiteRecord::keep_refusals(const SuiteOutcome& outcome) {
    if (outcome.refused.empty())
        return;
    if (!outcome.stopped && outcome.error.empty())
        database_.drop_unfinished(stored_.id);
    const auto& [argument, why] = *outcome.refused.begin();
    const Suite& suite = stored_.suite;
    const std::string first =
        suite.varied == Varied::message_length ? format_length(argument) : std::to_string(argument);
    const std::string where = outcome.refused.size() == 1
                                  ? first
                                  : fmt::format("{} arguments, the first {}", outcome.refused.size(), first);
    facts_[fact_algorithm_refused] = where + ": " + why;
    add_event("info",
              fmt::format("the library refused the algorithm {} at {}: {}", suite.algorithm, where, why));
}

void SuiteRecord::end(const SuiteOutcome& outcome, int retries) {
    if (outcome.error.empty()) {
        database_.end_suite(stored_.id, SuiteState::finished);
        return;
    }
    if (!database_.suite(stored_.id).in_progress) // another one's turn was the last: it was an attempt
        database_.begin_suite(stored_.id);
    const bool again = outcome.mpi_error && stored_.attempts + 1 <= retries;
    add_event(outcome.mpi_error ? "mpi-error" : "warning", outcome.error);
    if (!again)
        finish_part(database_, stored_.id);
    database_.end_suite(stored_.id, again ? SuiteState::put_off : SuiteState::failed, outcome.error);
}

} // namespace skampi
