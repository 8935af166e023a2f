// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "capture_binding.hpp"
#include "operations/all_operations.hpp"
#include "operations/message_limit.hpp"
#include "operations/operation.hpp"
#include "operations/operation_table.hpp"
#include "plan/job_plan.hpp"
#include "seed_operations.hpp"
#include "spec/parser.hpp"
#include "spec/plan.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skampi;

TEST_CASE("names and type numbers of operations are unique") {
    std::set<std::string> names;
    std::set<int> types;
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        CHECK(names.insert(row.name).second);
        if (row.type != 0)
            CHECK(types.insert(row.type).second);
    }
    for (const std::string& name : lacking_operations())
        CHECK_MESSAGE(names.insert(name).second, name);
}

TEST_CASE("every row says what its time means") {
    const auto meaning_of = [](const char* name) { return find_operation(name).info().meaning; };
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        CHECK(row.meaning != Meaning::unknown);
        CHECK(row.info().meaning == row.meaning);
        if (row.pattern != Pattern::ping_pong)
            CHECK(row.meaning != Meaning::round_trip);
        if (row.meaning == Meaning::round_trip || row.meaning == Meaning::exchange)
            CHECK(row.messages == 2);
    }
    CHECK(meaning_of("MPI_Send-MPI_Recv") == Meaning::round_trip);
    CHECK(meaning_of("MPI_Sendrecv") == Meaning::exchange);
    CHECK(meaning_of("MPI_Sendrecv_replace") == Meaning::exchange);
    CHECK(meaning_of("Bandwidth") == Meaning::window);
    CHECK(meaning_of("Multi_pair_bandwidth") == Meaning::window);
    CHECK(meaning_of("MPI_Put-fence") == Meaning::one_sided);
    CHECK(meaning_of("Master-Send") == Meaning::work);
    CHECK(meaning_of("MPI_Allreduce") == Meaning::collective);
    CHECK(meaning_of("memcpy") == Meaning::local);
}

TEST_CASE("datatypes that MPI allows no swap of are refused with their place") {
    const std::vector<OperationInfo> operations = operation_infos();
    if (std::ranges::find(operations, "MPI_Compare_and_swap-lock", &OperationInfo::name) == operations.end())
        return; // not in this MPI library
    const auto plan_with = [&](const std::string& datatype) {
        return parse_parameter_file(
            "x.skampi",
            "@MEASUREMENTS\nx { Type = MPI_Compare_and_swap-lock; Datatype = " + datatype + "; }\n",
            operations);
    };
    for (const char* datatype : {"MPI_INT", "MPI_INT64_T", "MPI_BYTE"})
        CHECK_NOTHROW(plan_with(datatype));
    for (const char* datatype : {"MPI_DOUBLE", "MPI_FLOAT", "MPI_CHAR"})
        CHECK_THROWS_WITH_AS(plan_with(datatype), doctest::Contains("expected integers or MPI_BYTE"),
                             InputError);
}

TEST_CASE("chunks are varied as the plan shows it: from one per worker, to sixteen if nothing is said") {
    ParameterFile plan = parse_parameter_file("x.skampi",
                                              "@MEASUREMENTS\nall { Type = 13; Variation = Chunks; "
                                              "}\nfew { Type = 13; Variation = Chunks; End_Argument = 8; }\n",
                                              operation_infos());
    CHECK(fit_to_machine(plan, 5, limit_of_suite(all_operations())).empty());
    CHECK(plan.suites[0].arguments.start == 4);
    CHECK(plan.suites[0].arguments.end == 64);
    CHECK(plan.suites[1].arguments.start == 4);
    CHECK(plan.suites[1].arguments.end == 8);
}

TEST_CASE("what the machine decides is decided there: step widths left out, ranges without a multiple") {
    const auto on_machine = [](int ranks) {
        ParameterFile plan =
            parse_parameter_file("x.skampi",
                                 "@MEASUREMENTS\nall { Type = 17; Variation = Nodes; }\n"
                                 "few { Type = 10; Variation = Chunks; Multiple_of = 1000; }\n",
                                 operation_infos());
        CHECK(fit_to_machine(plan, ranks, limit_of_suite(all_operations())).empty());
        return plan.suites;
    };
    const std::vector<Suite> large = on_machine(514);
    CHECK(large[0].arguments.stepwidth == 44);                                  // 512 ln 2 / 8
    CHECK(skalib::Refinement(large[1].arguments).first_pass().front() == 1000); // 513 to 16 * 513
    const std::vector<Suite> small = on_machine(3);
    CHECK(small[0].arguments.stepwidth == 1);
    CHECK_THROWS_WITH_AS(skalib::Refinement(small[1].arguments),
                         doctest::Contains("no multiple of 1000 from 2 to 32"), std::invalid_argument);
}

