// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "base/file.hpp"
#include "scratch_folder.hpp"
#include "text_file.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace skampi;

namespace {

std::size_t files_in(const ScratchFolder& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

} // namespace

TEST_CASE("an output file is there when it is committed, whole and alone") {
    const ScratchFolder folder;
    OutputFile file(folder / "out.csv");
    file.write("one,");
    file.write("two\n");
    CHECK_FALSE(std::filesystem::exists(folder / "out.csv"));
    file.commit();
    CHECK(read(folder / "out.csv") == "one,two\n");
    CHECK(files_in(folder) == 1);
}

TEST_CASE("an output file that is not committed leaves nothing, and the former file as it was") {
    const ScratchFolder folder;
    std::ofstream(folder / "old.txt") << "old";
    {
        OutputFile fresh(folder / "new.txt");
        OutputFile again(folder / "old.txt");
        fresh.write("half");
        again.write("half");
        CHECK(files_in(folder) == 3);
    }
    CHECK(files_in(folder) == 1);
    CHECK(read(folder / "old.txt") == "old");
}

TEST_CASE("of two new files of one name the first is kept, and the second says so") {
    const ScratchFolder folder;
    OutputFile first(folder / "new.txt");
    OutputFile second(folder / "new.txt");
    first.write("first");
    second.write("second");
    first.commit_new();
    CHECK_THROWS_WITH_AS(second.commit_new(), doctest::Contains("new.txt: exists already"), InputError);
    CHECK(read(folder / "new.txt") == "first");
}

TEST_CASE("an output file replaces what a link leads to and keeps its permissions") {
    const ScratchFolder folder;
    std::ofstream(folder / "real.txt") << "old";
    REQUIRE(chmod((folder / "real.txt").c_str(), 0640) == 0);
    std::filesystem::create_symlink("real.txt", folder / "link.txt");
    OutputFile file(folder / "link.txt");
    file.write("new");
    file.commit();
    CHECK(std::filesystem::is_symlink(folder / "link.txt"));
    CHECK(read(folder / "real.txt") == "new");
    struct stat facts = {};
    REQUIRE(stat((folder / "real.txt").c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0640);
}

TEST_CASE("a file whose name is ours is never written through a link") {
    const ScratchFolder folder;
    std::ofstream(folder / "theirs") << "keep";
    std::filesystem::create_symlink("theirs", folder / "x.db.tune.skampi");
    std::filesystem::create_symlink("new", folder / "x.db.verify.skampi");
    for (const char* const name : {"x.db.tune.skampi", "x.db.verify.skampi"})
        CHECK_THROWS_WITH_AS(write_own_file(folder / name, "ours"),
                             doctest::Contains("skampi: found a link to another place"), InputError);
    CHECK(read(folder / "theirs") == "keep");
    CHECK_FALSE(std::filesystem::exists(folder / "new"));
    // One that appears while it is written is replaced, and so is a pipe, which might never be read.
    REQUIRE(mkfifo((folder / "page.html").c_str(), 0600) == 0);
    OutputFile page(folder / "page.html", NamedBy::us);
    page.write("ours");
    std::filesystem::remove(folder / "page.html");
    std::filesystem::create_symlink("theirs", folder / "page.html");
    page.commit();
    CHECK(read(folder / "theirs") == "keep");
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "page.html")));
    CHECK(read(folder / "page.html") == "ours");
}

TEST_CASE("another program may write the temporary file, whose ending is that of the final one") {
    const ScratchFolder folder;
    OutputFile file(folder / "plot.svg");
    CHECK(file.temporary_path().ends_with(".svg"));
    std::ofstream(file.temporary_path()) << "<svg/>";
    file.commit();
    CHECK(read(folder / "plot.svg") == "<svg/>");
}

TEST_CASE("a device is written, not replaced") {
    OutputFile file("/dev/null");
    file.write("nothing");
    file.commit();
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("the text of what is no file is empty") {
    const ScratchFolder folder;
    CHECK(file_text(folder.path().string()).empty());
    CHECK(file_text(folder / "none").empty());
}

TEST_CASE("what cannot be written is named") {
    const ScratchFolder folder;
    CHECK_THROWS_WITH_AS(OutputFile(folder / "no/such/folder/x"),
                         doctest::Contains("no/such/folder/x: cannot create this file: No such file"),
                         SystemError);
    CHECK_THROWS_WITH_AS(OutputFile(folder.path().string()), doctest::Contains("Is a directory"),
                         SystemError);
    OutputFile full("/dev/full");
    CHECK_THROWS_WITH_AS(full.write("x"), "/dev/full: cannot write this file: No space left on device",
                         SystemError);
}

TEST_CASE("local file systems are no network file systems, and missing files are judged by their folder") {
    CHECK_FALSE(is_network_file_system("/proc"));
    CHECK_FALSE(is_network_file_system("/proc/no-such-file"));
    CHECK_FALSE(is_network_file_system("/no/such/folder/at/all"));
}

TEST_CASE("what is read is not written, by whatever name") {
    const ScratchFolder folder;
    std::filesystem::create_directories(folder / "in/deep");
    for (const char* name : {"a", "in/deep/b"})
        std::ofstream(folder / name) << "precious";
    std::filesystem::create_symlink("a", folder / "soft");
    std::filesystem::create_hard_link(folder / "a", folder / "hard");
    std::filesystem::create_symlink("in", folder / "folder");
    const std::vector<std::string> inputs{"", folder / "a", folder / "in/deep/b"};
    for (const char* name : {"a", "./in/../a", "soft", "hard", "folder/deep/b"}) {
        CAPTURE(name);
        CHECK_THROWS_WITH_AS(refuse_confused_files(inputs, {"", folder / name}),
                             doctest::Contains("is an input"), InputError);
    }
    for (const char* name : {"in", "in/deep", "folder/"}) {
        CAPTURE(name);
        CHECK_THROWS_WITH_AS(refuse_confused_files(inputs, {folder / name}),
                             doctest::Contains("holds the input"), InputError);
    }
    CHECK_NOTHROW(refuse_confused_files(inputs, {folder / "new", folder / "in/new", "", ""}));
    CHECK_THROWS_WITH_AS(refuse_confused_files(inputs, {folder / "new", folder / "in/../new"}),
                         doctest::Contains("is written twice"), InputError);
}

TEST_CASE("what a killed process left in a folder of outputs is removed, too") {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "figures");
    std::ofstream(folder / "figures/.77.0.part.gp") << "half";
    std::ofstream(folder / "figures/f001.gp") << "whole";
    remove_partial_files(folder / "figures", 77);
    CHECK_FALSE(std::filesystem::exists(folder / "figures/.77.0.part.gp"));
    CHECK(std::filesystem::exists(folder / "figures/f001.gp"));
}
