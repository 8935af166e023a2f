// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "analysis/models/curve_model.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/headline.hpp"
#include "close_to.hpp"
#include "document/sections/build_document.hpp"
#include "document/sections/contest_section.hpp"
#include "document/sections/family_section.hpp"
#include "document/sections/suite_lines.hpp"
#include "drawing/figure.hpp"
#include "formats/data/json.hpp"
#include "formats/exchange/ascii.hpp"
#include "formats/exchange/c_header.hpp"
#include "formats/paper/latex.hpp"
#include "formats/text/plain_text.hpp"
#include "formats/web/html.hpp"
#include "formats/web/site_pages.hpp"
#include "invented_curve.hpp"
#include "invented_subject.hpp"
#include "words/doubt_words.hpp"
#include "words/growth_words.hpp"
#include "words/guideline_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include "analysis/trust/trust.hpp"
#include "contains.hpp"
#include "document/sections/suite_section.hpp"
#include "document/sections/suite_tables.hpp"
#include "launches/library_name.hpp"
#include "model/field_text.hpp"
#include "model/placement.hpp"
#include "model/run.hpp"
#include "model/series.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace skampi;
using test::curve_called;
using test::invented_subject;

namespace {

std::vector<std::string> titles(const std::vector<Section>& sections) {
    std::vector<std::string> all;
    for (const Section& section : sections)
        all.push_back(section.title);
    return all;
}

std::string all_text(const Table& table) {
    std::string text;
    for (const auto& row : table.rows) {
        for (const std::string& cell : row)
            text += cell + " | ";
        text += "\n";
    }
    return text;
}

/// Everything the document says, figures' captions included.
std::string all_text(const std::vector<Section>& sections) {
    std::string text;
    for (const Section& section : sections) {
        text += section.title + "\n";
        for (const Block& block : section.blocks) {
            if (const auto* paragraph = std::get_if<Paragraph>(&block))
                text += paragraph->text + "\n";
            if (const auto* verbatim = std::get_if<Verbatim>(&block))
                text += verbatim->text + "\n";
            if (const auto* figure = std::get_if<FigureBlock>(&block))
                text += figure->caption + "\n";
            const auto* facts = std::get_if<FactList>(&block);
            if (const auto* both = std::get_if<FactsAndTable>(&block)) {
                facts = &both->facts;
                for (const Fact& fact : both->setup.facts)
                    text += fact.name + ": " + fact.value + "\n";
                for (const std::string& note : both->notes)
                    text += note + "\n";
                for (const Table* table : {&both->table, &both->below})
                    text += all_text(*table);
            }
            if (facts)
                for (const Fact& fact : facts->facts)
                    text += fact.name + ": " + fact.value + "\n";
            if (const auto* table = std::get_if<Table>(&block))
                text += all_text(*table);
        }
        text += all_text(section.subsections);
    }
    return text;
}

const Section& section(const std::vector<Section>& sections, const std::string& title) {
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.title == title; });
    REQUIRE(found != sections.end());
    return *found;
}

std::string fact(const FactList& list, const std::string& name) {
    for (const Fact& fact : list.facts)
        if (fact.name == name)
            return fact.value;
    return "(missing)";
}

Subject subject_of_bcast() {
    auto plan = test::full_plan({});
    std::erase_if(plan, [](const auto& each) { return each.suite.operation.name != "MPI_Bcast"; });
    return invented_subject({plan.at(0)});
}

/// What a report says that was asked for, of the first suite.
std::string fact_of_setup(const Subject& subject, const std::string& name) {
    return fact(FactList{"", suite_setup(subject.curves.at(0))}, name);
}

/// The first suite of a skampi.out.
StoredSuite suite_in(const Database& database) {
    return database.suites(database.runs().at(0)).at(0);
}
Suite suite_read_back(const std::string& text) {
    const ScratchFolder scratch;
    std::ofstream(scratch / "skampi.out") << text;
    return suite_in(Database::open(scratch / "skampi.out")).suite;
}
/// Its measurements.
std::vector<StoredMeasurement> read_back(const std::string& text) {
    const ScratchFolder scratch;
    std::ofstream(scratch / "skampi.out") << text;
    const Database database = Database::open(scratch / "skampi.out");
    return database.measurements(suite_in(database).id);
}

} // namespace

TEST_CASE("the chapters of reports, as a golden file shows them") {
    Golden golden("chapters");
    const Subject subject = invented_subject(test::full_plan({}));
    Subject other = test::of_other_launches(subject);
    other.label = "other";
    for (const auto& [name, subjects] :
         {std::pair("one database", std::vector{subject}), {"two databases", std::vector{subject, other}}})
        for (const auto& [room, where] : {std::pair(Room::everything, "everything"),
                                          {Room::suites, "suites"},
                                          {Room::pages, "pages"},
                                          {Room::screen, "a screen"}}) {
            std::string text;
            for (const Section& chapter : build_document(subjects, {}, room).sections) {
                text += chapter.title + "\n";
                if (chapter.subsections.size() < 5)
                    for (const Section& part : chapter.subsections)
                        text += "  " + part.title + "\n";
            }
            golden.add(std::string(name) + ", " + where, text);
        }
    golden.check();
}

TEST_CASE("a report begins with what was found, and ends with what was measured where") {
    const Document document = build_document({invented_subject(test::full_plan({}))}, {});
    CHECK(section(document.sections, "Operations compared").subsections.size() == 16);
    const std::vector<Section>& suites = section(document.sections, "Suites").subsections;
    CHECK(suites.size() == 30);
    CHECK(suites.front().title == "MPI_Send-MPI_Recv"); // by pattern
}

TEST_CASE("a suite's section gives the facts of the paper's appendix B") {
    test::InventedMachine machine;
    const Subject subject = invented_subject(test::full_plan(machine));
    const Document document = build_document({subject}, {});
    const Section& reduce = section(section(document.sections, "Suites").subsections, "MPI_Reduce");
    REQUIRE(reduce.blocks.size() == 5);
    CHECK(std::holds_alternative<FigureBlock>(reduce.blocks[2]));
    CHECK(std::get<Table>(reduce.blocks[4]).rows.size() == 27); // all values
    const FactsAndTable& facts = std::get<FactsAndTable>(reduce.blocks[3]);
    CHECK(fact(facts.setup, "Argument range") == "0 B - 4 MiB");
    CHECK(fact(facts.setup, "Default values") == "16 nodes (ranks)");
    CHECK(fact(facts.setup, "Max. allowed standard error") == "1.0 %");
    CHECK(fact(facts.facts, "Time at 0 B") == "2.000 µs (± 20 ns)"); // 5 * 0.4 us
    // 4 MiB / (5 * (1.9 us + 0.08 ns/B * 4 MiB))
    CHECK(fact(facts.facts, "Bandwidth at 4 MiB") == "2.486 GB/s");
    CHECK(contains(fact(facts.facts, "Measurements"), "27 from 540 "));
    REQUIRE(facts.below.rows.size() == 1); // the jump
    const Curve& curve = curve_called(subject, "MPI_Reduce");
    // From one measured time to the other; nothing says why.
    CHECK(facts.below.rows[0] ==
          std::vector<std::string>{"8 KiB", "11.31 KiB", "+8.86 µs", "+168 %", "1 of 1"});
    CHECK(JumpCauses(subject).of(curve, curve_model(curve).jumps.at(0)).kind == CauseKind::unknown);
    const InterpolationError error = interpolation_error(curve).value();
    CHECK(error.relative == close_to(0.41).epsilon(0.02));
    CHECK(error.begin == 8192);
}

TEST_CASE("lines that miss by no more than the values' errors have no error, and a few points tell of none") {
    const Subject subject = invented_subject(test::full_plan({.jump_s = 0}));
    Curve curve = curve_called(subject, "MPI_Reduce");
    CHECK(interpolation_error(curve).value().relative == 0);
    curve.points.resize(2);
    CHECK_FALSE(interpolation_error(curve).has_value());
}

TEST_CASE("lengths that are no multiple of 8 are named where they are slower than both aligned neighbours") {
    const std::vector<std::int64_t> arguments{8, 16, 20, 32, 45, 64, 90, 128, 200, 256};
    const auto curve_with = [&](double factor, double error) {
        Curve curve = test::invented_curve(1, 1, 0, 1, arguments);
        for (StoredMeasurement& point : curve.points) {
            Measurement& m = point.measurement;
            m.value_s *= m.argument % 8 == 0 ? 1 : factor;
            m.standard_error_s = error * m.value_s;
        }
        return curve;
    };
    const UnalignedLengths found = slow_unaligned_lengths(curve_with(3, 0.01)).value();
    CHECK(found.count == 3);
    CHECK(found.slower == 3);
    CHECK(found.ratio == close_to(3));
    CHECK(found.first == 20);
    CHECK(found.last == 90);
    CHECK_FALSE(slow_unaligned_lengths(curve_with(1, 0.01)));
    CHECK_FALSE(slow_unaligned_lengths(curve_with(1.5, 0.5))); // their errors explain it
    Curve jump = curve_with(1, 0.001);
    for (StoredMeasurement& point : jump.points)
        point.measurement.value_s *= point.measurement.argument > 16 ? 3 : 1;
    CHECK_FALSE(slow_unaligned_lengths(jump));
}

TEST_CASE("two kinds of time are not compared without a warning") {
    const Subject subject = invented_subject(test::full_plan({}));
    const Document document = build_document({subject}, {});
    const std::vector<Section>& comparisons = section(document.sections, "Operations compared").subsections;
    const auto warned = [&](const char* title) {
        return std::ranges::any_of(section(comparisons, title).blocks, [](const Block& block) {
            const auto* paragraph = std::get_if<Paragraph>(&block);
            return paragraph && contains(paragraph->text, "an exchange");
        });
    };
    CHECK(warned("MPI_Send to MPI_Recv and MPI_Sendrecv"));
    CHECK_FALSE(warned("MPI_Send to MPI_Recv and MPI_Ssend to MPI_Recv"));
    CHECK_FALSE(warned("MPI_Sendrecv and MPI_Sendrecv_replace"));
}

TEST_CASE("bandwidth counts the messages of one direction as the meaning of a time says") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    const auto facts_of = [&](Meaning meaning, double messages) {
        curve.stored.suite.operation.meaning = meaning;
        for (StoredMeasurement& point : curve.points) {
            point.measurement.messages = messages;
            point.measurement.value_s = 64e-6;
        }
        return [facts = FactList{"", suite_results(curve)}](const std::string& name) {
            return fact(facts, name);
        };
    };
    CHECK(facts_of(Meaning::window, 64)("Window at 0 B").starts_with("64.00 µs"));
    CHECK(facts_of(Meaning::window, 64)("Message rate at 0 B") == "1.000 M/s");
    CHECK(facts_of(Meaning::window, 64)("Bandwidth at 4 MiB") == "4.194 TB/s");
    CHECK(facts_of(Meaning::one_sided, 1)("Bandwidth at 4 MiB") == "65.54 GB/s");
    CHECK(facts_of(Meaning::one_sided, 1)("Message rate at 0 B") == "(missing)");
    for (const double both_ways : {0.0, 2.0}) { // not known, or said
        CHECK(facts_of(Meaning::round_trip, both_ways)("Bandwidth at 4 MiB") == "131.1 GB/s");
        CHECK(facts_of(Meaning::exchange, both_ways)("Bandwidth at 4 MiB") == "65.54 GB/s");
    }
    CHECK(facts_of(Meaning::unknown, 0)("Bandwidth at 4 MiB") == "(missing)");
}

