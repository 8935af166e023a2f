#include "merge/merged_plan.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/placement.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
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

/// In how many launches a suite did not come to its end, and why; as the reason of a merged suite.
struct Unfinished {
    std::size_t launches = 1;
    std::string reason;
};

std::string text_of(const Unfinished& unfinished, std::size_t of) {
    return "in " + std::to_string(unfinished.launches) + " of " + std::to_string(of) +
           (of == 1 ? " launch" : " launches") + (unfinished.reason.empty() ? "" : ": " + unfinished.reason);
}

/// The reason of a suite, or its beginning, for which no_value() decides anew when it is merged once more.
constexpr std::string_view without_value = "no run has a value";
constexpr std::string_view before_rest = "; ";

/// The reverse. @param launches for a reason that is a run's own
Unfinished unfinished_in(std::string reason, std::size_t launches) {
    static constexpr std::string_view begin = "in ";
    if (reason == without_value)
        return {0, {}};
    if (reason.starts_with(std::string(without_value) + std::string(before_rest)))
        reason.erase(0, without_value.size() + before_rest.size());
    if (!reason.starts_with(begin))
        return {launches, reason};
    const std::size_t end = reason.find(": ");
    const std::string_view counted = std::string_view(reason).substr(0, end);
    const auto number = [](std::string_view text) {
        std::size_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    static constexpr std::string_view between = " of ";
    const std::size_t of_at = counted.find(between);
    if (of_at == std::string_view::npos)
        return {launches, reason};
    const std::size_t told = number(counted.substr(begin.size()));
    if (text_of({told, {}}, number(counted.substr(of_at + between.size()))) != counted)
        return {launches, reason};
    return {told, end == std::string::npos ? std::string() : reason.substr(end + 2)};
}

} // namespace

void no_value(StoredSuite& suite) {
    if (suite.state == SuiteState::finished)
        suite.state = SuiteState::failed;
    suite.reason.insert(0,
                        std::string(without_value) + (suite.reason.empty() ? "" : std::string(before_rest)));
}

std::vector<SuiteId> MergedPlan::add(const std::vector<StoredSuite>& suites, const std::string& file,
                                     std::size_t launches,
                                     const std::map<std::string, std::size_t>& counted_elsewhere) {
    std::vector<SuiteId> ids(suites_.size());
    for (const StoredSuite& stored : suites) {
        const auto [place, is_new] = places_.try_emplace(stored.suite.name, suites_.size());
        if (is_new) {
            PlannedSuite& made = suites_.emplace_back();
            made.stored = stored;
            made.stored.state = SuiteState::finished;
            made.stored.reason.clear();
            made.file = file;
        }
        PlannedSuite& planned = suites_[place->second];
        Suite& first = planned.stored.suite;
        if (first.operation.name != stored.suite.operation.name || first.varied != stored.suite.varied ||
            first.operation.pattern != stored.suite.operation.pattern ||
            contradict(first.operation.meaning, stored.suite.operation.meaning, Meaning::unknown))
            throw InputError(printable(planned.file) + " and " + printable(file) + ": suite \"" +
                             printable(first.name) + "\" measures " + described(first) + " in one and " +
                             described(stored.suite) + " in the other, expected the same");
        if (first.operation.meaning == Meaning::unknown)
            first.operation.meaning = stored.suite.operation.meaning;
        forget_unknown(first, stored.suite);
        ids.resize(suites_.size());
        ids[place->second] = stored.id;
        planned.with_it += launches;
        std::erase_if(planned.stored.facts, [&](const auto& fact) {
            const auto own = stored.facts.find(fact.first);
            return own == stored.facts.end() || own->second != fact.second;
        });
        if (stored.state == SuiteState::finished)
            continue;
        Unfinished unfinished = unfinished_in(stored.reason, launches);
        if (const auto others = counted_elsewhere.find(stored.suite.name); others != counted_elsewhere.end())
            unfinished.launches -= std::min(unfinished.launches, others->second);
        unfinished.launches = std::min(unfinished.launches, launches);
        if (unfinished.launches == 0)
            continue;
        // Of several the worst, whatever their order.
        const auto badness = [](SuiteState state) {
            return state == SuiteState::failed ? 3 : state == SuiteState::put_off ? 2 : 1;
        };
        if (planned.not_finished == 0 || std::pair(badness(stored.state), unfinished.reason) >
                                             std::pair(badness(planned.stored.state), planned.reason)) {
            planned.stored.state = stored.state;
            planned.reason = unfinished.reason;
        }
        planned.not_finished += unfinished.launches;
    }
    for (PlannedSuite& planned : suites_)
        if (planned.not_finished > 0)
            planned.stored.reason = text_of({planned.not_finished, planned.reason}, planned.with_it);
    return ids;
}

void MergedEvents::add(std::vector<Event> events) {
    for (Event& event : events)
        if (event.kind != "info" && known_.insert({event.kind, event.suite, event.text}).second)
            events_.push_back(std::move(event));
}

} // namespace skampi
