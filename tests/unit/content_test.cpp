// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/content.hpp"

#include "analysis/trust/headline.hpp"
#include "base/error.hpp"
#include "close_to.hpp"
#include "document/sections/build_document.hpp"
#include "document/sections/section_kinds.hpp"
#include "formats/web/html.hpp"
#include "invented_subject.hpp"
#include "spec/text_file.hpp"
#include "words/value_words.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace skampi;

namespace {

void check_refused(const std::string& text, const std::string& message) {
    try {
        (void)parse_content("my.content", text, chapter_names());
        FAIL("nothing is wrong with " << text);
    } catch (const InputError& error) {
        const std::string what = error.what();
        CAPTURE(what);
        CHECK(what.starts_with("my.content:" + message));
    }
}

Subject subject_with(std::vector<std::string> names, const std::string& path = "x.db") {
    Subject subject = test::invented_subject(test::full_plan({}));
    subject.curves.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        subject.curves[i].stored.suite.name = names[i];
    subject.path = path;
    subject.label = path;
    return subject;
}

std::vector<std::string> names_of(const Subject& subject) {
    std::vector<std::string> names;
    for (const Curve& curve : subject.curves)
        names.push_back(curve.suite().name);
    return names;
}

} // namespace

TEST_CASE("the content file that is installed says what a report without one shows") {
    Content all; // a file that is to be changed names each chapter
    for (const SectionKind& kind : section_kinds())
        if (kind.rank <= rank_of(Room::pages) &&
            (all.chapters.empty() || all.chapters.back() != kind.chapter))
            all.chapters.emplace_back(kind.chapter);
    CHECK(read_content(SKAMPI_SOURCE_ROOT "/skampi-report/document/default.content", chapter_names()) == all);
    CHECK(parse_content("empty", "") == Content{});
}

TEST_CASE("a content file chooses title, paper, round trips, chapters, suites and comparisons") {
    const Content content = parse_content("my.content", "# of ours\n title = A = B \npaper=letter\r\n"
                                                        "round_trips = half\n\n[chapters]\nvalues\nsuites\n"
                                                        "[suites]\nMPI_B* -> Broad: casts\nz\n"
                                                        "[comparison Old against new]\n"
                                                        "a:b.db : one -> first\ntwo\n");
    CHECK(content.title == "A = B");
    CHECK(content.paper == Paper::letter);
    CHECK(content.half_round_trips);
    CHECK(content.chapters == std::vector<std::string>{"values", "suites"});
    CHECK(content.suites == std::vector<Content::Suites>{{"MPI_B*", "Broad: casts", "my.content:10:1"},
                                                         {"z", "", "my.content:11:1"}});
    REQUIRE(content.comparisons.size() == 1);
    CHECK(content.comparisons[0].title == "Old against new");
    CHECK(content.comparisons[0].curves ==
          std::vector<Content::Which>{{"a:b.db", "one", "first", "my.content:13:1", "my.content:13:10"},
                                      {"", "two", "", "my.content:14:1", "my.content:14:1"}});
}

TEST_CASE("what is wrong in a content file is named by line and column") {
    check_refused("titel = x", "1:1: found \"titel = x\", expected title = ");
    check_refused("paper = a5", "1:9: found \"a5\" for paper, expected a4 or letter");
    check_refused("round_trips =", "1:14: found \"\" for round_trips, expected whole or half");
    check_refused("\n[chapters]\n  machines\n",
                  "3:3: found the chapter \"machines\", expected one of turns, algorithms, databases,");
    check_refused("[chapters]\nfacts\nfacts", "3:1: found \"facts\" again");
    check_refused("[suites", "1:1: found \"[suites\", expected a ]");
    check_refused("[comparison]\na\nb", "1:1: found \"[comparison]\", expected [chapters]");
    check_refused("[comparison x]\na.db : one\n[suites]",
                  "1:1: found a comparison of 1 suite, expected 2 to 8");
    check_refused("[comparison x]\na.db : -> y\n", "2:1: found \"a.db : -> y\", expected DATABASE : SUITE");
    check_refused("paper = a4\ntitle = \n", "2:8: found nothing for title, expected words");
    check_refused("[chapters]\n# facts\n", "1:1: found no chapter below [chapters], expected one or more");
    check_refused("\n[chapters]\n[suites]\na\n", "2:1: found no chapter below [chapters]");
    check_refused("times = min", "1:9: found \"min\" for times, expected auto or ns or us or ms or s");
    check_refused("bandwidths = kB/s", "1:14: found \"kB/s\" for bandwidths, expected auto or MB/s or ");
    check_refused("times = us\n times = ms", "2:2: found \"times\" again, expected it once");
    check_refused("[chapters]\nfacts\n[suites]\n[chapters]\nvalues", "4:1: found \"[chapters]\" again");
    check_refused("[suites]\na\nb*\na -> x", "4:1: found \"a\" again, expected it once");
    check_refused("[units]\na -> us\na -> ms", "3:1: found \"a\" again");
    check_refused("[columns]\ntrain\n", "2:1: found the column \"train\"");
    check_refused("[comparison x]\na\nb\n[comparison x]\nc\nd", "4:1: found \"[comparison x]\" again");
    check_refused("[comparison x]\na.db : a -> one\na.db : a -> two",
                  "3:1: found \"a.db : a\" again, expected it once");
    check_refused("[units]\na -> MB\n", "2:6: found \"MB\", expected SUITE -> UNIT");
    check_refused("[units]\na\n", "2:2: found \"\", expected SUITE -> UNIT");
    check_refused("[units]\na -> us, us/s\n", "2:10: found \"us/s\", expected SUITE -> UNIT");
}

