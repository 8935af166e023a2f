// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "formats/text/plain_text.hpp"

#include "base/utf8.hpp"
#include "contains.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

using namespace skampi;

namespace {

Document document_of(std::vector<Block> blocks) {
    Document document;
    document.cover.title = "A title";
    document.cover.answer.text = "An answer.";
    document.sections.push_back({"A section", std::move(blocks), {}});
    return document;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

Table table() {
    return {
        "Values",
        {"at", "time", "remarks"},
        {ColumnKind::number, ColumnKind::number, ColumnKind::prose},
        {{"1 B", "1.435 µs", "short"}, {"32 KiB", "10 µs", "some words that do not fit beside the others"}}};
}

const std::string nasty = "\x1b[31mred\a | <b>x</b> `code` *bold* [a](http://b) @all :tada: \n# heading";

} // namespace

TEST_CASE("columns of a table stand under one another, whatever characters are in them") {
    const std::vector<std::string> lines = lines_of(plain_text(document_of({table()}), {}, {200, false}));
    const auto header = std::ranges::find(lines, "      at       time   remarks");
    REQUIRE(header != lines.end());
    CHECK(header[1] == "     1 B   1.435 µs   short");
    CHECK(header[2] == "  32 KiB      10 µs   some words that do not fit beside the others");
}

TEST_CASE("a document without a first page begins with its sections") {
    Document document = document_of({Paragraph{"Words."}});
    document.cover = {};
    CHECK(plain_text(document, {}, {80, false}) == "A section\n=========\n\nWords.\n");
}

TEST_CASE("prose is wrapped to the width of the terminal, in tables, facts and paragraphs") {
    const FactList facts{"Facts", {{"a name", "a value of several words that is long enough to wrap here"}}};
    const Paragraph paragraph{"A paragraph of several words that is long enough to be wrapped here.",
                              Tone::plain};
    const std::string text = plain_text(document_of({table(), facts, paragraph}), {}, {50, false});
    for (const std::string& line : lines_of(text))
        CHECK_MESSAGE(character_count(line) <= 50, line);
    Golden golden("plain_text");
    golden.add("a table, facts and a paragraph in 50 columns", text);
    golden.check();
}

TEST_CASE(
    "a table that is wider than the terminal wraps its header and its cells, and no number from its unit") {
    const Table headlines{"Headlines of two databases, whose title is longer than the line that it stands on",
                          {"what", "a.db", "b.db", "ratio"},
                          {ColumnKind::text, ColumnKind::number, ColumnKind::number, ColumnKind::number},
                          {{"Latency, 1 byte (half round trip)",
                            "233.6 ns (flagged timed out, disturbed, several modes, one run)",
                            "203.2 ns (flagged disturbed; 180.4 ns to 225.9 ns)", "0.870"},
                           {"MPI_Barrier on 2 ranks", "1.607 µs", "508.1 ns", "0.316"}}};
    const Table summary{"",
                        {"suite", "arguments", "typical ratio", "its interval", "smallest ratio",
                         "largest ratio", "faster at", "slower at"},
                        {ColumnKind::prose, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                         ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number},
                        {{"MPI_Allreduce", "19", "0.412", "0.398 - 0.425", "0.286", "0.566", "18", "0"}}};
    for (const std::size_t columns : {60, 80, 100}) {
        CAPTURE(columns);
        const std::string text = plain_text(document_of({headlines, summary}), {}, {columns, false});
        for (const std::string& line : lines_of(text))
            CHECK_MESSAGE(character_count(line) <= columns, line);
        for (const char* together :
             {"233.6 ns", "203.2 ns", "1.607 µs", "508.1 ns", "180.4 ns", "225.9 ns", "0.398 - 0.425"})
            CHECK_MESSAGE(contains(text, together), together);
    }
    Golden golden("plain_table");
    for (const std::size_t columns : {120, 90, 80, 40})
        golden.add("a table in " + std::to_string(columns) + " columns",
                   plain_text(document_of({summary}), {}, {columns, false}));
    golden.check();
}

TEST_CASE("the name that begins a row stays in one piece: people search for it") {
    const std::string name = "MPI_Allgather of doubles (Nodes = 16)";
    Table table{"", {"suite"}, {ColumnKind::prose}, {{name}}};
    for (const char* const column : {"time", "interval", "bandwidth", "flags"}) {
        table.header.emplace_back(column);
        table.columns.push_back(ColumnKind::text);
        table.rows.front().emplace_back("1.264 us to 1.950 us");
    }
    for (const std::size_t columns : {80, 120})
        CHECK(contains(plain_text(document_of({table}), {}, {columns, false}), name));
}

TEST_CASE("a word that is wider than its column is broken") {
    const std::string name(100, 'n');
    const std::string text = plain_text(
        document_of({Table{"", {"a", "b"}, {ColumnKind::text, ColumnKind::number}, {{name, "1 B"}}}}), {},
        {50, false});
    std::size_t letters = 0;
    for (const std::string& line : lines_of(text)) {
        CHECK_MESSAGE(character_count(line) <= 50, line);
        letters += static_cast<std::size_t>(std::ranges::count(line, 'n'));
    }
    CHECK(letters == 100 + 3); // An answer., A section
    CHECK(contains(text, "n  1 B\n"));
}

TEST_CASE("only its own sequences reach a terminal, and those only where colours are wanted") {
    Document document = document_of({Paragraph{nasty, Tone::warning}, FactList{nasty, {{nasty, nasty}}},
                                     Table{nasty, {nasty}, {ColumnKind::text}, {{nasty}}}, Verbatim{nasty}});
    document.cover.title = document.cover.subtitle = document.cover.answer.text = nasty;
    document.sections[0].title = nasty;
    const std::string plain = plain_text(document, {}, {80, false});
    CHECK_FALSE(contains(plain, "\x1b"));
    CHECK_FALSE(contains(plain, "\a"));
    CHECK(contains(plain, "\\x1b[31mred"));
    std::string coloured = plain_text(document, {}, {80, true});
    CHECK(contains(coloured, "\x1b[1m"));
    CHECK(contains(coloured, "\x1b[33m")); // the warning
    for (const std::string ours : {"\x1b[0m", "\x1b[1m", "\x1b[4m", "\x1b[33m"})
        for (std::size_t at = coloured.find(ours); at != std::string::npos; at = coloured.find(ours))
            coloured.erase(at, ours.size());
    CHECK_FALSE(contains(coloured, "\x1b"));
}

TEST_CASE("figures are shown as they were drawn, and left out where they were not") {
    FigureBlock block;
    block.figure.id = "f001";
    const Document document = document_of({block});
    CHECK(contains(plain_text(document, {{"f001", "  +--o--+\n"}}, {}), "\n  +--o--+\n"));
    CHECK(contains(markdown(document, {{"f001", "  +--o--+\n"}}), "\n```text\n  +--o--+\n```\n"));
    CHECK_FALSE(contains(markdown(document, {}), "```"));
}

TEST_CASE("in Markdown no text is markup, a cell of its own, a mention or a heading") {
    Document document =
        document_of({Paragraph{nasty, Tone::plain},
                     Table{"", {"a", "b"}, {ColumnKind::text, ColumnKind::number}, {{nasty, "2"}}}});
    document.cover.title = nasty;
    const std::string text = markdown(document, {});
    CHECK_FALSE(contains(text, "<b>"));
    CHECK_FALSE(contains(text, " `code`"));
    CHECK_FALSE(contains(text, " *bold"));
    CHECK_FALSE(contains(text, " [a]"));
    CHECK_FALSE(contains(text, "@all"));
    CHECK_FALSE(contains(text, " :tada:"));
    CHECK(contains(text, "| a | b |\n| --- | ---: |\n| "));
    for (const std::string& line : lines_of(text)) {
        if (line.rfind("| ", 0) != 0)
            continue;
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
        CHECK_MESSAGE(bars == 3, line);
    }
    const auto headings = std::ranges::count_if(
        lines_of(text), [](const std::string& line) { return line.rfind("#", 0) == 0; });
    CHECK(headings == 2);
    CHECK(contains(
        markdown(document_of({Paragraph{"- no list", Tone::plain}, Paragraph{"12. no list", Tone::plain},
                              Paragraph{"1.435 µs at 10:00:00", Tone::plain}}),
                 {}),
        "\n\\- no list\n\n12\\. no list\n\n1.435 µs at 10:00:00\n"));
}

TEST_CASE("a fence is longer than what would end it") {
    CHECK(contains(markdown(document_of({Verbatim{"a\n```\nb"}}), {}), "\n````text\na\n```\nb\n````\n"));
}

TEST_CASE("a header keeps its number and unit together, and a long name breaks behind its signs") {
    const Table winners{"",
                        {"suite", "to 64 KiB", "faster"},
                        {ColumnKind::text, ColumnKind::number, ColumnKind::prose},
                        {{"MPI_Send-MPI_Recv_any_tag", "1", std::string("words ") + std::string(16, 'w')}}};
    for (std::size_t columns = 44; columns <= 60; ++columns) {
        CAPTURE(columns);
        const std::string text = plain_text(document_of({winners}), {}, {columns, false});
        CHECK(contains(text, "64 KiB"));
        const std::vector<std::string> lines = lines_of(text);
        const bool broken = std::ranges::none_of(
            lines, [](const std::string& line) { return contains(line, "MPI_Send-MPI_Recv_any_tag"); });
        if (broken)
            CHECK(std::ranges::any_of(lines, [](const std::string& line) {
                return line.starts_with("  MPI_Send-") &&
                       line.substr(0, line.find(' ', 2)).find_last_of("-_") == line.find(' ', 2) - 1;
            }));
    }
}
