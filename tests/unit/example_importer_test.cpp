// SPDX-License-Identifier: GPL-2.0-or-later
// The example of docs/adding-an-importer.md.
#include "../../examples/importer.cpp"

#include "close_to.hpp"
#include "collected_import.hpp"
#include "text_file.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using namespace skampi;

TEST_CASE("the example importer reads its table") {
    const std::string text = "node1: a launcher's words\n# pingtool 1.2\n# buffers: pinned\n"
                             "bytes round_trip[us]\n8 0.53\n16 0.60\n32\n";
    REQUIRE(recognises(pingtool_importer, text));
    CHECK_FALSE(recognises(pingtool_importer, "# another tool, compared with # pingtool 1.2\n"));
    TextSource source = text_in_pieces("x.txt", text, 7);
    CollectedImport collected;
    pingtool_importer.read(pingtool_importer, source, collected);
    REQUIRE(collected.runs.size() == 1);
    const ImportedRun& run = collected.runs[0];
    CHECK(run.run.clock_resolution_s == close_to(1e-8));
    CHECK(run.run.facts.contains(fact_passed_over)); // the last row is cut off
    CHECK(run.suites.at(0).suite.name == "pingtool (pinned)");
    CHECK(run.suites[0].facts.at("version") == "1.2");
    const auto& measurements = run.suites[0].measurements;
    REQUIRE(measurements.size() == 2);
    CHECK(measurements[0].argument == 8);
    CHECK(measurements[0].message_bytes == 8);
    CHECK(measurements[0].value_s == close_to(0.53e-6));
}

TEST_CASE("the page about importers shows the example as it is") {
    const std::string page = read(SKAMPI_SOURCE_ROOT "/docs/adding-an-importer.md");
    const std::string code = read(SKAMPI_SOURCE_ROOT "/examples/importer.cpp");
    REQUIRE(code.size() > 1000);
    CHECK(page.find("```cpp\n" + code + "```\n") != std::string::npos);
}
