#include "base/error.hpp"
#include "operation.hpp"
#include "seed_operations.hpp"

#include <doctest/doctest.h>
#include <set>
#include <string>

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

TEST_CASE("every type number of the seeds is there") {
    std::set<int> types;
    for (const Operation& row : all_operations())
        types.insert(row.type);
    for (int type = 1; type <= 41; ++type)
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

TEST_CASE("a name that is in no table is refused") {
    CHECK_THROWS_WITH_AS((void)find_operation("MPI_Nothing"),
                         doctest::Contains("MPI_Nothing is not part of this build"), InputError);
}
