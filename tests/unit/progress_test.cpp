// SPDX-License-Identifier: GPL-2.0-or-later
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <unistd.h>

using namespace skampi;

TEST_CASE("the bar stays on its line, however narrow the terminal is and long the names are") {
    const std::string place = " 82 %  suite 14/19 MPI_Ineighbor_alltoallv on a grid of ranks";
    for (int columns = 0; columns <= 200; ++columns) {
        CAPTURE(columns);
        const std::string line = bar_line(0.82, place, "1:23:45 left", columns);
        CHECK(character_count(line) < static_cast<std::size_t>(std::max(columns, 1)));
        if (columns >= 40)
            CHECK(line.ends_with("1:23:45 left"));
        if (columns >= 50)
            CHECK(line.find("suite 14/19 M") != std::string::npos);
    }
    CHECK(bar_line(0.5, " 50 %  suite 2/4 x", "0:01 left", 80) ==
          "[############............]  50 %  suite 2/4 x  0:01 left");
    CHECK(bar_line(1, "100 %  suite 4/4 x", "", 30) == "[########] 100 %  suite 4/4 x");
    CHECK(character_count(bar_line(0, "  0 %  suite 1/1 ääääääääääääääääääääääääääääääääääääää", "", 40)) ==
          39);
}

TEST_CASE("the bar is off its line before something else is said on standard error") {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
    REQUIRE(file);
    const auto written = [&] { // what others would see by now
        std::array<char, 1000> bytes{};
        const ssize_t count = ::pread(fileno(file.get()), bytes.data(), bytes.size(), 0);
        return std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    };
    Progress progress(ProgressKind::bar, file.get());
    progress.run_started({.uuid = "a run", .suites = 2}, 0);
    progress.suite_started(0, "a suite", 0);
    CHECK(written().ends_with("  0 %  suite 1/2 a suite"));
    progress.clear();
    CHECK(written().ends_with(clear_line));
    const std::string before = written();
    progress.clear(); // there is none any more
    CHECK(written() == before);
}

TEST_CASE("a bar on a file is that of no terminal") {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
    REQUIRE(file);
    for (const ProgressKind kind : {ProgressKind::bar, ProgressKind::json, ProgressKind::off})
        CHECK(output_of_bar(kind, file.get()) == nullptr);
}