TEST_CASE("a merged run has a table of the runs it was made of, and says whether it ended") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    subject.contributions["launch-3"] = {"x.db", 27, 0, 27, std::vector<double>(27, 1)};
    subject.run->kind = "merged";
    CHECK(contains(all_text(build_document({subject}, {}).sections),
                   "launch-3 | x.db | 27 | 0 | 27 | 1.00 | "));
    subject.run->ended_utc.clear();
    CHECK(time_of_run(*subject.run).ends_with(", not ended"));
    subject.run->facts["read from"] = "result CSV";
    CHECK_FALSE(time_of_run(*subject.run).ends_with(", not ended"));
}

TEST_CASE("a coefficient with an error larger than itself has it in its unit") {
    const CoefficientErrors of_launches{ErrorSource::between_launches, 5};
    CHECK(coefficient_text(3.39e-12, 4.4e-12, of_launches, TimeUnit::automatic) == "0.00339 ns [0.0044 ns]");
    CHECK(coefficient_text(1.43e-6, 0.04e-6, TimeUnit::automatic) == "1.43 µs [3 %]");
    CHECK(coefficient_text(1e-6, std::nan(""), TimeUnit::automatic) == "1.00 µs");
    CHECK(coefficient_text(0, 1e-6, TimeUnit::automatic) == "0");
}

TEST_CASE("a C header tells of a machine without a name by its hosts, and of nothing that is not known") {
    Subject subject = invented_subject(test::full_plan({}));
    CHECK(contains(c_header(subject), "   Machine: Cluster of Invented Machines\n"));
    subject.run->machine.clear();
    CHECK(contains(c_header(subject), "   Machine: " + hosts_of(*subject.run) + "\n"));
    subject.run->host.clear();
    subject.run->rank_facts.clear();
    subject.run->placement.clear();
    subject.run->mpi_library.clear();
    CHECK_FALSE(contains(c_header(subject), ": \n"));
}

TEST_CASE("no time below zero is shown as a result, in any place") {
    Subject subject = invented_subject(test::full_plan({}));
    for (Curve& curve : subject.curves)
        for (StoredMeasurement& point : curve.points) {
            Measurement& m = point.measurement;
            m.value_s = -7.999e-3;
            m.summary = skalib::summarise(std::vector<double>(20, m.value_s), 0.25);
            m.node_times = {{0, m.value_s, 1e-6}};
            m.modes = {{0, 0.6, m.value_s, 1e-6, 12}, {1, 0.4, m.value_s, 2e-6, 8}};
            m.alone_s = 1e-6;
            m.computation_s = 1e-6;
            for (auto& [uuid, launch] : curve.launches)
                launch.values[m.argument] = m.value_s;
            if (curve.suite().operation.pattern == Pattern::collective) {
                point.merge = MergeFacts{};
                point.merge->runs = 6;
                point.merge->minimum_s = point.merge->interval_low_s = -8e-3;
                point.merge->maximum_s = point.merge->interval_high_s = 3e-6;
                point.merge->interval_confidence = 0.97;
            }
        }
    const Document document = build_document({subject, subject}, {});
    std::string text = all_text(document.sections) + document.cover.answer.text;
    const Document alone = build_document({subject}, {});
    for (const Document* each : {&document, &alone})
        for (const auto& row : each->cover.headlines.rows)
            for (const std::string& cell : row)
                text += cell + "\n";
    for (const char* unit : {"ns", "µs", "ms", "s"})
        for (char digit = '0'; digit <= '9'; ++digit)
            for (const std::string sign : {" -", "(-", "\n-"}) {
                const std::size_t at = text.find(sign + digit);
                CHECK_MESSAGE(at == std::string::npos, unit << text.substr(std::min(at, text.size()), 40));
            }
    CHECK(contains(text, value_text(subject.curves[0].points[0].measurement)));
    CHECK(contains(text, "up to 3.0 µs")); // as many digits as a doubtful value has
    CHECK(contains(document.cover.answer.text, doubt_text({DoubtKind::not_above_zero, 622, 622})));
    for (const Figure& figure : all_figures(document))
        for (const Panel& panel : figure.panels)
            for (const Layer& layer : panel.layers)
                for (const PlotPoint& point : layer.points)
                    CHECK(point.y > 0);
    const std::string ascii = ascii_report(subject);
    for (char digit = '0'; digit <= '9'; ++digit)
        CHECK_FALSE(contains(ascii, std::string(" -") + digit));
    CHECK(contains(ascii, "\n8 nan 0.000000 20 nan "));
}

TEST_CASE("the gravest doubt about either side stands beside a verdict") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Subject good = subject;
    for (const char* uuid : {"a", "b", "c", "d"})
        good.curves[0].launches[uuid] = good.curves[0].launches["uuid-1"];
    good.run->merged_runs = 5;
    CHECK_FALSE(contains(descriptive_answer(good).line(), "skampi-run"));
    // What takes less than the scatter of a barrier can be measured in windows.
    Subject barriers = subject;
    barriers.curves = {curve_called(invented_subject(test::full_plan({})), "MPI_Reduce")};
    for (StoredMeasurement& point : barriers.curves[0].points)
        set(point.measurement.flags, Flag::unreliable);
    CHECK_FALSE(contains(descriptive_answer(barriers).line(), "= window"));
    barriers.curves[0].stored.suite.synchronization = Synchronization::barrier;
    CHECK(contains(descriptive_answer(barriers).line(), "= window"));
    subject.ended = false;
    good.label = "good";
    good.curves[0].clock_resolution_s = 1e-8;
    const Document doubtful = build_document({subject, test::of_other_launches(good)}, {});
    CHECK(contains(doubtful.cover.answer.text, gravest_doubt_about({&subject})));
    CHECK_FALSE(gravest_doubt_about({&subject}).empty());
    CHECK(gravest_doubt_about({&good}).empty());
}

TEST_CASE("the first paragraph stays short, whatever is doubtful") {
    Subject subject = invented_subject(test::full_plan({}));
    Subject other = test::of_other_launches(subject);
    other.label = "other";
    subject.ended = other.ended = false;
    for (Subject* each : {&subject, &other})
        for (Curve& curve : each->curves) {
            curve.stored.state = SuiteState::open;
            Flags flag = 1;
            for (StoredMeasurement& point : curve.points) {
                point.measurement.flags |= flag;
                flag = flag << 1 > static_cast<Flags>(Flag::scattered) ? 1 : flag << 1;
                point.measurement.modes = {{.mode = 0, .value_s = point.measurement.value_s},
                                           {.mode = 1, .value_s = 2 * point.measurement.value_s}};
            }
        }
    constexpr std::ptrdiff_t most_words = 80;
    CHECK(std::ranges::count(build_document({subject}, {}).cover.answer.text, ' ') < most_words);
    CHECK(std::ranges::count(build_document({subject, other}, {}).cover.answer.text, ' ') < most_words);
}

TEST_CASE(
    "of a run on several hosts the first page names them, how far their clocks agree, and what came too late") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Run& run = *subject.run;
    run.kind = "raw";
    run.machine.clear();
    run.host = "n1";
    run.rank_facts.assign(3, {});
    for (std::size_t rank = 0; rank < 3; ++rank)
        run.rank_facts[rank].processor = rank == 1 ? "n2" : "n1";
    run.ranks = 3;
    run.facts[fact_windows_missed] = "0";
    CHECK(fact(build_document({subject}, {}).cover.trust, "Windows missed") == "(missing)");
    CHECK(fact(build_document({subject}, {}).cover.system, "Ranks").starts_with("3 on n1, n2"));

    run.rank_facts[1].clock_offset_s = -3.25;
    run.rank_facts[1].clock_drift = 5e-5;
    run.rank_facts[1].clock_bound_s = 6.8e-6;
    run.facts[fact_windows_missed] = "637";
    const Document document = build_document({subject}, {});
    CHECK(document.cover.subtitle == "n1, n2");
    CHECK(fact(document.cover.trust, "Windows missed") == "637, discarded");
    const std::string text = all_text(document.sections);
    CHECK(contains(text, "-3.25 s"));
    CHECK(contains(text, "50 ppm"));
}

namespace {

/// The names of all members in a JSON text, but for those that the data name.
void collect_names(const nlohmann::json& json, std::set<std::string>& names) {
    if (json.is_array())
        for (const nlohmann::json& each : json)
            collect_names(each, names);
    if (!json.is_object())
        return;
    for (const auto& [name, value] : json.items()) {
        names.insert(name);
        if (name != "facts" && name != "settings" && !(name == "launches" && value.is_object()) &&
            !((name == "unjudged" || name == "reasons") && value.is_object()))
            collect_names(value, names);
    }
}

template <typename Row>
void add_columns(std::set<std::string>& names) {
    Row row{};
    for_each_field(row, [&](const Field& field, const auto&) { names.insert(field.name); });
}

} // namespace

TEST_CASE("docs/data-formats.md explains every field of the JSON form, and no other") {
    // The last two are one operation over ranks, with two message lengths.
    const std::vector<test::InventedSuite> plan = test::full_plan({});
    Subject subject = invented_subject({plan.front(), plan[21], plan[20]});
    REQUIRE(subject.curves[1].suite().varied == Varied::nodes);
    REQUIRE(subject.curves[1].suite().operation == subject.curves[2].suite().operation);
    Measurement& m = subject.curves[0].points[0].measurement;
    m.alone_s = m.computation_s = 1e-6;
    m.modes = {{0, 0.6, 1e-6, 1e-6, 12}};
    m.node_times = {{0, 1e-6, 1e-8}};
    set(m.flags, Flag::disturbed);
    subject.curves[0].points[1].merge = MergeFacts{};
    for (Curve& curve : subject.curves)
        for (int launch = 0; launch < 6; ++launch)
            for (const StoredMeasurement& point : curve.points)
                curve.launches[std::to_string(launch)].values[point.measurement.argument] =
                    point.measurement.value_s * (1 + 0.001 * launch);
    std::set<std::string> names;
    collect_names(nlohmann::json::parse(json_report({subject, subject}, true)), names);
    REQUIRE(names.size() > 100);

    std::ifstream stream(SKAMPI_SOURCE_ROOT "/docs/data-formats.md");
    std::string document{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const std::size_t begin = document.find("\n## JSON\n");
    REQUIRE(begin != std::string::npos);
    document = document.substr(begin, document.find("\n## ", begin + 1) - begin);
    std::set<std::string> columns;
    add_columns<Run>(columns);
    add_columns<RankFacts>(columns);
    add_columns<Suite>(columns);
    add_columns<Measurement>(columns);
    add_columns<ModeValue>(columns);
    add_columns<NodeTime>(columns);
    add_columns<MergeFacts>(columns);
    for (const std::string& name : names)
        CHECK_MESSAGE((columns.contains(name) || contains(document, "`" + name + "`") ||
                       contains(document, "`" + name + "[]`") || contains(document, "`" + name + "{}`")),
                      name);
    // What the document names is there: words in its first columns.
    for (std::size_t at = document.find("\n| "); at != std::string::npos;
         at = document.find("\n| ", at + 1)) {
        const std::string cell = document.substr(at + 3, document.find(" |", at + 3) - at - 3);
        for (std::size_t open = cell.find('`'); open != std::string::npos; open = cell.find('`', open + 1)) {
            const std::size_t close = cell.find('`', open + 1);
            std::string path = cell.substr(open + 1, close - open - 1);
            std::string name = path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
            name = name.substr(0, name.find_first_of("[{"));
            CHECK_MESSAGE((names.contains(name) || name == "suite"), path);
            open = close;
        }
    }
}

TEST_CASE("a suite without a single value has neither plot nor table") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    for (StoredMeasurement& point : subject.curves[0].points) {
        point.measurement.value_s = std::nan("");
        set(point.measurement.flags, Flag::not_repeatable);
    }
    subject.curves[0].points[3].measurement.value_s = -1e-9;
    const PointsWithoutTime without = points_without_time(subject.curves[0]);
    CHECK(without.count == 27);
    CHECK(without.below == 1);
    CHECK(without.flags == static_cast<Flags>(Flag::not_repeatable));
    const auto part = [&] {
        return section(build_document({subject}, {}).sections, "Suites").subsections.at(0);
    };
    const Section none = part();
    for (const Block& block : none.blocks) {
        CHECK_FALSE(std::holds_alternative<FigureBlock>(block));
        CHECK_FALSE(std::holds_alternative<Table>(block));
    }
    // One that has a value is shown beside all others.
    subject.curves[0].points[5].measurement.value_s = 2e-6;
    const Section one = part();
    CHECK(std::get<Table>(one.blocks.back()).rows.at(5)[1] == "2.000 µs");
    subject.curves[0].points.clear();
    CHECK(suite_lines({&subject.curves[0]}).rows.at(0)[1] == "no value");
}

