// A fuzz target for the reader of Cube statistics files. With clang's libFuzzer it is a target of its own
// (docs/cube.md says how); without, main() below makes up inputs from the sample files, always the same ones.

#include "cube/statistics.hpp"

#include "base/error.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace {

using namespace skampi;
using namespace skampi::cube;

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "cube_statistics_fuzz: %s\n", what);
    std::abort();
}

/// What has to hold for any bytes.
void try_input(const std::string& bytes) {
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

} // namespace

#ifdef SKAMPI_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try_input(std::string(data, data + size));
    return 0;
}

#else

#include <fstream>
#include <iterator>
#include <random>
#include <vector>

namespace {

const std::vector<std::string> pieces{"PatternName",
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

class Mutator {
public:
    explicit Mutator(std::uint64_t seed)
        : random_(seed) {}

    std::string make(const std::vector<std::string>& seeds) {
        std::string text = below(20) == 0 ? std::string() : seeds[below(seeds.size())];
        for (std::size_t n = 1 + below(8); n > 0; --n)
            change(text, seeds);
        return text;
    }

private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    void change(std::string& text, const std::vector<std::string>& seeds) {
        const std::size_t at = below(text.size() + 1);
        switch (below(7)) {
        case 0:
            text.insert(at, 1, static_cast<char>(below(256)));
            break;
        case 1:
            // The long ones take most of the time and find little.
            text.insert(at, pieces[below(below(50) == 0 ? pieces.size() : pieces.size() - 2)]);
            break;
        case 2:
            text.erase(at, 1 + below(12));
            break;
        case 3:
            text.erase(at);
            break;
        case 4:
            if (at < text.size())
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            break;
        case 5: {
            const std::string& other = seeds[below(seeds.size())];
            const std::size_t from = below(other.size());
            text.insert(at, other, from, 1 + below(80));
            break;
        }
        default:
            if (at < text.size())
                text.insert(at, text, at, 1 + below(40));
        }
    }

    std::mt19937_64 random_;
};

} // namespace

/// cube_statistics_fuzz EXECUTIONS SEED FILE...
int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: cube_statistics_fuzz EXECUTIONS SEED FILE...\n", stderr);
        return 2;
    }
    std::vector<std::string> seeds;
    for (int i = 3; i < argc; ++i) {
        std::ifstream in(argv[i], std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        if (seeds.back().empty())
            fail("a sample file cannot be read");
        try_input(seeds.back());
    }
    const long executions = std::atol(argv[1]);
    Mutator mutator(std::strtoull(argv[2], nullptr, 10));
    for (long i = 0; i < executions; ++i)
        try_input(mutator.make(seeds));
    std::printf("%ld executions, none failed\n", executions);
    return 0;
}

#endif
