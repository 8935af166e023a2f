// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/statement.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace skampi {

MessageSize size_of_message(std::int64_t bytes) {
    constexpr std::int64_t most_small = 1024;
    constexpr std::int64_t most_medium = 64 * 1024;
    return bytes <= most_small    ? MessageSize::small
           : bytes <= most_medium ? MessageSize::medium
                                  : MessageSize::large;
}

double Statement::certain_effect() const {
    return verdict == Verdict::slower ? std::log(low) : verdict == Verdict::faster ? -std::log(high) : 0;
}

const Statement* SuiteContest::whole() const {
    return statements.empty() ? nullptr : &statements.front();
}

std::vector<const Statement*> SuiteContest::of_kind(Place::Kind kind) const {
    std::vector<const Statement*> found;
    for (const Statement& each : statements)
        if (each.place.kind == kind)
            found.push_back(&each);
    return found;
}

const Statement* SuiteContest::of_size(MessageSize size) const {
    for (const Statement* each : of_kind(Place::Kind::size))
        if (each->place.size() == size)
            return each;
    return nullptr;
}

const Statement& SuiteContest::around(std::int64_t argument) const {
    for (const Statement& each : statements)
        if (each.place.kind == Place::Kind::size && each.place.holds(argument))
            return each;
    return statements.front();
}

const Statement* SuiteContest::point(std::int64_t argument) const {
    for (const Statement& each : statements)
        if (each.place.kind == Place::Kind::point && each.place.from == argument)
            return &each;
    return nullptr;
}

Verdict SuiteContest::verdict() const {
    if (!compared())
        return Verdict::not_comparable;
    bool faster = false;
    bool slower = false;
    for (const Statement& each : statements) {
        faster = faster || (each.place.kind != Place::Kind::point && each.verdict == Verdict::faster);
        slower = slower || (each.place.kind != Place::Kind::point && each.verdict == Verdict::slower);
    }
    return faster && slower ? Verdict::open
           : faster         ? Verdict::faster
           : slower         ? Verdict::slower
                            : statements.front().verdict;
}

const Statement* SuiteContest::largest() const {
    const Statement* found = nullptr;
    for (const Statement& each : statements)
        if (each.place.kind != Place::Kind::point &&
            each.certain_effect() > (found ? found->certain_effect() : 0))
            found = &each;
    return found;
}

std::vector<const SuiteContest*> Contest::with(Verdict verdict) const {
    std::vector<const SuiteContest*> found;
    for (const SuiteContest& suite : suites)
        if (suite.in_answer && suite.verdict() == verdict)
            found.push_back(&suite);
    return found;
}

std::vector<std::pair<const SuiteContest*, const Statement*>> Contest::effects() const {
    std::vector<std::pair<const SuiteContest*, const Statement*>> found;
    for (const SuiteContest& suite : suites)
        if (const Statement* const largest = suite.in_answer ? suite.largest() : nullptr)
            found.emplace_back(&suite, largest);
    std::ranges::stable_sort(found, std::greater(),
                             [](const auto& each) { return each.second->certain_effect(); });
    return found;
}

bool Contest::any_judged() const {
    return std::ranges::any_of(suites, [](const SuiteContest& suite) {
        return std::ranges::any_of(suite.statements, &Statement::judged);
    });
}

std::vector<const Contest*> largest_effect_first(std::span<const Contest> contests) {
    std::vector<const Contest*> sorted;
    for (const Contest& contest : contests)
        sorted.push_back(&contest);
    std::ranges::stable_sort(sorted, std::greater(), [](const Contest* contest) {
        const auto effects = contest->effects();
        return effects.empty() ? 0 : effects.front().second->certain_effect();
    });
    return sorted;
}

} // namespace skampi