TEST_CASE("a suite that failed shows the arguments it finished, and that they are a part") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    CHECK(part_text(curve.stored, true).empty());
    curve.points.resize(3);
    curve.stored.state = SuiteState::failed;
    curve.stored.reason = "rank 1 was killed by signal 11";
    CHECK(contains(suite_answer(curve, {}), part_text(curve.stored, true)));
    CHECK(contains(part_text(curve.stored, true), curve.stored.reason));
    const std::vector<std::string> row = suite_lines({&curve}).rows.at(0);
    CHECK(row[1] == time_at(curve, curve.points.front()));
    CHECK(row[0] == title_of(curve) + ", " + part_text(curve.stored, false));
}

TEST_CASE("the table of suites counts flagged points and marks doubtful values") {
    Subject subject = invented_subject({test::full_plan({}).front(), test::full_plan({}).front()});
    const std::vector<const Curve*> curves{&subject.curves[0], &subject.curves[1]};
    CHECK(suite_lines(curves).header.back() != "flagged");
    std::vector<StoredMeasurement>& first = subject.curves[0].points;
    for (StoredMeasurement& point : first)
        set(point.measurement.flags, Flag::timed_out);
    set(first[0].measurement.flags, Flag::disturbed);
    subject.curves[1].stored.state = SuiteState::failed;
    subject.curves[1].stored.reason = "killed";
    const Table table = suite_lines(curves);
    CHECK(table.rows[0].back() == fmt::format("{} (D T)", first.size()));
    CHECK(table.rows[0][1].ends_with("ns?"));
    CHECK(table.rows[1][0].ends_with(", " + part_text(subject.curves[1].stored, false)));
    CHECK(table.rows[1].back().empty());
    CHECK(table.rows[1][1].ends_with("ns"));
    CHECK(table.notes.back() == flag_legend(flags_of(curves)));
    CHECK(values_table(subject.curves[0], {}).rows[0][1].ends_with("ns?"));
    CHECK(table.details == 0);
    CHECK(suite_lines(std::vector<const Curve*>(7, &subject.curves[0])).details ==
          1); // many on one screen: no room
}

TEST_CASE("the trust box counts every kind of doubt") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    set(points[0].measurement.flags, Flag::not_repeatable);
    set(points[1].measurement.flags, Flag::timed_out);
    set(points[2].measurement.flags, Flag::unreliable);
    set(points[3].measurement.flags, Flag::disturbed);
    set(points[4].measurement.flags, Flag::several_modes);
    set(points[5].measurement.flags, Flag::unsynchronised);
    points[4].measurement.discarded = 17;
    Trust trust = assess(subject);
    CHECK(trust.points == 27);
    CHECK(trust.repeatable == 24);
    CHECK(trust.not_repeatable == 1);
    CHECK(trust.timed_out == 1);
    CHECK(trust.stopped_by_limit == 2);
    CHECK(trust.settled == 0);
    CHECK(trust.settled_unknown == 27); // whatever is repeatable within one launch
    // A merged value may be both; it is one value all the same.
    set(points[0].measurement.flags, Flag::timed_out);
    CHECK(assess(subject).stopped_by_limit == 2);
    points[0].measurement.flags &= ~static_cast<Flags>(Flag::timed_out);
    CHECK(trust.unreliable == 1);
    CHECK(trust.disturbed == 1);
    CHECK(trust.several_modes == 1);
    CHECK(trust.discarded == 17);
    CHECK(trust.unsynchronised == 1);
    CHECK(trust.launches == 1);
    CHECK_FALSE(trust.noise_between_launches.has_value());
    CHECK(noise_state(subject, trust) == NoiseState::one_launch);

    for (const auto& [argument, value] : subject.curves[0].launches["uuid-1"].values)
        subject.curves[0].launches["uuid-2"].values[argument] = 1.1 * value;
    trust = assess(subject);
    CHECK(trust.launches == 2);
    // sd of {1, 1.1} by their mean
    CHECK(*trust.noise_between_launches == close_to(0.1 / std::sqrt(2.0) / 1.05));
    CHECK(noise_state(subject, trust) == NoiseState::few_launches);
    for (const char* uuid : {"uuid-3", "uuid-4", "uuid-5"})
        subject.curves[0].launches[uuid] = subject.curves[0].launches["uuid-2"];
    CHECK(noise_state(subject, assess(subject)) == NoiseState::known);
}

TEST_CASE("points that met several states are counted with and without values of them") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    for (StoredMeasurement& point : subject.curves[0].points) {
        point.merge = MergeFacts{};
        point.merge->runs = 3;
    }
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (const std::size_t i : {1u, 2u, 5u})
        set(points[i].measurement.flags, Flag::several_modes);
    CHECK(points_in_states(subject.curves[0]).with_values.empty());
    CHECK(points_in_states(subject.curves[0]).without_values == 3);
    CHECK(points_in_states(subject.curves[0]).merged);
    points[1].measurement.mode = 1;
    points[1].measurement.modes = {{0, 0.4, 0.15e-6, 1e-6, 70}, {1, 0.6, 0.63e-6, 3e-6, 30}};
    CHECK(points_in_states(subject.curves[0]).without_values == 2);
}

TEST_CASE("between pieces with values in doubt no jump is stated") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        StoredMeasurement& point = curve.points[i];
        point.measurement.value_s = (1e-6 + 1e-9 * static_cast<double>(point.measurement.argument)) *
                                    (i < curve.points.size() / 2 ? 1 : 8);
        point.merge = MergeFacts{};
        point.merge->runs = 5;
    }
    curve.launches.clear(); // which have other values
    REQUIRE(curve_model(curve).jumps.size() == 1);
    const std::size_t behind = curve.points.size() / 2;
    CHECK(curve_model(curve).jumps[0].before == curve.points[behind].measurement.argument);
    set(curve.points[behind].measurement.flags, Flag::disturbed);
    const CostModel model = curve_model(curve);
    CHECK(model.jumps.empty());
    CHECK(model.segments.size() == 2);
}

TEST_CASE(
    "where few launches count, because others were disturbed, they have measured a point of the model") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    REQUIRE(curve_model(curve).jumps.size() == 1);
    const CostJump jump = curve_model(curve).jumps[0];
    curve.launches.clear();
    for (StoredMeasurement& point : curve.points) {
        const std::int64_t argument = point.measurement.argument;
        // Behind the jump 3 of 12 launches count at two lengths, and one more is interpolated.
        const bool few = argument >= jump.before && argument <= 2 * jump.before;
        const int launches = few ? 3 : 12;
        point.merge = MergeFacts{};
        point.merge->runs = few ? launches + 1 : launches;
        for (int launch = 0; launch < launches; ++launch)
            curve.launches["launch " + std::to_string(launch)].values[argument] = point.measurement.value_s;
        for (int launch = launches; launch < 12; ++launch)
            curve.launches["launch " + std::to_string(launch)].others[argument] = 1e-6;
    }
    REQUIRE(curve_model(curve).jumps.size() == 1);
    CHECK(curve_model(curve).jumps[0].before == jump.before);
    // Of values that most launches interpolated there is no point.
    for (StoredMeasurement& point : curve.points)
        if (point.merge->runs == 4)
            point.merge->runs = 12;
    CHECK((curve_model(curve).jumps.empty() || curve_model(curve).jumps[0].before > jump.before));
}

TEST_CASE("where few launches look closely, because they are disturbed, there is no jump") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    const StoredMeasurement usual = curve.points.front();
    curve.points.clear();
    curve.launches.clear();
    const auto add = [&](std::int64_t argument, double factor, int launches) {
        StoredMeasurement& point = curve.points.emplace_back(usual);
        point.measurement.argument = argument;
        point.measurement.value_s = factor * (1e-6 + 1e-9 * static_cast<double>(argument));
        point.measurement.standard_error_s = 0.001 * point.measurement.value_s;
        point.merge = MergeFacts{};
        point.merge->runs = launches;
        for (int launch = 0; launch < launches; ++launch)
            curve.launches["launch " + std::to_string(launch)].values[argument] = point.measurement.value_s;
    };
    for (std::int64_t argument = 64; argument <= 65536; argument *= 2) {
        add(argument, 1, 10);
        if (argument == 1024)
            for (const std::int64_t between : {1200, 1230, 1260, 1290})
                add(between, 3, 2);
    }
    CHECK(curve_model(curve).jumps.empty());
    CHECK(curve_model(curve).segments.size() == 1);
    // If all looked, and the others are left out, it is one.
    for (const std::int64_t between : {1200, 1230, 1260, 1290})
        for (int launch = 2; launch < 10; ++launch)
            curve.launches["launch " + std::to_string(launch)].others[between] = 1e-6;
    CHECK_FALSE(curve_model(curve).jumps.empty());
}

TEST_CASE("a lone value in doubt is no part of lines and models, but is shown") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    for (StoredMeasurement& point : curve.points) {
        point.merge = MergeFacts{};
        point.merge->runs = 3;
        point.merge->between_runs_error_s = 0.01 * point.measurement.value_s;
        point.merge->minimum_s = point.merge->maximum_s = point.measurement.value_s;
    }
    const auto worst_error = [&] {
        double worst = 0;
        for (const CostSegment& segment : curve_model(curve).segments)
            worst = std::max(worst, segment.worst_error);
        return worst;
    };
    const double usual = worst_error();
    StoredMeasurement& lone = curve.points[9];
    lone.measurement.value_s = 8e-3;
    CHECK(worst_error() > usual + 0.2);
    lone.merge->runs = 1;
    set(lone.measurement.flags, Flag::one_run);
    CHECK(worst_error() > usual + 0.2); // nothing is wrong with it
    set(lone.measurement.flags, Flag::disturbed);
    CHECK(worst_error() < usual + 0.01);
    const Figure figure = suite_figure("f", curve, curve_model(curve));
    const auto shows = [&](const std::string& label) {
        for (const Layer& layer : figure.panels[0].layers)
            if (layer.label == label)
                for (const PlotPoint& point : layer.points)
                    if (point.y == 8e-3)
                        return true;
        return false;
    };
    CHECK_FALSE(shows("value and interval"));
    CHECK(shows("flagged"));
    // Of several launches, too, while most values are undisturbed.
    lone.merge->runs = 5;
    CHECK(dependable_points(curve).size() == curve.points.size() - 1);
    // Alone among such there is no better one.
    for (StoredMeasurement& point : curve.points)
        point.merge->runs = 1;
    CHECK(dependable_points(curve).size() == curve.points.size());
    for (StoredMeasurement& point : curve.points) {
        point.merge->runs = 5;
        set(point.measurement.flags, Flag::disturbed);
    }
    CHECK(dependable_points(curve).size() == curve.points.size());
}

