#include "formats/data/junit.hpp"

#include "base/text.hpp"
#include "words/gate_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

std::string junit_report(const std::vector<GateResult>& results) {
    std::string cases;
    std::string suites;
    const DatabaseComparison* comparison = nullptr;
    std::size_t tests = 0;
    std::size_t failures = 0;
    const auto finish_suite = [&] {
        if (comparison)
            suites += fmt::format(
                          "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
                          for_html(comparison_name(*comparison)), tests, failures) +
                      cases + "</testsuite>\n";
        cases.clear();
        tests = failures = 0;
    };
    // By comparison, whatever order the gates have.
    std::vector<const GateResult*> ordered;
    for (const GateResult& result : results)
        ordered.push_back(&result);
    std::ranges::stable_sort(ordered, {}, [](const GateResult* result) { return result->comparison; });
    for (const GateResult* result : ordered) {
        if (result->comparison != comparison) {
            finish_suite();
            comparison = result->comparison;
        }
        ++tests;
        cases +=
            fmt::format("<testcase classname=\"{}\" name=\"{}: {}\"", for_html(comparison_name(*comparison)),
                        for_html(result->reference->suite().name), for_html(result->gate->text));
        if (result->passed()) {
            cases += "/>\n";
            continue;
        }
        ++failures;
        std::string rows;
        for (const std::string& row : gate_rows(*result))
            rows += row + "\n";
        cases += fmt::format("><failure message=\"{}\">{}</failure></testcase>\n",
                             for_html(gate_message(*result)), for_html(rows));
    }
    finish_suite();
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"skampi-report\">\n" + suites +
           "</testsuites>\n";
}

} // namespace skampi
