#include "formats/plain_text.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

using namespace skampi;

namespace {

Document document_of(std::vector<Block> blocks) {
    Document document;
    document.cover.title = "A title";
    document.cover.answer = "An answer.";
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

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Table table() {
    return {
        "Values",
        {"at", "time", "remarks"},
        {Column::number, Column::number, Column::prose},
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

TEST_CASE("prose is wrapped to the width of the terminal, in tables, facts and paragraphs") {
    const FactList facts{"Facts", {{"a name", "a value of several words that is long enough to wrap here"}}};
    const Paragraph paragraph{"A paragraph of several words that is long enough to be wrapped here.",
                              Tone::plain};
    const std::string text = plain_text(document_of({table(), facts, paragraph}), {}, {50, false});
    for (const std::string& line : lines_of(text))
        CHECK_MESSAGE(character_count(line) <= 50, line);
    CHECK(contains(text, "some words that do not fit\n                      beside the others\n"));
    CHECK(contains(text, "  a name  a value of several words that is long\n"));
    CHECK(contains(text, "\nA paragraph of several words that is long enough\nto be wrapped here.\n"));
}

TEST_CASE("only its own sequences reach a terminal, and those only where colours are wanted") {
    Document document = document_of({Paragraph{nasty, Tone::warning}, FactList{nasty, {{nasty, nasty}}},
                                     Table{nasty, {nasty}, {Column::text}, {{nasty}}}, Verbatim{nasty}});
    document.cover.title = document.cover.subtitle = document.cover.answer = nasty;
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
    Document document = document_of({Paragraph{nasty, Tone::plain},
                                     Table{"", {"a", "b"}, {Column::text, Column::number}, {{nasty, "2"}}}});
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