TEST_CASE("a suite without variation has a value and no plot") {
    const Document document = build_document({invented_subject(test::full_plan({}))}, {});
    const Section& single = section(section(document.sections, "Suites").subsections, "MPI_Wtime");
    CHECK(fact(std::get<FactsAndTable>(single.blocks.at(2)).facts, "Time") == "24.00 ns (± 0.24 ns)");
    CHECK(contains(all_text({single}), " | 24.00 ns | ± 0.24 ns | "));
    for (const Block& block : single.blocks)
        CHECK_FALSE(std::holds_alternative<FigureBlock>(block));
}

TEST_CASE("values no axis can show are left out of the plot and counted") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    subject.curves[0].points[3].measurement.value_s = -1e-9;
    subject.curves[0].points[4].measurement.value_s = std::nan("");
    const Document document = build_document({subject}, {});
    CHECK(points_without_time(subject.curves[0]).count == 2);
    for (const Figure& figure : all_figures(document))
        for (const Panel& panel : figure.panels)
            for (const Layer& layer : panel.layers)
                for (const PlotPoint& point : layer.points) {
                    CHECK(std::isfinite(point.y));
                    CHECK((!panel.y.log || point.y > 0));
                    CHECK((!panel.y.log || point.low > 0));
                }
}

TEST_CASE("every figure has a name of its own that is safe as a file name") {
    const Document document = build_document({invented_subject(test::full_plan({}))}, {});
    std::set<std::string> names;
    const std::vector<Figure> figures = all_figures(document);
    CHECK(figures.size() == 43);
    for (const Figure& figure : figures) {
        CHECK(names.insert(figure.id).second);
        CHECK(
            std::all_of(figure.id.begin(), figure.id.end(), [](unsigned char c) { return std::isalnum(c); }));
    }
}

TEST_CASE("several databases are compared, with a baseline as reference") {
    Subject a = invented_subject(test::full_plan({}));
    Subject b = test::of_other_launches(a);
    b.label = "other";
    const Document document = build_document({a, b}, {});
    CHECK(contains(document.cover.answer.text, "other against invented: "));
    const Section& comparison = section(document.sections, "Comparison of databases");
    CHECK(comparison.subsections.front().title == "other against invented");
    CHECK(comparison.subsections.size() == 1 + 26);
    const Document judged = build_document({a, b}, {"", true});
    CHECK(contains(judged.cover.answer.text, "invented against other: "));
}

TEST_CASE("of many databases one table says which lie apart, and one sentence how many") {
    Subject reference = invented_subject(test::full_plan({}));
    for (Curve& curve : reference.curves) {
        const SuiteLaunch first = curve.launches.begin()->second;
        for (int i = 0; i < 6; ++i)
            for (auto& [argument, value_s] : (curve.launches[fmt::format("launch {}", i)] = first).values)
                value_s *= 1 + 0.001 * i;
    }
    std::vector<Subject> all{reference};
    for (int i = 1; i < 5; ++i) {
        Subject& other = all.emplace_back(test::of_other_launches(reference));
        other.label = fmt::format("host {}", i);
        for (Curve& curve : other.curves)
            for (auto& [uuid, launch] : curve.launches)
                for (auto& [argument, value_s] : launch.values)
                    value_s *= i == 3 ? 2 : 1;
    }
    const Document document = build_document(all, {});
    REQUIRE(document.cover.winners.size() == 1);
    const Table& table = document.cover.winners[0];
    REQUIRE(table.rows.size() == 4);
    CHECK(table.rows[0][0] == "host 3");
    CHECK(table.header.size() == 5);
    CHECK(contains(document.cover.answer.text, "1 of 4 differ"));
}

TEST_CASE("the first table of contents has a line for every heading") {
    const Document document = build_document({invented_subject(test::full_plan({}))}, {});
    const std::string contents = latex_contents(document);
    std::size_t headings = 0;
    for (const Section& part : document.sections)
        headings += 1 + part.subsections.size();
    CHECK(static_cast<std::size_t>(std::count(contents.begin(), contents.end(), '\n')) == headings);
}

TEST_CASE("JSON carries the numbers, and nothing that is no number") {
    Subject subject = invented_subject(test::full_plan({}));
    subject.curves[0].points[2].measurement.value_s = std::nan("");
    subject.curves[0].stored.suite.name = "invalid \xff bytes";
    const nlohmann::json report = nlohmann::json::parse(json_report({subject, subject}, false));
    CHECK(report["format"] == "skampi-report");
    const nlohmann::json& suite = report["subjects"][0]["suites"][0];
    CHECK(suite["name"] == "invalid \xEF\xBF\xBD bytes");
    CHECK(suite["points"][0]["value_s"].get<double>() == close_to(0.8e-6));
    CHECK(suite["points"][2]["value_s"].is_null());
    CHECK(suite["cost_model"]["segments"].size() == 2);
    CHECK(suite["cost_model"]["jumps"][0]["after"] == 8192);
    CHECK(report["subjects"][0]["trust"]["points"] == 622);
    CHECK(report["comparisons"][0]["suites"][1]["verdict"] == "open");
}

TEST_CASE("JSON has no ratio where no argument of a size could be compared") {
    const Subject subject = invented_subject(test::full_plan({}));
    Subject other = test::of_other_launches(subject);
    for (Curve& curve : other.curves)
        for (auto& [uuid, launch] : curve.launches) // long messages have values, but no launch's own
            while (!launch.values.empty() && std::prev(launch.values.end())->first > 65536)
                launch.values.erase(std::prev(launch.values.end())->first);
    const nlohmann::json report = nlohmann::json::parse(json_report({subject, other}, false));
    std::set<std::string> sizes;
    for (const nlohmann::json& statement : report["comparisons"][0]["suites"][0]["statements"])
        if (statement["place"] == "size")
            sizes.insert(statement["size"]);
    CHECK(sizes == std::set<std::string>{"small", "medium"});
}

TEST_CASE("the ASCII form has the header, a block per suite and times in microseconds") {
    Subject subject = invented_subject(test::full_plan({}));
    subject.run->node = "line one\n@MACHINE forged\n/*@inp2p_forged.ski*/";
    const std::string text = ascii_report(subject);
    CHECK(text.rfind("@MACHINE Cluster of Invented Machines\n@NODE line one\n @MACHINE forged\n", 0) == 0);
    for (const char* const part :
         {"\n/*@inp2p_MPI_Send-MPI_Recv.ski*/\n", "\n/*@inmw_MPI_Waitsome.ski*/\n",
          "\n/*@incol_MPI_Bcast.ski*/\n", "\n/*@insimple_MPI_Wtime.ski*/\n",
          "\n0 0.800000 0.000000 20 0.800000 0.008000 10\n", "\n/*@no*/\nskampi finished.\n",
          "@ABSOLUTE no\n", "@OSNAME Linux\n@OSRELEASE 6.1.0\n"})
        CHECK_MESSAGE(contains(text, part), part);
    CHECK_FALSE(contains(text, "\n/*@inp2p_forged"));
    subject.run->kind = "merged";
    subject.run->merged_runs = 3;
    CHECK(contains(ascii_report(subject), "@POSTPROC 3 times\n"));
    CHECK(contains(ascii_report(subject), "skampi finished-postprocessed.\n"));
}

TEST_CASE("a merged row of the ASCII form is the merged value, first with the error between launches") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (StoredMeasurement& point : points) {
        point.merge.emplace().runs = 3;
        point.merge->between_runs_error_s = 0.02 * point.measurement.value_s;
        point.measurement.summary.mean_all *= 4; // one of the launches ran in a slow state
    }
    points[1].merge->runs = 1;
    const std::vector<StoredMeasurement> read = read_back(ascii_report(subject));
    REQUIRE(read.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double value_s = points[i].measurement.value_s;
        CHECK(read[i].measurement.value_s == close_to(value_s).epsilon(1e-3));
        CHECK(read[i].measurement.summary.mean_all == close_to(value_s).epsilon(1e-3));
        CHECK(read[i].measurement.standard_error_s == close_to(0.01 * value_s).epsilon(1e-2));
        if (i != 1) // of one launch nobody knows
            CHECK(read[i].measurement.summary.standard_error_all == close_to(0.02 * value_s).epsilon(1e-2));
    }
    CHECK(std::isnan(read[1].measurement.summary.standard_error_all));
}

TEST_CASE("what was unknown of a suite's settings stays so in the ASCII form") {
    Subject subject = subject_of_bcast();
    Suite& suite = subject.curves[0].stored.suite;
    forget_settings(suite);
    const Suite unknown = suite_read_back(ascii_report(subject));
    CHECK_FALSE(knows(unknown, "buffers"));
    CHECK_FALSE(knows(unknown, "scale"));
    for (const char* const name :
         {"Buffers", "Start of the ranks", "Value", "Max. allowed standard error", "x axis scale"}) {
        CAPTURE(name);
        CHECK(fact_of_setup(subject, name) == "unknown");
    }
}

TEST_CASE("headlines of two quantities have no ratio, not even one that is made of several points") {
    Subject farthest = invented_subject({test::full_plan({}).front()});
    Subject nearest = test::of_other_launches(farthest);
    nearest.label = "nearest";
    set_partner(nearest.curves[0].stored.suite, {PartnerChoice::Rule::nearest, 0});
    for (const bool same : {true, false}) {
        if (same)
            nearest.curves[0].stored.suite.partner = farthest.curves[0].suite().partner;
        else
            set_partner(nearest.curves[0].stored.suite, {PartnerChoice::Rule::rank, 1});
        const Document document = build_document({farthest, nearest}, {});
        REQUIRE(document.cover.headlines.rows.size() == 4);
        for (const auto& row : document.cover.headlines.rows)
            CHECK((row.at(3) == "-") != same);
    }
}

TEST_CASE("each row of the ASCII form has the columns that its suite's titles name") {
    Subject subject = invented_subject({test::full_plan({}).at(14)}); // MPI_Bcast
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i % 3 > 0) // by turns a merged value of a launch without node times, one of rank 1 alone, and all
            points[i].measurement.node_times = {{1, 5e-6, 0}};
    points[2].measurement.node_times = {{0, 3e-6, 0}, {1, 4e-6, 0}};
    points[4].measurement.summary = skalib::Summary::unknown(); // nor quartiles and means
    const std::string text = ascii_report(subject);
    CHECK(contains(text,
                   "\n# arg time stderr count time stderr count node0 node1, microseconds; first of all "
                   "single measurements, then after the cut\n"));
    std::istringstream lines(text);
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] < '0' || line[0] > '9')
            continue;
        ++rows;
        CHECK_MESSAGE(std::ranges::count(line, ' ') == 8, line);
    }
    CHECK(rows == points.size());
    // What is read again has the ranks' times with their ranks.
    const std::vector<StoredMeasurement> read = read_back(text);
    REQUIRE(read.size() == points.size());
    CHECK(read[0].measurement.node_times.empty());
    REQUIRE(read[1].measurement.node_times.size() == 1);
    CHECK(read[1].measurement.node_times[0].rank == 1);
    CHECK(read[1].measurement.node_times[0].value_s == close_to(5e-6));
    CHECK(read[2].measurement.node_times.size() == 2);
}