namespace {

/// A library with three algorithms for MPI_Alltoall, one for two ranks and one in place.
AlgorithmList invented_algorithms() {
    AlgorithmList list;
    list.library = "Invented MPI";
    list.choices = {{.operation = "MPI_Alltoall", .word = "brucks", .number = 1},
                    {.operation = "MPI_Bcast", .word = "binomial", .number = 1},
                    {.operation = "MPI_Bcast", .word = "crashes", .number = 2, .need = Need::another_version},
                    {.operation = "MPI_Bcast", .word = "pair", .number = 3, .need = Need::two_ranks},
                    {.operation = "MPI_Alltoall", .word = "two_proc", .number = 2, .need = Need::two_ranks},
                    {.operation = "MPI_Alltoall", .word = "replace", .number = 3, .need = Need::in_place}};
    return list;
}

std::vector<std::string> names_on(const std::string& blocks, int ranks, std::size_t left_out = 0) {
    ParameterFile plan = parse_parameter_file("x.skampi", "@MEASUREMENTS\n" + blocks, operation_infos());
    const std::vector<std::string> told = resolve_algorithms(plan, invented_algorithms(), ranks);
    CHECK(told.size() == left_out);
    std::vector<std::string> names;
    for (const Suite& suite : plan.suites)
        names.push_back(suite.name);
    return names;
}

} // namespace

TEST_CASE("all is the library's own choice and each algorithm that can work, a suite each") {
    using Names = std::vector<std::string>;
    CHECK(names_on("A { Type = MPI_Alltoall; Algorithm = all; }", 2, 1) ==
          Names{"A (Algorithm = default)", "A (Algorithm = brucks)", "A (Algorithm = two_proc)"});
    CHECK(names_on("A { Type = MPI_Alltoall; Algorithm = all; }\nB { Type = MPI_Alltoall; }", 3, 2) ==
          Names{"A (Algorithm = default)", "A (Algorithm = brucks)", "B"});
    CHECK(names_on("A { Type = MPI_Alltoall; Nodes = 2, 4; In_Place = yes; Algorithm = all; }", 4, 1) ==
          Names{"A (Nodes = 2, Algorithm = default)", "A (Nodes = 2, Algorithm = brucks)",
                "A (Nodes = 2, Algorithm = two_proc)", "A (Nodes = 2, Algorithm = replace)",
                "A (Nodes = 4, Algorithm = default)", "A (Nodes = 4, Algorithm = brucks)",
                "A (Nodes = 4, Algorithm = replace)"});
    // Where the number of ranks is varied, what fits some of them is there, and what never works is not.
    CHECK(names_on("A { Type = MPI_Bcast; Variation = Nodes; Algorithm = all; }", 8, 1) ==
          Names{"A (Algorithm = default)", "A (Algorithm = binomial)", "A (Algorithm = pair)"});
}

TEST_CASE("the hash of a plan with all is that of the file, whatever the library has") {
    const std::string text = "@MEASUREMENTS\nA { Type = MPI_Alltoall; Algorithm = all; }";
    ParameterFile plan = parse_parameter_file("x.skampi", text, operation_infos());
    const std::string hash = plan_hash(plan);
    (void)resolve_algorithms(plan, invented_algorithms(), 2);
    CHECK(plan.suites.size() == 3);
    CHECK(plan_hash(plan) == hash);
}

TEST_CASE("an algorithm that the library does not have, or that cannot work, is refused") {
    CHECK_THROWS_WITH_AS(names_on("A { Type = MPI_Alltoall; Algorithm = bruck; }", 2),
                         doctest::Contains("did you mean \"brucks\"?"), InputError);
    CHECK_THROWS_AS(names_on("A { Type = MPI_Alltoall; Algorithm = two_proc; }", 3), InputError);
    CHECK_THROWS_AS(names_on("A { Type = MPI_Alltoall; Algorithm = replace; }", 2), InputError);
    CHECK_THROWS_AS(names_on("A { Type = MPI_Scan; Algorithm = all; }", 2), InputError);
    CHECK(names_on("A { Type = MPI_Scan; Algorithm = default; }", 2).size() == 1);
    CHECK_THROWS_AS(names_on("A { Type = MPI_Bcast; Algorithm = all; }\n"
                             "A (Algorithm = binomial) { Type = MPI_Barrier; }",
                             2),
                    InputError);
}

