// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/merged_plan.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/compare_plans.hpp"
#include "model/placement.hpp"

#include <algorithm>
#include <utility>

namespace skampi {

namespace {

template <typename Value>
bool contradict(const Value& a, const Value& b, const Value& unknown) {
    return a != b && a != unknown && b != unknown;
}

/// What a suite measures, as far as two of one name must agree.
std::string described(const Suite& suite) {
    std::string text = printable(suite.operation.name) + " over " + std::string(to_text(suite.varied)) +
                       " (" + std::string(to_text(suite.operation.pattern));
    if (suite.operation.meaning != Meaning::unknown)
        text += ", a time is that of a " + std::string(to_text(suite.operation.meaning));
    return text + ")";
}

/// The known fields in which two suites of one name measure different things: their values have no common
/// middle. Empty = none.
std::string other_quantity_text(const Suite& first, const Suite& second) {
    const std::string name = "suite \"" + printable(first.name) + "\" ";
    if (first.operation.name != second.operation.name || first.varied != second.varied ||
        first.operation.pattern != second.operation.pattern ||
        contradict(first.operation.meaning, second.operation.meaning, Meaning::unknown))
        return name + "measures " + described(first) + " in one and " + described(second) + " in the other";
    // A file of another program may not say that an operation has no length.
    const bool fixed_length = has_fixed_length(first) && has_fixed_length(second);
    for (const FieldDifference& each : compare_plans_without_facts(first, second).other_quantity)
        if (each.field != "meaning" && (each.field != "message_bytes" || fixed_length) &&
            !is_unknown(first, each.field) && !is_unknown(second, each.field))
            return name + "has " + std::string(each.field) + " \"" + printable(each.first) +
                   "\" in one and \"" + printable(each.second) + "\" in the other";
    return {};
}

/// In how many of its launches a suite did not end.
int unfinished_launches(const StoredSuite& suite, int launches) {
    if (suite.merge.launches > 0)
        return suite.merge.unfinished;
    return suite.state == SuiteState::finished ? 0 : launches;
}

} // namespace

void no_value(StoredSuite& suite) {
    if (suite.state == SuiteState::finished)
        suite.state = SuiteState::failed;
    suite.merge.without_value = true;
}

std::pair<const MergedPlan::PlannedSuite*, std::string>
MergedPlan::first_difference(const std::vector<StoredSuite>& suites) const {
    const auto is_shared = [&](const StoredSuite& stored) { return places_.contains(stored.suite.name); };
    for (const StoredSuite& stored : suites) {
        const Suite& suite = stored.suite;
        if (is_shared(stored)) {
            const PlannedSuite& planned = suites_[places_.at(suite.name)];
            if (std::string text = other_quantity_text(planned.stored.suite, suite); !text.empty())
                return {&planned, std::move(text)};
            continue;
        }
        const auto of_family = [&](const Suite& other) {
            return other.family == suite.family && !other.unknown_fields.empty();
        };
        const auto relative =
            std::ranges::find_if(suites_, of_family, [](const PlannedSuite& planned) -> const Suite& {
                return planned.stored.suite;
            });
        if (relative != suites_.end() && of_family(suite) &&
            std::ranges::none_of(
                suites, [&](const StoredSuite& other) { return of_family(other.suite) && is_shared(other); }))
            return {&*relative, "suite \"" + printable(relative->stored.suite.name) + "\" in one is \"" +
                                    printable(suite.name) + "\" in the other"};
    }
    return {};
}

std::string MergedPlan::difference(const std::vector<StoredSuite>& suites) const {
    return first_difference(suites).second;
}

std::vector<SuiteId> MergedPlan::add(const std::vector<StoredSuite>& suites, const std::string& file,
                                     int launches, const std::map<std::string, int>& counted_elsewhere) {
    if (const auto [planned, difference] = first_difference(suites); planned != nullptr)
        throw InputError(printable(planned->file) + " and " + printable(file) + ": " + difference +
                         ", expected the same: they measure two things, which --force does not merge either");
    std::vector<SuiteId> ids(suites_.size());
    for (const StoredSuite& stored : suites) {
        const auto [place, is_new] = places_.try_emplace(stored.suite.name, suites_.size());
        if (is_new) {
            PlannedSuite& made = suites_.emplace_back();
            made.stored = stored;
            made.stored.state = SuiteState::finished;
            made.stored.reason.clear();
            made.stored.merge = {};
            made.file = file;
        }
        PlannedSuite& planned = suites_[place->second];
        Suite& first = planned.stored.suite;
        if (first.operation.meaning == Meaning::unknown)
            first.operation.meaning = stored.suite.operation.meaning;
        forget_unknown(first, stored.suite);
        ids.resize(suites_.size());
        ids[place->second] = stored.id;
        StoredSuite& merged = planned.stored;
        merged.merge.launches += launches;
        std::erase_if(merged.facts, [&](const auto& fact) {
            const auto own = stored.facts.find(fact.first);
            return own == stored.facts.end() || own->second != fact.second;
        });
        int unfinished = unfinished_launches(stored, launches);
        if (const auto others = counted_elsewhere.find(stored.suite.name); others != counted_elsewhere.end())
            unfinished -= others->second;
        unfinished = std::clamp(unfinished, 0, launches);
        if (unfinished == 0)
            continue;
        // The worst of several, in any order.
        const auto badness = [](const StoredSuite& suite) {
            return std::pair(suite.state == SuiteState::failed    ? 3
                             : suite.state == SuiteState::put_off ? 2
                                                                  : 1,
                             suite.reason);
        };
        if (merged.merge.unfinished == 0 || badness(stored) > badness(merged)) {
            merged.state = stored.state;
            merged.reason = stored.reason;
        }
        merged.merge.unfinished += unfinished;
    }
    return ids;
}

void MergedEvents::add(std::vector<Event> events) {
    for (Event& event : events)
        if (event.kind != "info" && known_.insert({event.kind, event.suite, event.text}).second)
            events_.push_back(std::move(event));
}

} // namespace skampi