TEST_CASE("the ASCII form of thousands of ranks has columns for what stands for them, and says so") {
    Subject subject = invented_subject({test::full_plan({}).at(14)});
    for (StoredMeasurement& point : subject.curves[0].points) {
        point.measurement.ranks = 10'000;
        point.measurement.node_times = {{0, 3e-6, 0}, {17, 2e-6, 0}, {5000, 4e-6, 0}, {9999, 9e-6, 0}};
    }
    const std::string text = ascii_report(subject);
    CHECK(contains(text, " count node0 fastest median slowest, microseconds; "));
    CHECK(contains(text, "\n# Node times: of 10000 nodes"));
    CHECK(contains(text, " 3.000000 2.000000 4.000000 9.000000\n"));
    const std::vector<StoredMeasurement> read = read_back(text);
    REQUIRE(read.size() == subject.curves[0].points.size());
    REQUIRE(read[0].measurement.node_times.size() == 1); // the others are no rank's
    CHECK(read[0].measurement.node_times[0].value_s == close_to(3e-6));
}

TEST_CASE("the ASCII form has a column for each rank that took part, whatever its number") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    for (StoredMeasurement& point : subject.curves[0].points)
        point.measurement.node_times = {{0, 3e-6, 0}, {300, 2e-6, 0}};
    const std::string text = ascii_report(subject);
    CHECK(contains(text, " count node0 node300, microseconds; "));
    CHECK(contains(text, " 3.000000 2.000000\n"));
    const std::vector<StoredMeasurement> read = read_back(text);
    REQUIRE(read.front().measurement.node_times.size() == 2);
    CHECK(read.front().measurement.node_times[1].rank == 300);
}

TEST_CASE("the ASCII form says how the run ended") {
    Golden golden("ascii_end");
    Subject subject = invented_subject(test::full_plan({}));
    const auto add_end = [&](const char* what) {
        const std::string text = ascii_report(subject);
        golden.add(what, text.substr(text.rfind("/*@no*/")));
    };
    add_end("finished");
    subject.ended = false;
    add_end("interrupted after the last suite");
    subject.ended = true;
    subject.curves[3].stored.state = subject.curves[4].stored.state = SuiteState::open;
    add_end("two suites open");
    subject.run->kind = "merged";
    CHECK_FALSE(contains(ascii_report(subject), "finished"));
    subject.run->kind = "raw";
    subject.curves[3].stored.state = SuiteState::failed;
    subject.curves[4].stored.state = SuiteState::put_off;
    add_end("a suite failed, and one put off");
    subject.ended = false;
    add_end("a suite failed, and one put off; interrupted");
    subject.ended = true;
    for (Curve& curve : subject.curves)
        curve.stored.state = SuiteState::failed;
    add_end("all suites failed");
    golden.check();
}

TEST_CASE("ratios of headlines are those that the comparison judges, and say of which state they are") {
    std::vector<test::InventedSuite> plan;
    for (const test::InventedSuite& each : test::full_plan({}))
        if (each.suite.name == "MPI_Send-MPI_Recv" || each.suite.name == "MPI_Barrier")
            plan.push_back(each);
    const Subject a = invented_subject(plan);
    Subject b = test::of_other_launches(a);
    b.label = "other";
    Curve& barrier = b.curves.back();
    REQUIRE(barrier.suite().operation.name == "MPI_Barrier");
    const auto ratio = [&](const Subject& first) {
        const Table table = build_document({first, b}, {}).cover.headlines;
        for (const auto& row : table.rows)
            if (row[0].starts_with("MPI_Barrier"))
                return row.at(3);
        return std::string("(missing)");
    };
    CHECK(ratio(a) == "1.00");
    // The probes say that the other is of another state, in which all takes a third.
    Subject probed = a;
    StoredMeasurement& own = probed.curves.back().points.back();
    StoredMeasurement& point = barrier.points.back();
    own.measurement.probe_s = 3e-6;
    point.measurement.probe_s = 1e-6;
    point.measurement.value_s /= 3;
    for (auto& [uuid, launch] : barrier.launches)
        for (auto& [argument, value] : launch.values)
            value /= 3;
    CHECK(ratio(probed) == "0.333, of two states");
}

TEST_CASE("an index shows the peak with its place, and the doubts about it and about the run") {
    Subject subject = invented_subject(test::full_plan({}));
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (std::size_t i = points.size() / 2; i < points.size(); ++i)
        points[i].measurement.value_s = std::nan("");
    subject.ended = false;
    const std::vector<Headline> found = headlines(subject);
    const Headline& peak = found.at(2);
    const SiteRow row = site_row(subject);
    CHECK(row.bandwidth == headline_value_at(peak));
    CHECK(contains(row.bandwidth, "B/s at "));
    CHECK_FALSE(row.bandwidth_doubts.empty());
    CHECK(row.bandwidth_doubts == headline_doubt(peak));
    CHECK(row.doubts == doubts_text({{DoubtKind::interrupted}}));
    CHECK(contains(index_page("site", {row}, {}), "(" + row.doubts + ")</span></td>"));
    SiteRow tuning = row;
    tuning.label = "tune.db";
    tuning.tunes = true;
    const std::string page = index_page("site", {row, tuning}, {});
    CHECK(contains(page, "1 result<"));
    CHECK(page.find("tune.db") > page.find("</tbody>"));
    CHECK_FALSE(contains(results_script({row, tuning}), "tune.db"));
}

TEST_CASE("a site says against its values what a report says") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Measurement& latency = subject.curves[0].points[1].measurement; // of 1 byte, which an index shows
    REQUIRE(latency.argument == 1);
    set(latency.flags, Flag::timed_out);
    set(latency.flags, Flag::disturbed);
    latency.modes = {{.mode = 0, .value_s = latency.value_s}, {.mode = 1, .value_s = 20.82e-3}};
    const SiteRow row = site_row(subject);
    CHECK(contains(row.latency, " to 10 ms")); // in another state of the machine
    CHECK(contains(index_page("site", {row}, {}),
                   row.latency + " <span class=\"doubts\">(" + row.latency_doubts + ")</span></td>"));
    CHECK(row.bandwidth_doubts.empty());
    latency.probe_s = 300e-9;
    latency.modes[1].probe_s = 5e-3; // a rank had no core
    CHECK(site_row(subject).latency == headline_value(headlines(subject).at(1)));
    CHECK_FALSE(contains(site_row(subject).latency, " to "));
    latency.probe_s = 5e-3;
    subject.curves[0].points[2].measurement.probe_s = 300e-9;
    leave_out_lost_cores(subject); // what a site and a history keep
    CHECK(subject.curves[0].points[1].measurement.argument > 1);
}

TEST_CASE("the answer and the line of a suite present no disturbed value as a finding") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    set(curve.points.front().measurement.flags, Flag::disturbed);
    set(curve.points[1].measurement.flags, Flag::disturbed);
    CHECK_FALSE(contains(descriptive_answer(subject).text, "latency"));
    CHECK(contains(descriptive_answer(subject).text, "B/s"));
    CHECK(contains(ends_text(curve), "?"));
    Measurement waited;
    waited.summary.count = 20;
    waited.value_s = 12.2e-3;
    waited.modes = {{.mode = 0, .value_s = 50e-6}, {.mode = 1, .value_s = waited.value_s}};
    CHECK(value_in_table(curve, waited).ends_with("?"));
    waited.value_s = 50e-6;
    CHECK_FALSE(value_in_table(curve, waited).ends_with("?"));
    const auto jump = [&] {
        const CostModel model = curve_model(curve);
        return model.jumps.empty() ? std::int64_t{0} : model.jumps.front().after;
    };
    const std::int64_t after = jump();
    REQUIRE(after > 0);
    for (StoredMeasurement& point : curve.points) // of so many the others are too few for a model
        if (point.measurement.argument >= after)
            set(point.measurement.flags, Flag::disturbed);
    CHECK(jump() != after);
}

TEST_CASE("ranks that share the cores of a host are not added up over two databases") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    subject.run->rank_facts.clear();
    for (int number = 0; number < 4; ++number) {
        RankFacts facts;
        facts.rank = number;
        facts.processor = "a";
        facts.cpus_allowed = "0-1";
        subject.run->rank_facts.push_back(facts);
    }
    subject.run->host_sizes.hardware_threads = 2;
    Subject other = test::of_other_launches(subject);
    other.label = "other";
    CHECK(contains(gravest_doubt_about({&subject, &other}), "4 ranks share 2 cores"));
    // Of unlike ones the worse one is said, with its name.
    other.run->rank_facts.resize(3);
    CHECK(contains(gravest_doubt_about({&subject, &other}), "In other: 3 ranks") !=
          contains(gravest_doubt_about({&subject, &other}), ": 4 ranks"));
}

TEST_CASE("a suite goes by one name on a page, its title") {
    std::vector<Subject> subjects{invented_subject(test::full_plan({}))};
    subjects.push_back(test::of_other_launches(subjects[0]));
    subjects[1].label = "other";
    const Content content = parse_content(
        "f", "[suites]\nMPI_Send-MPI_Recv -> Latency and bandwidth\nMPI_Scan -> Everybody to all\n");
    arrange_suites(content, subjects);
    // So that the verdict names them, and one is on another number of ranks.
    for (Curve& curve : subjects[1].curves)
        for (StoredMeasurement& point : curve.points)
            point.measurement.value_s *= 3;
    for (StoredMeasurement& point : subjects[1].curves[1].points)
        point.measurement.ranks = 4;
    for (Subject& subject : subjects) // launches enough
        for (Curve& curve : subject.curves) {
            curve.launches.clear();
            for (int launch = 0; launch < 6; ++launch)
                for (const StoredMeasurement& point : curve.points)
                    curve.launches[subject.label + std::to_string(launch)]
                        .values[point.measurement.argument] =
                        point.measurement.value_s * (1 + 0.001 * launch);
        }
    const Document page = build_document(subjects, {"", false, false, content});
    const Document brief = build_document(subjects, {"", false, false, content}, Room::pages);
    CHECK(contains(page.cover.answer.text, "Latency and bandwidth"));
    std::string text = page.cover.answer.text + brief.cover.answer.text + all_text(brief.sections);
    for (const Section& each : page.sections)
        if (each.title != "Parameter file and run facts")
            text += all_text({each});
    for (const Document* document : {&page, &brief})
        for (const Figure& figure : all_figures(*document))
            text += figure.description;
    CHECK(contains(text, "Everybody to all"));
    // What is called by what was called stays with the suite: the operation.
    for (const char* name :
         {"MPI_Scan:", "MPI_Scan |", "of MPI_Scan.", "MPI_Send-MPI_Recv |", "of MPI_Send-MPI_Recv."})
        CHECK_MESSAGE(!contains(text, name), name);
}