TEST_CASE("every type number of the seeds is there") {
    std::set<int> types;
    for (const Operation& row : all_operations())
        types.insert(row.type);
    for (int type = 1; type <= 42; ++type)
        if (type <= 28 || type >= 33)
            CHECK_MESSAGE(types.contains(type), type);
}

TEST_CASE("every row can be called, varied and found by its name") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        CHECK((row.call != nullptr));
        CHECK_FALSE(row.varied.empty());
        CHECK_FALSE(std::string(row.title).empty());
        CHECK(find_operation(row.name).name == std::string(row.name));
        if (row.pattern == Pattern::master_worker)
            CHECK((row.client != nullptr));
    }
}

TEST_CASE("what an operation sets up it tears down") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        if (row.exposed != Extent::none || row.attached != Extent::none)
            CHECK((row.setup != nullptr || row.pattern == Pattern::simple));
        if (row.exposed != Extent::none || (row.attached != Extent::none && row.pattern != Pattern::simple))
            CHECK((row.teardown != nullptr));
    }
}

TEST_CASE("data that arrive are checked") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        // memcpy is no business of the MPI library's; everything else that has a buffer delivers something.
        const bool moves = row.send != Extent::none || row.receive != Extent::none;
        CHECK((row.delivers != Delivers::nothing) == (moves && std::string(row.name) != "memcpy"));
        if (row.reduces)
            CHECK(row.delivers != Delivers::nothing);
    }
}

TEST_CASE("every row has the parameters that MPI gives its function") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        CHECK((row.info().parameters == parameters_of(row.name)));
    }
}

TEST_CASE("every row says what is called on each side") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        CHECK_FALSE(row.calls.empty());
        // A partner that does something else says so, and nobody says what is not done.
        const bool own = row.client != nullptr && row.client != row.call;
        CHECK((own || row.client_calls.empty()));
        if (own)
            CHECK_FALSE(row.client_calls.empty());
        for (const std::string& text : {row.calls, row.client_calls})
            CHECK(text.find('|') == std::string::npos);
    }
}

TEST_CASE("every row says what the operation does, once for operations that do the same") {
    for (const Operation& row : all_operations()) {
        INFO(row.name);
        CHECK(!row.what_it_does().empty());
        CHECK(row.what_it_does().find('|') == std::string::npos);
        CHECK(row.info().does == row.what_it_does());
        if (row.alone != nullptr)
            CHECK(row.what_it_does().starts_with(
                find_operation(row.name.substr(0, row.name.rfind('-'))).what_it_does()));
    }
    CHECK(find_operation("MPI_Reduce").what_it_does() == find_operation("MPI_Ireduce").what_it_does());
    CHECK(find_operation("MPI_Reduce").what_it_does() != find_operation("MPI_Allreduce").what_it_does());
}

TEST_CASE("the page on operations has the table of this build, row by row") {
    std::ifstream page(SKAMPI_SOURCE_ROOT "/docs/operations.md");
    REQUIRE(page.good());
    std::map<std::string, std::string> documented; // by name
    const auto add = [](std::map<std::string, std::string>& rows, const std::string& line) {
        const auto begin = line.find("| `");
        if (!line.starts_with("| ") || begin == std::string::npos || begin > 8)
            return;
        const std::string name = line.substr(begin + 3, line.find('`', begin + 3) - begin - 3);
        CHECK_MESSAGE(rows.emplace(name, line).second, "twice on the page: ", name);
    };
    for (std::string line; std::getline(page, line);)
        add(documented, line);
    std::map<std::string, std::string> known;
    std::istringstream table(operation_table(all_operations()));
    for (std::string line; std::getline(table, line);)
        add(known, line);
    CHECK(known.size() == all_operations().size());
    for (const auto& [name, line] : known) {
        INFO("to be replaced by what `skampi-run list --markdown` prints");
        CAPTURE_BINDING(name);
        CHECK(documented[name] == line);
    }
    for (const std::string& name : lacking_operations()) // whose rows another library tells
        CHECK_MESSAGE(documented.contains(name), name);
    CHECK(documented.size() == known.size() + lacking_operations().size());
}

TEST_CASE("a name that is in no table is refused") {
    CHECK_THROWS_WITH_AS((void)find_operation("MPI_Nothing"),
                         doctest::Contains("MPI_Nothing is not part of this build"), InputError);
}
