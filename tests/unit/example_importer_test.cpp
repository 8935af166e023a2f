// The example of docs/adding-an-importer.md.
#include "../../examples/importer.cpp"

#include "base/error.hpp"
#include "close_to.hpp"
#include "collected_import.hpp"
#include "text_file.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using namespace skampi;

TEST_CASE("the example importer reads its table") {
    const std::string text =
        "node1: a launcher's words\n# pingtool 1.2\nbytes round_trip[us]\n8 0.53\n16 0.60\n";
    REQUIRE(pingtool_importer.recognises(text));
    CHECK_FALSE(pingtool_importer.recognises("# another tool, compared with # pingtool 1.2\n"));
    TextSource source = text_in_pieces("x.txt", text, 7);
    CollectedImport collected;
    pingtool_importer.read(source, collected);
    REQUIRE(collected.runs.size() == 1);
    const ImportedRun& run = collected.runs[0];
    CHECK(run.run.tool_version == "1.2");
    CHECK(run.run.clock_resolution_s == close_to(1e-8));
    const auto& measurements = run.suites.at(0).measurements;
    REQUIRE(measurements.size() == 2);
    CHECK(measurements[0].argument == 8);
    CHECK(measurements[0].message_bytes == 8);
    CHECK(measurements[0].value_s == close_to(0.53e-6));
    TextSource mistaken = text_in_pieces("x.txt", text + "32\n", 7);
    CHECK_THROWS_AS(pingtool_importer.read(mistaken, collected), InputError);
}

TEST_CASE("the page about importers shows the example as it is") {
    const std::string page = read(SKAMPI_SOURCE_ROOT "/docs/adding-an-importer.md");
    const std::string code = read(SKAMPI_SOURCE_ROOT "/examples/importer.cpp");
    REQUIRE(code.size() > 1000);
    CHECK(page.find("```cpp\n" + code + "```\n") != std::string::npos);
}