TEST_CASE("simulated launches are nowhere said to differ, and their library has a short name") {
    Subject subject = invented_subject(test::full_plan({}));
    const std::string platform = "one-switch.xml: n0-63, 1.25GBps, 2us";
    subject.run->facts[fact_simulation] = platform;
    subject.run->machine.clear();
    subject.run->settings = {{"smpi/barrier", "ompi_bruck"}, {"smpi/coll-selector", "mpich"}};
    subject.run->mpi_library = "SMPI 3.32. Copyright The SimGrid Team 2007-2022";
    CHECK(library_name(*subject.run) == "SMPI 3.32");
    const Document document = build_document({subject}, {});
    CHECK(document.cover.answer.text.starts_with("SMPI 3.32, "));
    const auto fact = [&](std::string_view name) {
        const auto found = std::ranges::find(document.cover.system.facts, name, &Fact::name);
        return found == document.cover.system.facts.end() ? std::string() : found->value;
    };
    CHECK(document.cover.subtitle == "simulated " + platform);
    CHECK(fact("Simulated") == platform);
    CHECK(fact("Options of SimGrid") == "coll-selector mpich, barrier ompi_bruck");
    CHECK_FALSE(contains(all_text(document.sections), "launches differ"));
}

TEST_CASE("HTML escapes whatever names and texts contain") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    const std::string nasty = "<script>alert(1)</script>\"'&";
    subject.curves[0].stored.suite.name = nasty;
    subject.curves[0].stored.suite.operation.title = nasty;
    subject.curves[0].stored.facts = {{nasty, nasty}};
    subject.run->machine = subject.run->node = subject.run->parameter_text = nasty;
    subject.run->facts[nasty] = nasty;
    subject.events.push_back({nasty, nasty, nasty, nasty});
    subject.label = nasty;
    const std::string page = html_page(build_document({subject, subject}, {nasty, false}));
    // The only one is ours, which no policy but that of its hash lets act.
    const std::size_t first = page.find("<script");
    CHECK(first == page.rfind("<script"));
    CHECK(page.substr(first).starts_with("<script>\"use strict\";"));
    CHECK(contains(page, "content=\"default-src 'none'; script-src 'sha256-"));
    CHECK_FALSE(contains(page, "unsafe-inline"));
    CHECK(contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    CHECK_FALSE(contains(page, "http://"));
    CHECK_FALSE(contains(page, "https://"));
}

TEST_CASE("in LaTeX no text can start a command, a comment or mathematics") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    const std::string nasty = "\\input{/etc/passwd} %$ }}\\end{document}";
    subject.curves[0].stored.suite.name = nasty;
    subject.run->machine = subject.run->node = subject.run->parameter_text = nasty;
    subject.run->facts[nasty] = nasty;
    const std::string text = latex_document(build_document({subject}, {nasty, false}), "figures");
    CHECK_FALSE(contains(text, "\\input{/etc"));
    std::size_t ends = 0;
    for (std::size_t at = text.find("\\end{document}"); at != std::string::npos;
         at = text.find("\\end{document}", at + 1))
        ++ends;
    CHECK(ends == 1);
}

TEST_CASE("suites of one block are curves of one plot, and over the ranks at chosen lengths") {
    const test::InventedSuite block = test::full_plan({}).front();
    std::vector<test::InventedSuite> plan;
    for (const int ranks : {2, 4, 8}) {
        test::InventedSuite suite = block;
        suite.suite.family = "block";
        suite.suite.name = "block (Nodes = " + std::to_string(ranks) + ")";
        suite.suite.ranks = ranks;
        plan.push_back(suite);
    }
    Subject subject = invented_subject(plan);
    for (std::size_t i = 0; i < 3; ++i)
        for (StoredMeasurement& point : subject.curves[i].points)
            point.measurement.ranks = 2 << i;
    const Document document = build_document({subject}, {});
    const Section& family =
        section(section(document.sections, "Suites").subsections, "block: 3 curves in one plot");
    std::vector<const Figure*> figures;
    for (const Block& each : family.blocks)
        if (const auto* figure = std::get_if<FigureBlock>(&each))
            figures.push_back(&figure->figure);
    REQUIRE(figures.size() == 2);
    REQUIRE(figures[0]->panels[0].layers.size() == 3);
    CHECK(figures[0]->panels[0].layers[1].label == "Nodes = 4");
    for (const Layer& length : figures[1]->panels[0].layers) {
        REQUIRE(length.points.size() == 3);
        CHECK(length.points[0].x == 2);
        CHECK(length.points[2].x == 8);
    }
    // One of them alone is none.
    subject.curves.resize(1);
    CHECK(families(subject, Pattern::ping_pong).empty());
}

TEST_CASE("databases of jobs with different numbers of ranks are curves of one plot") {
    Subject small = invented_subject(test::full_plan({}));
    Subject large = small;
    small.label = "small";
    large.label = "large";
    small.run->ranks = 8;
    for (Curve& curve : small.curves)
        for (StoredMeasurement& point : curve.points)
            point.measurement.ranks = point.measurement.ranks == 16 ? 8 : point.measurement.ranks;
    const std::vector<Family> found = families_of_ranks({&large, &small});
    REQUIRE_FALSE(found.empty());
    for (const Family& family : found) {
        REQUIRE(family.members.size() == 2);
        CHECK(family.members[0].label == "8 ranks");
        CHECK(family.members[1].label == "16 ranks");
    }
    CHECK(families_of_ranks({&large, &large}).empty());
    // So are suites of runs of one size in which other numbers of ranks took part.
    small.run->ranks = large.run->ranks;
    CHECK(families_of_ranks({&large, &small}).size() == found.size());
    const Document of_one_size = build_document({large, small}, {});
    CHECK(of_one_size.sections.end() !=
          std::ranges::find(of_one_size.sections, "Different numbers of ranks", &Section::title));
    // A point of another number of ranks is in no curve of these.
    const Curve& large_one = *found[0].members[1].curve;
    Curve& mixed = *std::ranges::find(large.curves, large_one.suite().name,
                                      [](const Curve& each) { return each.suite().name; });
    mixed.points[2].measurement.ranks = 8;
    const std::vector<Family> cleaned = families_of_ranks({&large, &small});
    CHECK(cleaned[0].members[1].label == "16 ranks");
    CHECK(cleaned[0].members[1].left_out == 1);
    CHECK(cleaned[0].members[1].curve->points.size() == mixed.points.size() - 1);
    FigureNames names;
    const Section shown = family_section(cleaned[0], names);
    CHECK(std::get<Paragraph>(shown.blocks.at(1)).text.starts_with("1 point "));
}

TEST_CASE("jobs of other sizes in one file are no rivals, other groups of it are") {
    const Subject large = invented_subject(test::full_plan({}));
    Subject small = invented_subject(test::full_plan({}, 8));
    small.run->ranks = 8;
    small.label = "ranks = 8";
    for (Curve& curve : small.curves)
        for (StoredMeasurement& point : curve.points)
            point.measurement.ranks = point.measurement.ranks == 16 ? 8 : point.measurement.ranks;
    const Document sizes = build_document({large, small}, {});
    CHECK(sizes.cover.title == "MPI performance report");
    const Subject study = over_ranks({&small, &large});
    CHECK(sizes.cover.answer == study_answer({&small, &large}, scalings(study)));
    CHECK(sizes.cover.winners.empty());
    const std::vector<std::string> chapters = titles(sizes.sections);
    CHECK(std::ranges::count(chapters, "Different numbers of ranks") == 1);
    CHECK(std::ranges::count(chapters, "Comparison of databases") == 0);
    CHECK(nlohmann::json::parse(json_report({large, small}, false))["comparisons"].empty());
    const std::vector<std::string> brief = titles(build_document({large, small}, {}, Room::pages).sections);
    CHECK(std::ranges::count(brief, "Different numbers of ranks") == 1);

    Subject other = large;
    other.label = "library = Open MPI";
    other.run->mpi_library = "Open MPI";
    const Document libraries = build_document({large, other}, {});
    CHECK(libraries.cover.title == "MPI performance comparison");
    CHECK(nlohmann::json::parse(json_report({large, other}, false))["comparisons"].size() == 1);

    small.path = "another.db"; // whoever names two files wants them compared
    CHECK(build_document({large, small}, {}).cover.title == "MPI performance comparison");
}

TEST_CASE("an unreliable value that its error or the overhead does not tell from zero is no result") {
    Measurement measurement;
    measurement.summary.count = 20;
    measurement.value_s = 1e-12;
    measurement.overhead_s = 1e-9;
    CHECK(above_zero(measurement));
    set(measurement.flags, Flag::unreliable);
    CHECK_FALSE(above_zero(measurement));
    CHECK(value_text(measurement) == format_measured(0));
    measurement.value_s = 1e-10;
    CHECK(value_text(measurement) == "0.1000 ns");
    measurement.overhead_error_s = 0.6e-10;
    CHECK_FALSE(above_zero(measurement));
    measurement.value_s = std::nan("");
    CHECK(value_text(measurement) == "no value");
}

TEST_CASE("library and compiler are called by names, and what is not MPI's is not called so") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    CHECK(library_name(*subject.run) == "MPICH 4.0.2");
    Run run;
    run.mpi_library = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4";
    run.facts["compiler"] = "12.2.0";
    CHECK(library_name(run) == "Open MPI v4.1.4");
    run.mpi_library = "SMPI Version 3.32.";
    CHECK(library_name(run) == "SMPI 3.32");
    CHECK(compiler_name(run) == "GCC 12.2.0");
    run.facts["compiler"] = "Clang 14.0.6";
    CHECK(compiler_name(run) == "Clang 14.0.6");
    run.started_utc = "2026-11-21T10:00:00Z";
    run.ended_utc = "2026-11-21T10:05:00Z";
    CHECK(time_of_run(run) == "2026-11-21 10:00:00 to 10:05:00 UTC");

    CHECK(build_document({subject}, {}).cover.title == "MPI performance report");
    Subject local = invented_subject({test::full_plan({}).front()});
    local.run->mpi_library.clear();
    local.curves[0].stored.suite.operation.pattern = Pattern::simple;
    local.curves[0].stored.suite.operation.name = "sort";
    CHECK(build_document({local}, {}).cover.title == "Performance report");
    local.run->mpi_library = library_without_mpi;
    const Cover cover = build_document({local}, {}).cover;
    CHECK(cover.title == "Performance report");
    CHECK_FALSE(contains(cover.answer.text, "ranks"));
}

TEST_CASE("the first page of a comparison says who is faster where") {
    Subject a = invented_subject({test::full_plan({}).front()});
    Subject b = test::of_other_launches(a);
    b.label = "other";
    for (StoredMeasurement& point : b.curves[0].points)
        if (point.measurement.argument > 64 * 1024)
            point.measurement.value_s *= 2;
    for (auto& [uuid, launch] : b.curves[0].launches)
        for (auto& [argument, value] : launch.values)
            value *= argument > 64 * 1024 ? 2 : 1;
    const Cover cover = build_document({a, b}, {}).cover;
    CHECK(cover.title == "MPI performance comparison");
    CHECK(cover.subtitle == "other against invented");
    REQUIRE(cover.winners.size() == 1);
    REQUIRE(cover.winners[0].rows.size() == 1);
    CHECK(cover.winners[0].rows[0][4].starts_with("open")); // one launch decides nothing
    CHECK(cover.headlines.header.size() == 4);
    REQUIRE(cover.overview);
    // One ratio, on an axis on which noise stays small and 1 is in the middle.
    const Panel& ratio = cover.overview->figure.panels[0];
    CHECK(std::ranges::count(ratio.layers, LayerStyle::line, &Layer::style) == 1);
    CHECK(ratio.y.quantity == AxisQuantity::ratio);
    CHECK(ratio.y.log);
    CHECK(ratio.y.low * ratio.y.high == close_to(1.0));
    CHECK(ratio.y.high > 2);
    b.curves[0] = a.curves[0];
    for (StoredMeasurement& point : b.curves[0].points)
        point.measurement.value_s *= 1.01;
    CHECK(build_document({a, b}, {}).cover.overview->figure.panels[0].y.high > 1.2);
}

