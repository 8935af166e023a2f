#include "formats/data/junit.hpp"

#include "base/text.hpp"
#include "words/contest_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

std::string junit_report(const std::vector<GateResult>& results) {
    std::string cases;
    std::string suites;
    const Contest* contest = nullptr;
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t undecided = 0;
    const auto finish_suite = [&] {
        if (contest)
            suites +=
                fmt::format(
                    "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n",
                    for_xml(contest_name(*contest)), tests, failures, undecided) +
                cases + "</testsuite>\n";
        cases.clear();
        tests = failures = undecided = 0;
    };
    // By comparison, in any order of the gates.
    std::vector<const GateResult*> ordered;
    for (const GateResult& result : results)
        ordered.push_back(&result);
    std::ranges::stable_sort(ordered, {}, [](const GateResult* result) { return result->contest; });
    for (const GateResult* result : ordered) {
        if (result->contest != contest) {
            finish_suite();
            contest = result->contest;
        }
        ++tests;
        cases += fmt::format("<testcase classname=\"{}\" name=\"{}: {}\"", for_xml(contest_name(*contest)),
                             for_xml(result->suite->reference->suite().name), for_xml(result->gate->text));
        const std::string message = for_xml(gate_message(*result));
        switch (result->outcome()) {
        case GateOutcome::passed: // with what it could not have seen
            cases += fmt::format("><system-out>{}</system-out></testcase>\n", message);
            break;
        case GateOutcome::failed:
            ++failures;
            cases += fmt::format("><failure message=\"{}\"/></testcase>\n", message);
            break;
        case GateOutcome::open:
            ++undecided;
            cases += fmt::format("><error message=\"{}\"/></testcase>\n", message);
            break;
        }
    }
    finish_suite();
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"skampi-report\">\n" + suites +
           "</testsuites>\n";
}

} // namespace skampi
