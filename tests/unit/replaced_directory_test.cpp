// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/replaced_directory.hpp"

#include "base/error.hpp"
#include "base/scratch_directory.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

using namespace skampi;
namespace fs = std::filesystem;

namespace {

void make(const fs::path& directory, const std::string& text) {
    fs::create_directory(directory);
    std::ofstream(directory / "index.html") << text;
}

std::string text_of(const fs::path& directory) {
    std::ifstream stream(directory / "index.html");
    std::string text;
    std::getline(stream, text);
    return text;
}

bool cannot(const fs::path&, const fs::path&) {
    return false;
}

} // namespace

TEST_CASE(
    "a report takes the place of a former one, also where two directories cannot change places at once") {
    for (const Exchange& exchange : {Exchange(exchange_at_once), Exchange(cannot)}) {
        const ScratchFolder folder;
        const fs::path output = folder / "x.html";
        for (const std::string text : {"first", "second"}) {
            const ScratchDirectory scratch(output.string());
            make(fs::path(scratch.path()) / "site", text);
            replace_directory(fs::path(scratch.path()) / "site", output, scratch.path(), exchange);
            CHECK(text_of(output) == text);
        }
        CHECK(folder.names() == std::vector<std::string>{"x.html"});
    }
}

TEST_CASE("where the new report cannot take the place the former one is there again") {
    const ScratchFolder folder;
    const fs::path output = folder / "x.html";
    make(output, "former");
    const ScratchDirectory scratch(output.string());
    CHECK_THROWS_AS(
        replace_directory(fs::path(scratch.path()) / "there is none", output, scratch.path(), cannot),
        SystemError);
    CHECK(text_of(output) == "former");
}

TEST_CASE("a former report that a killed process had put aside comes back") {
    const ScratchFolder folder;
    const fs::path output = folder / "x.html";
    make(output, "former");
    {
        const ScratchDirectory scratch(output.string());
        // The process dies in between: what comes after the former one was put aside does not happen.
        fs::rename(output, fs::path(scratch.path()) / "former");
        restore_replaced(folder / "x.html/", getpid());
    }
    CHECK(text_of(output) == "former");
    {
        // It died behind that: the new one stays.
        const ScratchDirectory scratch(output.string());
        make(fs::path(scratch.path()) / "former", "older");
        restore_replaced(output.string(), getpid());
    }
    CHECK(text_of(output) == "former");
}
