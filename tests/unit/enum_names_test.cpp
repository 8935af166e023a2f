// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/suite.hpp"

#include <doctest/doctest.h>
#include <set>
#include <string>

using namespace skampi;

namespace {

/// All names of an enum lead to an enumerator and back, and no two are the same.
template <typename Enum>
std::vector<std::string> names_read_in_both_directions() {
    std::vector<std::string> names;
    std::set<Enum> values;
    int position = 0;
    for (const std::string_view name : all_names<Enum>()) {
        CAPTURE(name);
        const std::optional<Enum> value = from_text<Enum>(name);
        REQUIRE(value.has_value());
        CHECK(to_text(*value) == name);
        CHECK(static_cast<int>(*value) == position++);
        CHECK(values.insert(*value).second);
        names.emplace_back(name);
    }
    CHECK_FALSE(from_text<Enum>("").has_value());
    CHECK_FALSE(from_text<Enum>("nonsense").has_value());
    CHECK_FALSE(from_text<Enum>(names.front() + " ").has_value());
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("every enumerator has the name that files use, and the name leads back to it") {
    CHECK(names_read_in_both_directions<Pattern>() ==
          Names{"ping-pong", "master-worker", "collective", "simple"});
    CHECK(names_read_in_both_directions<Meaning>() ==
          Names{"unknown", "round trip", "one way", "exchange", "window of messages", "one-sided call",
                "pieces of work", "collective call", "local call"});
    CHECK(names_read_in_both_directions<Varied>() ==
          Names{"none", "message length", "nodes", "chunks", "argument"});
    CHECK(names_read_in_both_directions<Synchronization>() ==
          Names{"window", "barrier", "dissemination", "barrier-before"});
    CHECK(names_read_in_both_directions<ReportedTime>() == Names{"max", "root", "mean"});
    CHECK(names_read_in_both_directions<BufferPolicy>() ==
          Names{"warm", "warm-4k", "cycled", "cold", "rewritten"});
    CHECK(names_read_in_both_directions<SampleStorage>() == Names{"all", "summary"});
    CHECK(names_read_in_both_directions<Parameter>() ==
          Names{"Datatype", "Reduction", "Root", "In_Place", "Algorithm", "File"});
    CHECK(names_read_in_both_directions<skalib::Scale>() ==
          Names{"Fixed_linear", "Fixed_log", "Dynamic_linear", "Dynamic_log"});
    CHECK(names_read_in_both_directions<skalib::ValueKind>() ==
          Names{"cut_mean", "lower", "median", "minimum"});
    CHECK(names_read_in_both_directions<skalib::ErrorEstimator>() == Names{"trimmed", "classic"});
}

TEST_CASE("names are told apart by case") {
    CHECK_FALSE(from_text<skalib::Scale>("dynamic_log").has_value());
    CHECK_FALSE(from_text<Pattern>("Ping-Pong").has_value());
}
