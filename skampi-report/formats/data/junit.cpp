// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/junit.hpp"

#include "base/text.hpp"
#include "words/contest_words.hpp"
#include "words/contract_words.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace skampi {

namespace {

/// Test suites with their cases, in the order in which they come.
class Junit {
public:
    void add(const std::string& suite, const std::string& name, GateOutcome outcome,
             const std::string& message) {
        if (suite != suite_)
            finish_suite();
        suite_ = suite;
        ++tests_;
        cases_ += fmt::format("<testcase classname=\"{}\" name=\"{}\"", for_xml(suite), for_xml(name));
        switch (outcome) {
        case GateOutcome::passed: // with what it could not have seen
            cases_ += fmt::format("><system-out>{}</system-out></testcase>\n", for_xml(message));
            break;
        case GateOutcome::failed:
            ++failures_;
            cases_ += fmt::format("><failure message=\"{}\"/></testcase>\n", for_xml(message));
            break;
        case GateOutcome::open:
            ++undecided_;
            cases_ += fmt::format("><error message=\"{}\"/></testcase>\n", for_xml(message));
            break;
        }
    }

    std::string text() {
        finish_suite();
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"skampi-report\">\n" + suites_ +
               "</testsuites>\n";
    }

private:
    void finish_suite() {
        if (tests_ > 0)
            suites_ += fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
                                   "skipped=\"0\">\n{}</testsuite>\n",
                                   for_xml(suite_), tests_, failures_, undecided_, cases_);
        cases_.clear();
        tests_ = failures_ = undecided_ = 0;
    }

    std::string suites_;
    std::string suite_;
    std::string cases_;
    std::size_t tests_ = 0;
    std::size_t failures_ = 0;
    std::size_t undecided_ = 0;
};

} // namespace

std::string junit_report(const std::vector<GateResult>& results) {
    // By comparison, in any order of the gates.
    std::vector<const GateResult*> ordered;
    for (const GateResult& result : results)
        ordered.push_back(&result);
    std::ranges::stable_sort(ordered, {}, [](const GateResult* result) { return result->contest; });
    Junit junit;
    for (const GateResult* result : ordered)
        junit.add(contest_name(*result->contest),
                  result->suite->reference->suite().name + ": " + result->gate->text, result->outcome(),
                  gate_message(*result));
    return junit.text();
}

std::string junit_report(const std::vector<PromiseFinding>& findings) {
    std::vector<PromiseFinding> ordered = findings; // by database, then in the order of the contract
    std::ranges::stable_sort(
        ordered, {}, [](const PromiseFinding& each) { return std::pair(each.database, each.subject); });
    Junit junit;
    for (const PromiseFinding& each : ordered)
        junit.add(each.subject ? each.subject->label : each.database,
                  fmt::format("{}: {}", each.promise->line, each.promise->text), each.outcome,
                  promise_message(each));
    return junit.text();
}

} // namespace skampi
