// SPDX-License-Identifier: LGPL-2.1-or-later
// Measures std::sort and memcpy over their sizes, with the plan sequential.skampi, into a database:
//   c++ -std=c++20 -O2 sequential.cpp $(pkg-config --cflags --libs skampi) -o sequential
//   ./sequential sequential.skampi -d sequential.db     (after an interruption, the same command continues)
//   skampi-report sequential.db -o sequential.pdf
#include <skampi/functions.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

int main(int argc, char** argv) {
    std::vector<int> shuffled;
    std::vector<int> work;

    skampi::Function sort;
    sort.name = "std::sort";
    sort.setup = [&](const skampi::Arguments& arguments) {
        shuffled.resize(static_cast<std::size_t>(arguments.message_bytes) / sizeof(int));
        std::generate(shuffled.begin(), shuffled.end(), std::mt19937(1));
        work = shuffled;
    };
    sort.call = [&](const skampi::Arguments&) { std::sort(work.begin(), work.end()); };
    sort.between = [&](const skampi::Arguments&) { work = shuffled; };
    sort.check = [&](const skampi::Arguments&) { return std::is_sorted(work.begin(), work.end()); };

    skampi::Function copy;
    copy.name = "memcpy";
    copy.wants_buffers = true;
    copy.messages = 1;
    copy.call = [](const skampi::Arguments& arguments) {
        std::memcpy(arguments.target, arguments.source, static_cast<std::size_t>(arguments.message_bytes));
    };
    copy.check = [](const skampi::Arguments& arguments) {
        return std::memcmp(arguments.target, arguments.source,
                           static_cast<std::size_t>(arguments.message_bytes)) == 0;
    };

    return skampi::measure_functions(argc, argv, {sort, copy});
}
