// SPDX-License-Identifier: GPL-2.0-or-later
// The reader of Cube statistics files.
#include "fuzz_target.hpp"

#include "cube/statistics.hpp"

#include "base/error.hpp"

#include <sstream>
#include <stdexcept>

using namespace skampi;
using namespace skampi::cube;

void fuzz::try_input(const std::string& bytes) {
    ReadStatistics result;
    try {
        std::istringstream in(bytes);
        result = read_statistics(in, "fuzz");
    } catch (const InputError&) {
        return; // empty, or no text
    }
    std::size_t errors = 0;
    for (const Problem& problem : result.problems) {
        errors += problem.weight == Problem::Weight::error ? 1 : 0;
        if (problem.line == 0 || problem.column == 0 || problem.text.empty() ||
            problem.text.find('\n') != std::string::npos)
            fail("a problem without place or text");
    }
    if (errors > result.errors || result.problems.size() > most_problems)
        fail("problems are counted wrong");
    for (const PatternStatistics& pattern : result.file.patterns)
        if (pattern.name.empty() || (pattern.variance_s2 && !pattern.moments) ||
            (pattern.quartiles && !pattern.variance_s2) || as_double(pattern.count) < 0)
            fail("a pattern that breaks the rules");
    std::string text;
    try {
        text = write_statistics(result.file);
    } catch (const std::invalid_argument&) {
        return; // not finite, or of mixed dialects
    }
    std::istringstream again(text);
    const ReadStatistics second = read_statistics(again, "again");
    if (second.errors != 0 || write_statistics(second.file) != text)
        fail("what was written is read otherwise");
}

const std::vector<std::string>& fuzz::pieces() {
    static const std::vector<std::string> all{"PatternName",
                                              "Pattern Name",
                                              "MetricID",
                                              "Count",
                                              "- ",
                                              "cnode:",
                                              "cnode",
                                              "enter:",
                                              "exit:",
                                              "duration:",
                                              "rank:",
                                              "\r\n",
                                              "\n",
                                              "\n\n",
                                              "\t",
                                              " ",
                                              "markerTime:",
                                              "markerLoc:",
                                              "nan",
                                              "-inf",
                                              "1e999",
                                              "0x1p-3",
                                              "+1",
                                              "-1",
                                              "0.000001",
                                              "1234567.8901230.000004",
                                              "9223372036854775808",
                                              "-9223372036854775808",
                                              "1e-400",
                                              ".",
                                              "-",
                                              "\xEF\xBB\xBF",
                                              "\xff",
                                              std::string(1, '\0'),
                                              std::string(300, '7'),
                                              std::string(70000, 'x')};
    return all;
}