TEST_CASE("each room shows what it has room for, and where to go on") {
    const Subject subject = invented_subject(test::full_plan({}));
    const auto made = [&](Room room) { return build_document({subject}, {}, room); };
    const Document screen = made(Room::screen);
    CHECK(std::get<Table>(screen.sections[0].blocks.at(0)).rows.size() == subject.curves.size());
    CHECK(screen.sections[0].subsections.empty());
    CHECK(all_figures(screen).empty());
    CHECK(screen.cover.system.facts.size() == 1); // who measured where
    CHECK(screen.cover.trust.facts.empty());
    CHECK(screen.cover.headlines.rows == made(Room::everything).cover.headlines.rows);

    const Document pages = made(Room::pages);
    CHECK(pages.brief);
    const Section& suites = section(pages.sections, "Suites");
    CHECK(suites.as_cards); // they are many: small plots
    CHECK(suites.subsections.size() == 26);
    for (const Section& part : suites.subsections) {
        REQUIRE(part.blocks.size() == 2); // the answer and the plot
        CHECK(std::get<FigureBlock>(part.blocks[1]).figure.panels.size() == 1);
    }
    CHECK(section(pages.sections, "Operations compared").subsections.empty());

    const Document detail = made(Room::suites);
    CHECK(std::get<Table>(section(detail.sections, "Suites").subsections[0].blocks.at(4)).rows.size() == 24);
    CHECK_FALSE(section(detail.sections, "Suites").as_cards);
    for (const Document* const shorter : {&screen, &pages})
        CHECK(contains(all_text(shorter->sections), "-o report.html"));
    const Document everything = made(Room::everything);
    CHECK_FALSE(contains(all_text(everything.sections), "-o report.html"));
    CHECK(std::get<Table>(section(everything.sections, "Suites").subsections[0].blocks.at(4)).rows.size() ==
          27);
}

TEST_CASE("a short comparison shows what decides, and of one side nothing") {
    const Subject subject = invented_subject(test::full_plan({}));
    Subject other = test::of_other_launches(subject);
    other.label = "other";
    const Table winners = build_document({subject, other}, {}, Room::screen).cover.winners.at(0);
    CHECK(winners.rows.size() <= 16); // of 30 suites
    CHECK(winners.header.back() != "faster");
    for (const TintedCell& cell : winners.tints)
        CHECK((cell.row < winners.rows.size() && cell.column < winners.header.size()));
}

TEST_CASE("one screen names what it leaves out of a file, and pages have each chapter that is asked for") {
    Subject of_several = invented_subject(test::full_plan({}));
    of_several.strangers = 2;
    of_several.strangers_differ = "the library differs";
    of_several.suites_left_out = 1;
    CHECK(build_document({of_several}, {}, Room::screen).cover.system.facts.size() == 3);
    DocumentOptions facts;
    facts.content.chapters = {"facts"};
    CHECK(build_document({of_several}, facts, Room::pages).sections.size() == 1);
    CHECK(titles(build_document({of_several}, facts, Room::screen).sections) == std::vector<std::string>{""});
}

TEST_CASE("a table of some values has powers of two, the ends, and both sides of jumps") {
    const Subject subject = invented_subject({test::full_plan({}).front()});
    const Curve& curve = subject.curves[0];
    const CostModel model = curve_model(curve);
    REQUIRE(model.jumps.size() == 1);
    const Table all = values_table(curve, model.jumps);
    REQUIRE(all.by_importance.size() == curve.points.size());
    std::set<std::int64_t> at; // of the most important
    for (const std::size_t row : std::span(all.by_importance).first(17))
        at.insert(curve.points[row].measurement.argument);
    CHECK(at.size() == 17);
    for (const std::int64_t argument : {curve.points.front().measurement.argument, model.jumps[0].after,
                                        model.jumps[0].before, curve.points.back().measurement.argument})
        CHECK_MESSAGE(at.contains(argument), argument);
    at.erase(model.jumps[0].before);
    for (const std::int64_t argument : at)
        CHECK_MESSAGE((argument & (argument - 1)) == 0, argument);
}

TEST_CASE("small plots draw nothing across a jump, and points that no line reaches as points") {
    const Subject subject = invented_subject({test::full_plan({}).front()});
    const CostModel model = curve_model(subject.curves[0]);
    REQUIRE(model.jumps.size() == 1);
    const Cover cover = build_document({subject}, {}).cover;
    REQUIRE(cover.overview);
    const Panel& panel = cover.overview->figure.panels.at(0);
    REQUIRE(panel.layers.size() == 2);
    for (const PlotPoint& point : panel.layers[0].points) {
        const bool behind_jump = point.x == static_cast<double>(model.jumps[0].before);
        const bool behind_zero = point.x == 1;
        CHECK_MESSAGE(point.gap_before == (behind_jump || behind_zero), point.x);
    }
    CHECK(panel.layers[1].style == LayerStyle::large_points);
    REQUIRE(panel.layers[1].points.size() == 1);
    CHECK(panel.layers[1].points[0].x == panel.x.zero_at.value());
}

TEST_CASE("curves over one another are broken where they jump, and their ratio where either does") {
    const Curve first = invented_subject({test::full_plan({}).front()}).curves[0];
    test::InventedMachine with_a_later_limit;
    with_a_later_limit.eager_limit = 65536;
    const Curve second = invented_subject({test::full_plan(with_a_later_limit).front()}).curves[0];
    const auto jump_of = [](const Curve& curve) {
        const CostModel model = curve_model(curve);
        REQUIRE(model.jumps.size() == 1);
        return static_cast<double>(model.jumps[0].before);
    };
    REQUIRE(jump_of(first) < jump_of(second));
    const Figure figure = overlay_figure("f", {&first, &second}, {"first", "second"});
    REQUIRE(figure.panels.size() == 2);
    const auto gaps = [](const Layer& layer) {
        std::set<double> found;
        for (const PlotPoint& point : layer.points)
            if (point.gap_before && point.x > 1) // behind 0 there is one, too
                found.insert(point.x);
        return found;
    };
    CHECK(gaps(figure.panels[0].layers.at(0)) == std::set<double>{jump_of(first)});
    CHECK(gaps(figure.panels[0].layers.at(1)) == std::set<double>{jump_of(second)});
    CHECK(gaps(figure.panels[1].layers.at(0)) == std::set<double>{jump_of(first), jump_of(second)});
}

TEST_CASE("curves over ranks that lie far apart have a log axis, and no ratios") {
    const Subject subject = invented_subject(test::full_plan({}));
    const Curve first = *std::ranges::find(subject.curves, "MPI_Barrier", title_of);
    Curve second = first;
    const std::vector<const Curve*> curves{&first, &second};
    CHECK(overlay_figure("f", curves, {"8 B", "1 MiB"}).panels.size() == 2);
    for (StoredMeasurement& point : second.points)
        point.measurement.value_s *= 1000;
    for (auto& [uuid, launch] : second.launches)
        for (auto& [argument, value_s] : launch.values)
            value_s *= 1000;
    const Figure figure = overlay_figure("f", curves, {"8 B", "1 MiB"});
    REQUIRE(figure.panels.size() == 1);
    CHECK(figure.panels[0].y.log);
}

TEST_CASE("over the number of ranks a curve is broken where it jumps") {
    std::vector<StoredMeasurement> points(16);
    RankCurve curve;
    for (int i = 0; i < 16; ++i) {
        Measurement& m = points[static_cast<std::size_t>(i)].measurement;
        m.value_s = 1e-6 * (i + 2) + (i + 2 > 9 ? 20e-6 : 0);
        m.standard_error_s = 1e-9;
        m.summary.count = 10;
        curve.points.push_back({i + 2, &points[static_cast<std::size_t>(i)]});
    }
    const Figure figure = over_ranks_figure("f", {curve});
    for (const PlotPoint& point : figure.panels.at(0).layers.at(0).points)
        CHECK_MESSAGE(point.gap_before == (point.x == 10), point.x);
}

TEST_CASE("the launches behind a curve are not drawn across its jump") {
    Curve curve = invented_subject({test::full_plan({}).front()}).curves[0];
    curve.launches["uuid-2"] = curve.launches["uuid-1"];
    const CostModel model = curve_model(curve);
    const Figure figure = suite_figure("f", curve, model);
    std::size_t faint = 0;
    for (const Layer& layer : figure.panels.at(0).layers) {
        if (layer.style != LayerStyle::faint_line)
            continue;
        ++faint;
        for (const PlotPoint& point : layer.points)
            if (point.x == static_cast<double>(model.jumps.at(0).before))
                CHECK(point.gap_before);
    }
    CHECK(faint == 2);
}

TEST_CASE("other states and flagged values are marked, but for where nearly all values are flagged") {
    Curve curve = invented_subject({test::full_plan({}).front()}).curves[0];
    curve.points[1].measurement.modes = {{0, 0.7, 0.15e-6, 1e-6, 70}, {1, 0.3, 0.63e-6, 3e-6, 30}};
    const auto marks = [&] {
        std::map<std::string, std::size_t> found; // of the points drawn open, by their labels
        for (const Panel& panel : suite_figure("f", curve, curve_model(curve)).panels)
            for (const Layer& layer : panel.layers)
                if (layer.style == LayerStyle::open_points)
                    found[layer.label] += layer.points.size();
        return found;
    };
    set(curve.points[3].measurement.flags, Flag::unsynchronised);
    CHECK(marks() ==
          std::map<std::string, std::size_t>{{"other states of the machine", 1}, {"", 1}, {"flagged", 1}});
    for (StoredMeasurement& point : curve.points)
        set(point.measurement.flags, Flag::unsynchronised);
    CHECK(marks().count("flagged") == 0);
}

TEST_CASE("box plots of single measurements are drawn on request") {
    const Subject subject = invented_subject({test::full_plan({}).front()});
    const auto boxes = [&](bool wanted) {
        std::size_t count = 0;
        for (const Figure& figure : all_figures(build_document({subject}, {"", false, wanted})))
            for (const Panel& panel : figure.panels)
                count += std::ranges::count(panel.layers, LayerStyle::boxes, &Layer::style);
        return count;
    };
    CHECK(boxes(false) == 0);
    CHECK(boxes(true) == 1);
    // What the drawing can't show stands below it in numbers.
    const Section part =
        section(section(build_document({subject}, {"", false, true}).sections, "Suites").subsections,
                "MPI_Send-MPI_Recv");
    const Table* numbers = std::get_if<Table>(&part.blocks.back());
    REQUIRE(numbers);
    CHECK(numbers->rows.size() == 12);
    CHECK(numbers->rows.front()[0] == "0 B");
    CHECK(numbers->rows.back()[0] == "4 MiB");
}

TEST_CASE("bookmarks keep what titles hold") {
    Document document;
    document.cover.title = "A & B";
    document.sections.push_back({"block (Nodes = 2), a_b", {}, {}});
    CHECK(contains(latex_document(document, "figures"), "bookmarks=false")); // none from a file
    const std::string brief = latex_document(document, "figures"); // nothing of a title is a command
    CHECK(contains(brief, "/Title <FEFF0041002000260020"));
    CHECK(contains(brief, "{block \\string\\050Nodes \\string\\075 2\\string\\051, a\\string\\137b}"));
}

