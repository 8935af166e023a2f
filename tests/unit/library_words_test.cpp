// SPDX-License-Identifier: GPL-2.0-or-later
#include "algorithms/library_words.hpp"
#include "algorithms/simgrid_choice.hpp"
#include "algorithms/word_cache.hpp"
#include "base/file.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace skampi;

namespace {

using Numbers = std::map<std::string, int>;

/// As MPICH 4.0.2 of Debian describes it: line ends are lost.
const ControlVariable allreduce{
    "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
    "Variable to select allreduce algorithmauto - Internal algorithm selection (can be overridden with "
    "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)nb - Force nonblocking algorithmsmp - Force smp "
    "algorithmrecursive_doubling - Force recursive doubling algorithmreduce_scatter_allgather - Force reduce "
    "scatter allgather algorithm",
    {}};
const ControlVariable allgather{
    "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM",
    "Variable to select allgather algorithmauto - Internal algorithm selectionnb - Force nonblocking "
    "algorithmbrucks - Force brucks algorithmrecursive_doubling - Force recursive doubling algorithmring - Force "
    "ring algorithm",
    {}};

constexpr std::string_view
    bytes("\0algorithm=MPIR_Allreduce_intra_recursive_doubling\0"
          "algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather\0"
          "algorithm=MPIR_Allgather_intra_brucks\0algorithm=MPIR_Allgather_intra_ring\0"
          "algorithm=MPIR_Allgather_inter_local_gather_remote_bcast\0"
          "algorithm=MPIR_Allreduce_allcomm_nb\0algorithm=MPIR_",
          268);

/// A library that knows these words, and counts how often it is asked.
struct InventedLibrary {
    std::map<std::string, Numbers> words;
    int asked = 0;

    AskLibrary ask() {
        return [this](const std::map<std::string, std::string>& environment) -> std::optional<Numbers> {
            ++asked;
            Numbers numbers;
            for (const auto& [variable, word] : environment) {
                const auto found = words.at(variable).find(word);
                if (found == words.at(variable).end())
                    return std::nullopt; // it crashes
                numbers[variable] = found->second;
            }
            return numbers;
        };
    }
};

InventedLibrary mpich() {
    return {.words = {{allreduce.name,
                       {{"auto", 0},
                        {"nb", 1},
                        {"smp", 2},
                        {"recursive_doubling", 3},
                        {"reduce_scatter_allgather", 4}}},
                      {allgather.name,
                       {{"auto", 0}, {"nb", 1}, {"brucks", 2}, {"recursive_doubling", 4}, {"ring", 3}}}}};
}

using Words = std::vector<std::pair<int, std::string>>;

} // namespace

TEST_CASE("words are those of the algorithms that a library's reader of selection files knows") {
    const std::set<std::string> words = words_in_library(bytes);
    for (const char* const word :
         {"recursive_doubling", "reduce_scatter_allgather", "brucks", "ring", "auto", "nb", "release_gather"})
        CHECK(words.contains(word));
    CHECK_FALSE(words.contains(""));
    CHECK_FALSE(words.contains("Allgather"));
}

TEST_CASE("a word that is glued to the text before it is cut off where a known one ends") {
    const std::vector<std::vector<std::string>> places =
        word_places(allreduce.description, words_in_library(bytes));
    REQUIRE(places.size() == 5);
    CHECK(places[0].front() == "auto");
    CHECK(places[1].front() == "nb");
    CHECK(places[2].front() == "smp");
    CHECK(places[3].front() == "recursive_doubling");
    CHECK(places[3].back() == "algorithmrecursive_doubling"); // if nothing shorter is one
    CHECK(places[4].front() == "reduce_scatter_allgather");
}

TEST_CASE("a minus within words and at line ends is no place") {
    CHECK(word_places("non-blocking, a - (b) - c -", {"a"}).size() == 1);
    CHECK(word_places("- nothing", {}).empty());
    CHECK(word_places("", {}).empty());
}

