// SPDX-License-Identifier: GPL-2.0-or-later
#include "fuzz_target.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

void fuzz::fail(const char* what) {
    std::fprintf(stderr, "fuzz: %s\n", what);
    std::abort();
}

#ifdef SKAMPI_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::try_input(std::string(data, data + size));
    return 0;
}

#else

#include <fstream>
#include <iterator>
#include <random>

namespace {

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
        const std::vector<std::string>& all = fuzz::pieces();
        switch (below(7)) {
        case 0:
            text.insert(at, 1, static_cast<char>(below(256)));
            break;
        case 1:
            // The long ones take most of the time and find little.
            text.insert(at, all[below(below(50) == 0 ? all.size() : all.size() - 2)]);
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

/// TARGET EXECUTIONS SEED FILE...
int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: TARGET EXECUTIONS SEED FILE...\n", stderr);
        return 2;
    }
    std::vector<std::string> seeds;
    for (int i = 3; i < argc; ++i) {
        std::ifstream in(argv[i], std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        if (seeds.back().empty())
            fuzz::fail("a sample file cannot be read");
        fuzz::try_input(seeds.back());
    }
    const long executions = std::atol(argv[1]);
    Mutator mutator(std::strtoull(argv[2], nullptr, 10));
    for (long i = 0; i < executions; ++i)
        fuzz::try_input(mutator.make(seeds));
    std::printf("%ld executions, none failed\n", executions);
    return 0;
}

#endif
