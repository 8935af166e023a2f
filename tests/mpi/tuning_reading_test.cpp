// SPDX-License-Identifier: GPL-2.0-or-later
// Whether the MPI library reads tuning files as our readers do. What it chose is seen without timing: a
// choice that fails. SKAMPI_TUNING_FILES: how many files, more than the few of an ordinary test.

#include "../unit/mpich_walk.hpp"
#include "../unit/open_mpi_choice.hpp"
#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <map>
#include <random>
#include <sstream>
#include <string>

using namespace skampi;

namespace {

constexpr int no_such_algorithm = 1000;

std::string from_environment(const char* name, const std::string& otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

int wanted_files(int usual) {
    return std::stoi(from_environment("SKAMPI_TUNING_FILES", std::to_string(usual)));
}

/// What the program says of the library that it is linked with.
std::string library_of_program() {
    Command command;
    command.argv = {from_environment("SKAMPI_RUN", "skampi-run"), "--version"};
    const ChildResult result = run(std::move(command));
    const std::string mark = " with ";
    return result.out.substr(std::min(result.out.size(), result.out.find(mark) + mark.size()));
}

/// What the ranks of call_probe said.
struct ProbeAnswer {
    ChildResult end; ///< of the launcher
    /// By call ("MPI_Bcast:65536:8") and rank the class of its error, 0 = none.
    std::map<std::string, std::map<int, int>> answers;
};

ProbeAnswer probe(int ranks, const std::vector<std::string>& settings,
                  const std::vector<std::string>& questions) {
    Command command;
    command.argv = {from_environment("SKAMPI_MPIEXEC", "mpiexec"), "-n", std::to_string(ranks), "env"};
    command.argv.insert(command.argv.end(), settings.begin(), settings.end());
    command.argv.push_back(from_environment("SKAMPI_CALL_PROBE", "call_probe"));
    command.argv.insert(command.argv.end(), questions.begin(), questions.end());
    command.environment = {{"OMPI_MCA_rmaps_base_oversubscribe", "1"}};
    command.timeout_s = 120;
    ProbeAnswer answer;
    answer.end = run(std::move(command));
    std::istringstream lines(answer.end.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string mark;
        std::string question;
        int rank = 0;
        int error = 0;
        if (words >> mark >> rank >> question >> error && mark == "call-probe")
            answer.answers[question][rank] = error;
    }
    return answer;
}

std::int64_t drawn(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

/// A number as people may write it.
std::string any_base(std::mt19937_64& random, std::int64_t number) {
    switch (drawn(random, 0, 3)) {
    case 0:
        return fmt::format("0{:o}", number);
    case 1:
        return fmt::format("0x{:x}", number);
    default:
        return std::to_string(number);
    }
}

std::string any_blank(std::mt19937_64& random) {
    const std::vector<std::string> blanks = {" ", "\n", "\t", " # 7 of 9\n", ", ", " (x) "};
    return blanks[static_cast<std::size_t>(drawn(random, 0, std::ssize(blanks) - 1))];
}

/// Rules for all collectives, some for other numbers of ranks, in any notation. Some files have one number
/// too many or too few somewhere, so that the rest is shifted, or the file is dropped.
std::string random_rules(std::mt19937_64& random) {
    std::vector<std::int64_t> numbers;
    std::vector<const FiledOperation*> operations;
    const LibraryVersion version = library_version(library_of_program());
    for (const FiledOperation& operation : filed_operations())
        if (most_open_mpi_algorithm(operation, version) > 0 && drawn(random, 0, 3) > 0)
            operations.push_back(&operation);
    numbers.push_back(std::ssize(operations));
    for (const FiledOperation* operation : operations) {
        const std::int64_t blocks = drawn(random, 0, 3);
        numbers.insert(numbers.end(), {operation->open_mpi_id, blocks});
        for (std::int64_t b = 0; b < blocks; ++b) {
            const std::int64_t rows = drawn(random, 1, 4);
            numbers.insert(numbers.end(), {drawn(random, b, 4), rows});
            std::int64_t length = 0;
            for (std::int64_t r = 0; r < rows; ++r) {
                numbers.insert(numbers.end(), {length, drawn(random, 0, 1) * no_such_algorithm, 0, 0});
                length += drawn(random, 0, 2000);
            }
        }
    }
    if (drawn(random, 0, 5) == 0)
        numbers.insert(numbers.begin() + drawn(random, 0, std::ssize(numbers) - 1), 0);
    if (drawn(random, 0, 5) == 0 && numbers.size() > 1)
        numbers.pop_back();
    std::string text;
    for (const std::int64_t number : numbers)
        text += any_base(random, number) + any_blank(random);
    return text;
}

/// Around each border of the rules of a number of ranks.
std::vector<std::string> questions_at_borders(const OpenMpiRules& rules, int ranks) {
    std::vector<std::string> questions;
    for (const FiledOperation& operation : filed_operations()) {
        const auto blocks = rules.collectives.find(operation.open_mpi_id);
        // Of Gather and Scatter ranks see different lengths: our reader knows the first row alone.
        if (blocks == rules.collectives.end() || operation.operation == "MPI_Alltoallw" ||
            operation.operation == "MPI_Gather" || operation.operation == "MPI_Scatter")
            continue;
        for (const OpenMpiBlock& block : blocks->second)
            for (const OpenMpiRow& row : block.rows)
                for (const int type : {1, 4, 8}) {
                    const std::int64_t unit = operation.open_mpi == LengthUnit::bytes_of_all ? ranks : 1;
                    const std::int64_t border = row.length / unit / type * type;
                    for (const std::int64_t bytes : {border - type, border, border + type})
                        if (bytes > 0 && questions.size() < 400)
                            questions.push_back(fmt::format("{}:{}:{}", operation.operation, bytes, type));
                }
    }
    std::ranges::sort(questions);
    questions.erase(std::unique(questions.begin(), questions.end()), questions.end());
    return questions;
}

/// "nb" would need rules for nonblocking operations, too.
std::string blocking_leaf(std::string_view operation) {
    for (const char* word : {"ring", "binomial", "pairwise", "dissemination", "scattered", "linear"})
        if (operation.find("scatter") == std::string_view::npos && !mpich_leaf(operation, word).empty())
            return mpich_leaf(operation, word);
    for (const char* word : {"recursive_doubling", "linear", "binomial"})
        if (!mpich_leaf(operation, word).empty())
            return mpich_leaf(operation, word);
    return {};
}

/// A tree of any tests for one operation, with leaves that work and others that abort.
class RandomTree {
public:
    RandomTree(const FiledOperation& operation, std::mt19937_64& random)
        : operation_(operation)
        , random_(random) {}

    std::string text(int depth) {
        if (depth == 0 || drawn(random_, 0, 5) == 0)
            return leaf();
        if (drawn(random_, 0, 3) == 0)
            return both(depth);
        std::vector<std::string> tests;
        for (std::int64_t left = drawn(random_, 1, 3); left > 0; --left)
            if (std::string test = any_test(); std::ranges::find(tests, test) == tests.end())
                tests.push_back(std::move(test));
        // 4.0.2 knows =any behind these alone; later versions behind any test.
        tests.push_back(one_of({"comm_size=any", "comm_hierarchy=any", "count=any",
                                std::string(operation_.mpich_test) + "=any"}));
        std::string text;
        for (const std::string& test : tests)
            text += fmt::format(R"({}"{}":{})", text.empty() ? "{" : ",", test, this->text(depth - 1));
        return text + "}";
    }
    /// Lengths around which something may change, in our message length.
    [[nodiscard]] const std::vector<std::int64_t>& borders() const { return borders_; }

private:
    std::string one_of(const std::vector<std::string>& texts) {
        return texts[static_cast<std::size_t>(drawn(random_, 0, std::ssize(texts) - 1))];
    }
    std::string leaf() {
        const std::string works = R"({"algorithm=)" + blocking_leaf(operation_.operation) + R"(":{}})";
        // A boolean without its other half: such calls abort.
        return drawn(random_, 0, 3) == 0 ? R"({"is_multi_threaded=yes":)" + works + "}" : works;
    }
    std::string both(int depth) {
        std::vector<std::string> questions = {"is_sendbuf_inplace", "is_node_consecutive"};
        if (combines(operation_.operation))
            questions.insert(questions.end(), {"is_commutative", "is_op_built_in"});
        const std::string question = one_of(questions);
        const bool yes_first = drawn(random_, 0, 1) == 0;
        const std::string first = text(depth - 1);
        return fmt::format(R"({{"{0}={1}":{2},"{0}={3}":{4}}})", question, yes_first ? "yes" : "no", first,
                           yes_first ? "no" : "yes", text(depth - 1));
    }
    std::string any_test() {
        const std::int64_t number = drawn(random_, 0, 20'000);
        const std::string less = drawn(random_, 0, 1) == 0 ? "<=" : "<";
        switch (drawn(random_, 0, 8)) {
        case 0:
            return fmt::format("comm_size{}{}", less, drawn(random_, 1, 4));
        case 1:
            return "comm_size=pow2";
        case 2:
            return "comm_size=node_comm_size";
        case 3:
            return fmt::format("comm_avg_ppn<={}", drawn(random_, 1, 4)); // < is of later versions
        case 4:
            return fmt::format("count<={}", bordered(number, 1));
        default:
            return fmt::format("{}{}{}", operation_.mpich_test, less, bordered(number, 0));
        }
    }
    std::int64_t bordered(std::int64_t number, int by_count) {
        for (const std::int64_t ranks : {1, 2, 3})
            for (const std::int64_t type : {1, 4, 8})
                borders_.push_back(by_count == 1 ? number / ranks * type : number / ranks);
        return number;
    }

    const FiledOperation& operation_;
    std::mt19937_64& random_;
    std::vector<std::int64_t> borders_;
};

/// What the call would meet; none = it depends on the communicator for which the library asks: some
/// operations it makes node by node, depending on length, and asks for the ranks of the node, of which each
/// may count as a node, and for the first ranks of all nodes: here one.
std::optional<bool> would_abort(const nlohmann::ordered_json& tree, const std::string& operation, int ranks,
                                std::int64_t bytes, int type) {
    MpichCall call{.operation = operation, .ranks = ranks, .bytes = bytes, .type_bytes = type};
    const bool aborts = !mpich_choice(tree, call);
    call.hierarchical = call.consecutive = false;
    for (const auto& [asked_ranks, nodes] : {std::pair{ranks, 1}, {ranks, ranks}, {1, 1}}) {
        call.ranks = asked_ranks;
        call.nodes = nodes;
        if (aborts != !mpich_choice(tree, call))
            return std::nullopt;
    }
    return aborts;
}

/// Of whichever rank's line came through whole: launchers mix the lines of ranks.
std::optional<int> first_answer(const ProbeAnswer& answer, const std::string& question) {
    const auto found = answer.answers.find(question);
    return found == answer.answers.end() ? std::nullopt : std::optional(found->second.begin()->second);
}

} // namespace

TEST_CASE("Open MPI reads rules as ours does") {
    const std::string library = library_of_program();
    const LibraryVersion version = library_version(library);
    if (version.kind != LibraryKind::open_mpi)
        return;
    const ScratchDirectory folder;
    const std::string path = folder.path() + "/rules.conf";
    std::mt19937_64 random(3);
    std::int64_t asked = 0;
    std::int64_t failing = 0;
    int dropped = 0;
    for (int file = 0; file < wanted_files(6); ++file) {
        const std::string text = random_rules(random);
        write_file(path, text);
        OpenMpiRules rules;
        std::vector<std::string> questions = {"MPI_Bcast:8:1", "MPI_Allreduce:1024:8", "MPI_Barrier:0:1"};
        const int ranks = static_cast<int>(drawn(random, 2, 3));
        try {
            rules = read_open_mpi_rules(text, version, "rules.conf");
            questions = questions_at_borders(rules, ranks);
        } catch (const InputError&) {
            ++dropped; // then no call may fail
        }
        const ProbeAnswer answer = probe(
            ranks,
            {"OMPI_MCA_coll_tuned_use_dynamic_rules=1", "OMPI_MCA_coll_tuned_dynamic_rules_filename=" + path},
            questions);
        for (const std::string& question : questions) {
            const std::size_t colon = question.find(':');
            const std::string operation = question.substr(0, colon);
            const std::int64_t bytes = std::stoll(question.substr(colon + 1));
            const std::int64_t type = std::stoll(question.substr(question.rfind(':') + 1));
            const bool fails =
                open_mpi_choice(rules, operation, ranks, bytes, type).algorithm == no_such_algorithm;
            const std::optional<int> error = first_answer(answer, question);
            if (!error) // no line came through whole
                continue;
            CHECK_MESSAGE((*error != 0) == fails, question, "\n", text);
            ++asked;
            failing += fails ? 1 : 0;
        }
    }
    MESSAGE(asked << " calls, " << failing << " of them failed as expected; " << dropped << " files dropped");
}

TEST_CASE("MPICH reads a tree as ours does") {
    const std::string library = library_of_program();
    if (library_version(library).kind != LibraryKind::mpich)
        return;
    const ScratchDirectory folder;
    const std::string path = folder.path() + "/tuning.json";
    std::mt19937_64 random(4);
    int files = wanted_files(4);
    std::int64_t asked = 0;
    while (files > 0)
        for (const FiledOperation& operation : filed_operations()) {
            if (operation.mpich == LengthUnit::none || files-- <= 0)
                continue;
            // A boolean without its other half: such calls abort. The others of a launch come before it.
            const std::int64_t threshold = drawn(random, 64, 20'000);
            const bool above = drawn(random, 0, 1) == 0;
            const std::string aborts =
                R"({"is_multi_threaded=yes":{"algorithm=)" + blocking_leaf(operation.operation) + R"(":{}}})";
            const std::string works = R"({"algorithm=)" + blocking_leaf(operation.operation) + R"(":{}})";
            const std::string text =
                fmt::format(R"({{"collective={0}":{{"comm_type=intra":{{"{1}<={2}":{3},"{1}=any":{4}}}}},)",
                            operation.word, operation.mpich_test, threshold, above ? works : aborts,
                            above ? aborts : works);
            std::string others;
            for (const FiledOperation& other : filed_operations())
                if (other.operation != operation.operation)
                    others +=
                        fmt::format(R"({}"collective={}":{{"algorithm={}":{{}}}})", others.empty() ? "" : ",",
                                    other.word, blocking_leaf(other.operation));
            write_file(path, text + others + "}");
            const nlohmann::ordered_json tree = nlohmann::ordered_json::parse(file_text(path));
            const int ranks = static_cast<int>(drawn(random, 2, 3));
            const int type = 1 << (drawn(random, 0, 2) == 0 ? 0 : drawn(random, 2, 3));
            const std::int64_t unit = operation.mpich == LengthUnit::bytes_of_all ? ranks : 1;
            const std::int64_t border = threshold / unit / type * type;
            std::vector<std::string> questions;
            std::string aborting;
            for (const std::int64_t bytes : {border, border - type, border + type}) {
                const std::string question = fmt::format("{}:{}:{}", operation.operation, bytes, type);
                const bool fails = bytes <= 0 || !mpich_choice(tree, {.operation = operation.operation,
                                                                      .ranks = ranks,
                                                                      .bytes = bytes,
                                                                      .type_bytes = type});
                if (bytes > 0 && fails)
                    aborting = question;
                else if (bytes > 0)
                    questions.push_back(question);
            }
            // A job that aborts takes what its ranks said with it.
            const std::vector<std::string> settings = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + path};
            const ProbeAnswer answer = probe(ranks, settings, questions);
            CHECK(answer.end.ok());
            for (const std::string& question : questions)
                CHECK_MESSAGE(first_answer(answer, question) == 0, question, " ", threshold);
            asked += std::ssize(questions);
            if (aborting.empty())
                continue;
            const ProbeAnswer aborted = probe(ranks, settings, {aborting});
            CHECK_MESSAGE(!aborted.end.ok(), aborting, " ", threshold);
            CHECK(aborted.answers.empty());
            ++asked;
        }
    MESSAGE(asked << " calls");
}

TEST_CASE("MPICH reads trees of any tests as ours does") {
    if (library_version(library_of_program()).kind != LibraryKind::mpich)
        return;
    const ScratchDirectory folder;
    const std::string path = folder.path() + "/tuning.json";
    const std::vector<std::string> settings = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + path};
    std::mt19937_64 random(5);
    std::vector<const FiledOperation*> operations;
    for (const FiledOperation& operation : filed_operations())
        if (operation.mpich != LengthUnit::none)
            operations.push_back(&operation);
    std::int64_t asked = 0;
    std::int64_t aborting = 0;
    for (int file = 0; file < wanted_files(4); ++file) {
        const FiledOperation& operation =
            *operations[static_cast<std::size_t>(drawn(random, 0, std::ssize(operations) - 1))];
        const std::string name(operation.operation);
        RandomTree made(operation, random);
        std::string text = fmt::format(R"({{"collective={}":{})", operation.word, made.text(3));
        for (const FiledOperation& other : filed_operations())
            if (other.operation != operation.operation)
                text += fmt::format(R"(,"collective={}":{{"algorithm={}":{{}}}})", other.word,
                                    blocking_leaf(other.operation));
        write_file(path, text + "}");
        const nlohmann::ordered_json tree = nlohmann::ordered_json::parse(file_text(path));
        const int ranks = static_cast<int>(drawn(random, 2, 3));
        std::vector<std::string> works;
        std::vector<std::string> aborts;
        for (const std::int64_t border : made.borders())
            for (const int type : {1, 4, 8})
                for (const std::int64_t bytes : {border / type * type, border / type * type + type}) {
                    const std::string question = fmt::format("{}:{}:{}", name, bytes, type);
                    const std::optional<bool> fails =
                        bytes > 0 ? would_abort(tree, name, ranks, bytes, type) : std::nullopt;
                    if (fails)
                        (*fails ? aborts : works).push_back(question);
                }
        for (std::vector<std::string>* const questions : {&works, &aborts}) {
            std::ranges::shuffle(*questions, random);
            const std::size_t most = questions == &works ? 200 : 1; // each that aborts is a launch
            questions->resize(std::min(questions->size(), most));
        }
        ProbeAnswer answer;
        if (!works.empty()) {
            answer = probe(ranks, settings, works);
            CHECK_MESSAGE(answer.end.ok(), text, " ", answer.end.err);
        }
        for (const std::string& question : works)
            CHECK_MESSAGE(first_answer(answer, question).value_or(0) == 0, question, " ", text);
        asked += std::ssize(works);
        for (const std::string& question : aborts) {
            CHECK_MESSAGE(!probe(ranks, settings, {question}).end.ok(), question, " ", ranks, " ", text);
            ++asked;
            ++aborting;
        }
    }
    MESSAGE(asked << " calls, " << aborting << " of them aborted as expected");
}