TEST_CASE("times and bandwidths stand in the units wanted of all suites or of some") {
    const Content content = parse_content("f", "times = us\n[units]\nMPI_Send-MPI_Recv -> MiB/s\n"
                                               "MPI_Bcast* -> ns, GB/s\nMPI_Bcast-nodes* -> auto\n");
    std::vector<Subject> subjects{test::invented_subject(test::full_plan({}))};
    choose_units(content, subjects);
    const auto units_of = [&](const std::string& name) {
        const auto curve = std::ranges::find_if(subjects[0].curves,
                                                [&](const Curve& each) { return each.suite().name == name; });
        REQUIRE(curve != subjects[0].curves.end());
        return curve->units;
    };
    CHECK(units_of("MPI_Send-MPI_Recv") == Units{TimeUnit::microseconds, BandwidthUnit::mebibytes});
    CHECK(units_of("MPI_Bcast") == Units{TimeUnit::nanoseconds, BandwidthUnit::gigabytes});
    CHECK(units_of("MPI_Bcast-nodes-256") == Units{});
    CHECK(units_of("MPI_Scan") == Units{TimeUnit::microseconds});
    CHECK_THROWS_WITH_AS(choose_units(parse_content("f", "\n[units]\nnobody -> us"), subjects),
                         doctest::Contains("f:3:1: nobody: no suite has such a name"), InputError);

    // Everything that is said of a suite is in its units: no other one is left.
    for (const Headline& headline : headlines(subjects[0])) {
        CAPTURE(headline_name(headline));
        if (headline.curve->suite().name == "MPI_Send-MPI_Recv" && headline.unit == HeadlineUnit::seconds)
            CHECK(headline_value(headline).ends_with(" µs"));
        if (headline.unit == HeadlineUnit::bytes_per_second) {
            CHECK(headline_value(headline).ends_with(" MiB/s"));
            CHECK(headline_error(headline).find("GB/s") == std::string::npos);
        }
    }
    const Document document = build_document(subjects, {"", false, true, parse_content("f", "")});
    const auto part = [&](const std::string& title) -> const Section& {
        for (const Section& section : document.sections)
            for (const Section& each : section.subsections)
                if (each.title == title)
                    return each;
        FAIL("no section " << title);
        throw InputError(title);
    };
    const Section& broadcast = part("MPI_Bcast");
    for (const Block& block : broadcast.blocks) {
        if (const auto* figure = std::get_if<FigureBlock>(&block))
            for (const Panel& panel : figure->figure.panels)
                for (const Axis* axis : {&panel.x, &panel.y})
                    for (const Tick& tick : axis->ticks) {
                        CAPTURE(tick.label);
                        if (axis->quantity == AxisQuantity::time && tick.at > 0)
                            CHECK(tick.label.ends_with(" ns"));
                        if (axis->quantity == AxisQuantity::bandwidth && tick.at > 0)
                            CHECK(tick.label.ends_with(" GB/s"));
                    }
        if (const auto* facts = std::get_if<FactsAndTable>(&block)) {
            for (const Fact& fact : facts->facts.facts) {
                CAPTURE(fact.value);
                CHECK(fact.value.find(" µs") == std::string::npos);
                CHECK(fact.value.find(" MB/s") == std::string::npos);
            }
            for (const auto& row : facts->table.rows) {
                const std::string cells = fmt::format("{}", fmt::join(row, " | "));
                CAPTURE(cells);
                CHECK(cells.find(" ns") != std::string::npos);
                CHECK(cells.find(" µs") == std::string::npos);
            }
        }
    }
    // A page's own drawings are told the unit, for the ticks of a part that is zoomed into.
    CHECK(html_page(document).find(" time=ns ") != std::string::npos);
}

