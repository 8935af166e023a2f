// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <string>

/// The words that a component says, each beside what it says them of, in one file that a person reads:
/// tests/golden/NAME.txt. With the environment variable SKAMPI_UPDATE_GOLDEN set, check() writes the file
/// anew; the change of wording is then one diff. Other tests assert findings, not phrases.
class Golden {
public:
    explicit Golden(const std::string& name)
        : path_(std::string(SKAMPI_SOURCE_ROOT "/tests/golden/") + name + ".txt") {}

    /// @param case_name what is said something of; unique in the file
    void add(const std::string& case_name, const std::string& words) {
        text_ += "## " + case_name + "\n" + words + (words.empty() || words.back() != '\n' ? "\n\n" : "\n");
    }

    /// Compares all that was added with the file.
    void check() const {
        if (std::getenv("SKAMPI_UPDATE_GOLDEN")) {
            std::ofstream(path_, std::ios::binary) << text_;
            return;
        }
        std::ifstream stream(path_, std::ios::binary);
        const std::string expected{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        INFO("after a change of wording: SKAMPI_UPDATE_GOLDEN=1, then read the diff of ", path_);
        CHECK(text_ == expected);
    }

private:
    std::string path_;
    std::string text_;
};