TEST_CASE("of hosts that only some of the stored ranks tell there are at least as many") {
    Run run;
    run.ranks = 4096;
    for (int rank = 0; rank < run.ranks; ++rank) {
        RankFacts facts;
        facts.rank = rank;
        facts.processor = "n" + std::to_string(10000 + rank);
        run.rank_facts.push_back(facts);
    }
    CHECK(hosts_of(run) == "n10000, n10001, n10002, n10003 and 4092 more");
    run.rank_facts = bounded_ranks(run.rank_facts);
    REQUIRE(run.rank_facts.size() < 4096);
    const std::string hosts = hosts_of(run);
    CHECK_MESSAGE(hosts.find(" and at least ") != std::string::npos, hosts);
}

TEST_CASE("a peak that lies elsewhere in the other database has its length with each value") {
    Subject a = invented_subject({test::full_plan({}).front()});
    Subject b = a;
    b.label = "other";
    const auto peak_row = [&] {
        const Table headlines = build_document({a, b}, {}).cover.headlines;
        const auto row = std::ranges::find_if(
            headlines.rows, [](const auto& each) { return each[0].starts_with("Ping-pong bandwidth"); });
        REQUIRE(row != headlines.rows.end());
        return *row;
    };
    CHECK(peak_row()[0] == "Ping-pong bandwidth (at 4 MiB, the longest)");
    CHECK_FALSE(contains(peak_row()[1], " at "));
    b.curves[0].points.back().measurement.value_s *= 10; // so that the one before is the best
    const std::vector<std::string> row = peak_row();
    CHECK(row[0] == "Ping-pong bandwidth");
    CHECK(contains(row[1], "GB/s at 4 MiB"));
    CHECK(contains(row[2], "GB/s at 2 MiB"));
}

TEST_CASE("small plots say how many of the suites they are, on paper and in HTML") {
    Document document = build_document({invented_subject(test::full_plan({}))}, {});
    REQUIRE(document.cover.overview);
    FigureBlock& block = *document.cover.overview;
    const std::size_t all = block.suites;
    REQUIRE(all > 8);
    block.figure.panels.resize(8);
    const std::string caption = caption_text(block);
    CHECK(caption.starts_with("The first 8 of " + std::to_string(all) + " "));
    CHECK(caption.ends_with(block.caption));
    CHECK(contains(latex_document(document, "figures"), "The first 8 of "));
    CHECK(contains(html_page(document), "The first 8 of "));
    block.suites = 8;
    CHECK(caption_text(block) != caption);
}

TEST_CASE("names of small plots differ where the suites' names do, and are as long as there is room") {
    Subject subject = invented_subject(std::vector<test::InventedSuite>(24, test::full_plan({}).front()));
    std::set<std::string> names;
    for (std::size_t i = 0; i < subject.curves.size(); ++i)
        subject.curves[i].stored.suite.name =
            "MPI_Reduce_scatter_block-computation (Nodes = " + std::to_string(i) + ")";
    const Document document = build_document({subject}, {});
    for (const Panel& panel : document.cover.overview->figure.panels) {
        CHECK(panel.title.size() <= 24);
        names.insert(panel.title);
    }
    CHECK(names.size() == 24);
}

TEST_CASE(
    "who measured where stands on the first screen, of both sides, and what differs in it where the sides differ") {
    std::vector<Subject> subjects{invented_subject({test::full_plan({}).front()}),
                                  invented_subject({test::full_plan({}).front()})};
    subjects[1].label = "other";
    subjects[0].run->network = "NET2";
    subjects[1].run->network = "NETXYZ";
    for (const Room room : {Room::screen, Room::pages, Room::everything}) {
        const FactList alone = build_document({subjects[0]}, {}, room).cover.system;
        for (const std::string* const part :
             {&subjects[0].run->user, &subjects[0].run->machine, &subjects[0].run->network})
            CHECK(contains(fact(alone, "Described as"), *part));
        const FactList both = build_document(subjects, {}, room).cover.system;
        CHECK(contains(fact(both, "Described as, invented"), "NET2"));
        CHECK(contains(fact(both, "Described as, other"), "NETXYZ"));
    }
    const std::string against = fact(build_document(subjects, {}).cover.system, "Against other");
    CHECK(contains(against, "network"));
    CHECK(contains(against, "\"NETXYZ\""));
    for (Subject& each : subjects)
        for (const auto part : {&Run::user, &Run::machine, &Run::node, &Run::network})
            ((*each.run).*part).clear();
    CHECK(build_document(subjects, {}, Room::screen).cover.system.facts.empty());
}

TEST_CASE("a report on functions without MPI has no words of ranks, messages or nodes") {
    Subject subject;
    subject.label = "sorting";
    subject.path = "sorting.db";
    subject.run = test::invented_run("1");
    Run& run = *subject.run;
    run.mpi_library = library_without_mpi;
    run.machine = run.node = run.network = run.user = run.parameter_text = run.launcher = run.placement = "";
    run.facts.clear();
    run.settings.clear();
    run.differing_facts.clear();
    run.ranks = 1;
    run.rank_facts.resize(1);
    run.rank_facts[0].processor = "laptop";
    run.host = "laptop";
    subject.runs_in_database = 1;
    Subject like = invented_subject({test::full_plan({}).front()});
    Curve curve = like.curves.front();
    Suite& suite = curve.stored.suite;
    suite.name = suite.family = "sorting";
    suite.operation = {.name = "std::sort", .title = "std::sort", .varied = {Varied::message_length}};
    suite.operation.meaning = Meaning::local;
    for (StoredMeasurement& point : curve.points)
        point.measurement.ranks = 1;
    subject.curves.push_back(curve);
    Subject other = test::of_other_launches(subject);
    other.label = "other";
    for (const std::vector<Subject>& subjects : {std::vector{subject}, std::vector{subject, other}}) {
        const Document document = build_document(subjects, {});
        std::string text = plain_text(document, {}, {});
        for (const Figure& figure : all_figures(document))
            for (const Panel& panel : figure.panels)
                text += panel.x.title + panel.y.title;
        std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
        for (const char* const word : {"rank", "message", "node", "mpi "})
            if (const std::size_t at = text.find(word); at != std::string::npos)
                FAIL_CHECK(word, ": ", text.substr(at < 200 ? 0 : at - 200, 300));
    }
}

TEST_CASE("what differs between databases is quoted from its beginning to its end, however long it is") {
    std::vector<Subject> subjects{invented_subject({test::full_plan({}).front()}),
                                  invented_subject({test::full_plan({}).front()})};
    subjects[1].label = "other";
    subjects[1].run->mpi_library = "a library of " + std::string(80, 'x') + " words";
    const std::string against = fact(build_document(subjects, {}).cover.system, "Against other");
    CHECK(contains(against, "MPI library"));
    CHECK(contains(against, " words\""));
    CHECK(std::ranges::count(against, '"') % 2 == 0);
}

TEST_CASE("growth over ranks that fits nothing is no model") {
    Subject subject = invented_subject(test::full_plan({}));
    const auto curve = std::ranges::find(subject.curves, Varied::nodes,
                                         [](const Curve& each) { return each.suite().varied; });
    REQUIRE(curve != subject.curves.end());
    const StoredMeasurement pattern = curve->points.front();
    const auto model_of = [&](const std::vector<double>& times_s) {
        curve->points.clear();
        for (std::size_t i = 0; i < times_s.size(); ++i) {
            StoredMeasurement& point = curve->points.emplace_back(pattern);
            point.measurement.argument = std::int64_t{2} << i;
            point.measurement.value_s = times_s[i];
            for (auto& [uuid, launch] : curve->launches)
                launch.values[point.measurement.argument] = times_s[i];
        }
        return curve_growth(*curve).value();
    };
    CHECK(fits(model_of({10e-6, 20e-6, 30e-6, 40e-6, 50e-6, 60e-6, 70e-6})));
    // Messages of 256 ranks are sent by another algorithm.
    const GrowthModel other = model_of({10e-6, 20e-6, 30e-6, 40e-6, 50e-6, 300e-6, 310e-6});
    CHECK_FALSE(fits(other));
}

TEST_CASE("caches of several kinds stand on the first page uncut") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    const std::string caches = "L1 32 KiB for 1 thread, L2 1 MiB for 1 thread, L3 32 MiB for 2 threads";
    subject.run->facts["caches"] = caches;
    CHECK(fact(build_document({subject}, {}).cover.system, "Caches") == caches);
}

TEST_CASE("labels of the smallest HTML plots are whole") {
    Figure figure;
    figure.id = "f1";
    figure.small = true;
    Panel panel;
    panel.y = value_axis({12.4e9}, AxisQuantity::bandwidth, false, "");
    panel.y.ticks.push_back({12.5e9, "12.5 GB/s"});
    figure.panels.push_back(panel);
    Document document;
    document.cover.overview = FigureBlock{figure, ""};
    CHECK(contains(html_page(document), ">12.5 GB/s</text>"));
}

TEST_CASE("a number of ranks that is not known is said to be so, on its own side") {
    Subject a = invented_subject({test::full_plan({}).front()});
    Subject b = a;
    b.label = "other";
    b.run->ranks = 0;
    const Contest contest = judge_databases(a, b);
    const auto doubt = std::ranges::find(contest.doubts, ContestDoubtKind::ranks_differ, &ContestDoubt::kind);
    REQUIRE(doubt != contest.doubts.end());
    CHECK(doubt->reference == 16);
    CHECK(doubt->subject == 0);
    // And digits of a hash are no difference that anybody can read.
    b.run->plan_hash = "fedcba";
    for (const auto& row : differences_table(judge_databases(a, b)).rows)
        CHECK(row[2] != "fedcba");
}

TEST_CASE("of ten thousand values paper has some and HTML all") {
    test::InventedSuite suite = test::full_plan({}).front();
    suite.arguments.clear();
    for (std::int64_t i = 1; i <= 2000; ++i)
        suite.arguments.push_back(8 * i);
    const Document document = build_document({invented_subject({suite})}, {});
    const auto values = [](const Document& of) {
        return std::get<Table>(section(of.sections, "Suites").subsections.front().blocks.back());
    };
    const Table all = values(document);
    CHECK(all.rows.size() == 2000);
    CHECK(contains(html_page(document), ">15992<"));
    const Table some = values(cut(document, Room::book));
    REQUIRE(some.rows.size() == 400);
    CHECK(some.rows.front() == all.rows.front());
    CHECK(some.rows.back() == all.rows.back());
    CHECK(contains(some.title, ": 400 of 2000 "));
}

TEST_CASE("a content file adds bus bandwidths of long messages to the tables of collectives") {
    std::vector<Subject> subjects{invented_subject(test::full_plan({}))};
    choose_units(parse_content("f", "[columns]\nbus\n"), subjects);
    const auto cells = [&](const std::string& suite) {
        const auto curve = std::ranges::find_if(subjects[0].curves,
                                                [&](const Curve& each) { return each.suite().name == suite; });
        REQUIRE(curve != subjects[0].curves.end());
        const Table table = values_table(*curve, {});
        const auto column = std::ranges::find(table.header, "bus bandwidth") - table.header.begin();
        std::size_t filled = 0;
        for (const auto& row : table.rows)
            filled += row.at(static_cast<std::size_t>(column)).empty() ? 0 : 1;
        return filled;
    };
    CHECK(cells("MPI_Allreduce") == 8); // 64 KiB to 4 MiB, and a refined length
    CHECK(cells("MPI_Bcast-nodes-64K") == 15);
    CHECK(cells("MPI_Bcast-nodes-256") == 0);
    CHECK(cells("MPI_Scan") == 0);
    CHECK(cells("MPI_Send-MPI_Recv") == 0);
}