TEST_CASE("suites stand in the order wanted, each once and with its title; the others are left out") {
    std::vector<Subject> subjects{subject_with({"a1", "b (Partner = rank 1)", "a2", "c"})};
    arrange_suites(parse_content("f", "[suites]\nc -> Third\na*\nc*\nb (Partner = rank 1)\n"), subjects);
    CHECK(names_of(subjects[0]) == std::vector<std::string>{"c", "a1", "a2", "b (Partner = rank 1)"});
    CHECK(title_of(subjects[0].curves[0]) == "Third");
    CHECK(title_of(subjects[0].curves[1]) == "a1");
    CHECK(subjects[0].suites_left_out == 0);
    CHECK_THROWS_WITH_AS(
        arrange_suites(parse_content("f", "[suites]\n\nnobody*"), subjects),
        "f:3:1: nobody*: no suite has such a name, expected one of a1, a2, b (Partner = rank 1), c",
        InputError);
    const auto refused = [](const std::string& lines, const std::string& message) {
        std::vector<Subject> others{subject_with({"a1", "b", "a2", "c"})};
        CHECK_THROWS_WITH_AS(arrange_suites(parse_content("f", "[suites]\n" + lines), others),
                             message.c_str(), InputError);
    };
    refused("a*\n a1\n", "f:3:2: found \"a1\", which a line above means already, expected each suite once");
    refused("a*\n?1 -> First\n",
            "f:3:1: found \"?1\", which a line above means already, expected each suite once");
    const std::string own = ", expected one of its own for each suite";
    refused("b -> Both\nc -> Both\n", "f:3:1: found the title \"Both\" for b and for c" + own);
    refused("a* -> All\n", "f:2:1: found the title \"All\" for a1 and for a2" + own);
    refused("b -> c\nc\n", "f:3:1: found the title \"c\" for b and for c" + own);
    refused("c\nb -> c\n", "f:3:1: found the title \"c\" for c and for b" + own);
    const Document document =
        build_document(subjects, {"", false, false, parse_content("f", "[chapters]\nsuites")});
    REQUIRE(document.sections.size() == 1);
    CHECK(document.sections[0].subsections[0].title == "Third");
}

TEST_CASE("half round trips halve times and leave bandwidths and other operations alone") {
    std::vector<Subject> subjects{test::invented_subject(test::full_plan({}))};
    const std::vector<Subject> before = subjects;
    halve_round_trips(subjects);
    halve_round_trips(subjects); // once is enough
    std::size_t halved = 0;
    for (std::size_t c = 0; c < subjects[0].curves.size(); ++c) {
        const Curve& now = subjects[0].curves[c];
        const Curve& then = before[0].curves[c];
        const double factor = meaning_of(then) == Meaning::round_trip ? 0.5 : 1;
        halved += factor == 0.5 ? 1 : 0;
        for (std::size_t i = 0; i < now.points.size(); ++i) {
            const Measurement& m = now.points[i].measurement;
            const Measurement& old = then.points[i].measurement;
            CHECK(m.value_s == factor * old.value_s);
            CHECK(m.summary.quartile25 == factor * old.summary.quartile25);
            if (bytes_moved(then, old) > 0)
                CHECK(bytes_moved(now, m) / m.value_s == close_to(bytes_moved(then, old) / old.value_s));
        }
    }
    CHECK(halved > 0);
    // The latency of the first page is half of the round trip, however its suite is shown.
    const auto latency = [](const Subject& subject) {
        for (const Headline& headline : headlines(subject))
            if (headline.kind == HeadlineKind::latency)
                return headline.value;
        return 0.0;
    };
    CHECK(latency(before[0]) > 0);
    CHECK(latency(subjects[0]) == latency(before[0]));
}

TEST_CASE("comparisons of one's own take any suite of any database, and must mean one") {
    const std::vector<Subject> subjects{subject_with({"one", "two"}, "dir/a.db"),
                                        subject_with({"one", "once"}, "b.db")};
    const auto curves = [&](const std::string& lines) {
        return curves_of(parse_content("f", "[comparison x]\n" + lines).comparisons[0], subjects);
    };
    const auto found = curves("two\na.db : one\nb.db : once\n");
    REQUIRE(found.size() == 3);
    CHECK(found[0] == &subjects[0].curves[1]);
    CHECK(found[1] == &subjects[0].curves[0]);
    CHECK(found[2] == &subjects[1].curves[1]);
    const auto refused = [&](const std::string& lines, const std::string& place, const std::string& message) {
        try {
            (void)curves(lines);
            FAIL("nothing is wrong with " << lines);
        } catch (const InputError& error) {
            CHECK(std::string(error.what()).starts_with("f:" + place + ": found \"" + message));
        }
    };
    refused("one\nc.db : one\n", "3:1",
            "c.db\", which is 0 of the databases given, expected one of dir/a.db, b.db");
    refused("one\nb.db : on*\n", "3:8", "on*\", which means one and once in b.db");
    refused("one\nb.db : two\n", "3:8", "two\", which is no suite shown of b.db");
    const Content content = parse_content("f", "[comparison Mine]\ntwo -> left\nb.db : one -> right\n");
    const Document document = build_document(subjects, {"", false, false, content});
    const auto section = std::ranges::find(document.sections, "Further comparisons", &Section::title);
    REQUIRE(section != document.sections.end());
    CHECK(section->subsections.front().title == "Mine");
    const std::vector<Block>& blocks = section->subsections.front().blocks;
    CHECK(std::get<Table>(blocks[0]).rows.front().front() == "right");
    CHECK(std::get<FigureBlock>(blocks[1]).caption == "Time, and time divided by that of left.");
    // Of one database they are its answer.
    const Content of_one = parse_content("f", "[comparison Mine]\none\nonce\n");
    const Document report = build_document({subjects[1]}, {"", false, false, of_one});
    REQUIRE_FALSE(report.cover.findings.empty());
    CHECK(report.cover.findings.front().starts_with("once against one: "));
}