TEST_CASE("the numbers of words are the library's, whatever their order") {
    InventedLibrary library = mpich();
    const LibraryWords found = find_words({allreduce, allgather}, words_in_library(bytes), library.ask());
    CHECK(found.incomplete.empty());
    CHECK(found.of_variable.at(allgather.name) ==
          Words{{0, "auto"}, {1, "nb"}, {2, "brucks"}, {4, "recursive_doubling"}, {3, "ring"}});
    CHECK(found.of_variable.at(allreduce.name).size() == 5);
    CHECK(library.asked == 5); // both variables at once
}

TEST_CASE("a word that the library refuses is found among others, and the list said to be incomplete") {
    InventedLibrary library = mpich();
    library.words.at(allreduce.name).erase("smp");
    const LibraryWords found = find_words({allreduce, allgather}, words_in_library(bytes), library.ask());
    CHECK(found.incomplete == std::set<std::string>{allreduce.name});
    CHECK(found.of_variable.at(allgather.name).size() == 5);
    CHECK(found.of_variable.at(allreduce.name).size() == 4);
}

TEST_CASE("a word that ends as a shorter one does is not taken for it") {
    const ControlVariable variable{"V", "selectk_ring - ring of ksring - ring"};
    InventedLibrary library{.words = {{"V", {{"k_ring", 0}, {"ring", 1}}}}};
    const LibraryWords known = find_words({variable}, {"ring", "k_ring"}, library.ask());
    CHECK(known.incomplete.empty());
    CHECK(known.of_variable.at("V") == Words{{0, "k_ring"}, {1, "ring"}});
    const LibraryWords unknown = find_words({variable}, {"ring"}, library.ask());
    CHECK(unknown.incomplete.contains("V")); // twice the same
}

TEST_CASE("a library that tells nothing gives an incomplete list, not an endless one") {
    const AskLibrary silent = [](const std::map<std::string, std::string>&) {
        return std::optional(Numbers{});
    };
    const AskLibrary dead = [](const std::map<std::string, std::string>&) {
        return std::optional<Numbers>();
    };
    for (const AskLibrary& ask : {silent, dead}) {
        const LibraryWords found = find_words({allreduce}, words_in_library(bytes), ask);
        CHECK(found.of_variable.at(allreduce.name).empty());
        CHECK(found.incomplete.contains(allreduce.name));
    }
}

TEST_CASE("SimGrid names its algorithms as it refuses one") {
    CHECK(words_in_refusal("[1.0] [xbt/CRITICAL] Collective 'bcast' has no algorithm '?'! Valid algorithms: "
                           "default, arrival_pattern_aware, NTSL.\nBacktrace") ==
          std::vector<std::string>{"default", "arrival_pattern_aware", "NTSL"});
    CHECK(words_in_refusal("Segmentation fault").empty());
    CHECK(words_in_refusal("Valid algorithms: ").empty());
}

TEST_CASE("what a library answered is kept for it, and for no other") {
    const ScratchFolder folder;
    LibraryWords words;
    words.of_variable["V"] = {{0, "auto"}, {4, "ring"}};
    const WordCache cache(folder / "new", "/lib/libmpich.so.12 4155 1674.5");
    CHECK_FALSE(cache.load().has_value());
    cache.store(words);
    REQUIRE(cache.load().has_value());
    CHECK(cache.load()->of_variable == words.of_variable);
    CHECK_FALSE(WordCache(folder / "new", "/lib/libmpich.so.12 4155 1675.5").load().has_value());
}

TEST_CASE("an incomplete answer is not kept, and a spoilt file is none") {
    const ScratchFolder folder;
    LibraryWords words;
    words.of_variable["V"] = {{0, "auto"}};
    const WordCache cache(folder.path().string(), "library");
    words.incomplete = {"V"};
    cache.store(words);
    CHECK_FALSE(cache.load().has_value());
    words.incomplete.clear();
    cache.store(words);
    for (const char* const value : {"\"x\"", "1e300", "0.5", "[]"}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
            write_file(entry.path().string(),
                       std::string(R"({"library":"library","variables":{"V":{"auto":)") + value + "}}}");
        CHECK_FALSE(cache.load().has_value());
    }
    WordCache("/proc/none", "library").store(words); // no error
    CHECK_FALSE(WordCache("", "library").load().has_value());
}
