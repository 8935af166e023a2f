// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/offered.hpp"

#include "algorithms/needs.hpp"
#include "mpi/library_name.hpp"

#ifdef SKAMPI_SIMULATED
#include "algorithms/simgrid_choice.hpp"
#else
#include "algorithms/library_file.hpp"
#include "algorithms/library_words.hpp"
#include "algorithms/tuning_in_use.hpp"
#include "algorithms/word_cache.hpp"
#include "base/child.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "mpi/control_variables.hpp"

#include <charconv>
#include <cstdlib>
#include <mpi.h>
#include <sstream>
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace skampi {
namespace {

/// "REDUCE_SCATTER" and "reduce_scatter" are MPI_Reduce_scatter.
std::string operation_named(std::string_view name) {
    std::string text(name);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return "MPI_" + text;
}

/// What a library calls "default" as its own choice, or as an algorithm (Open MPI 4.1, MPI_Allgatherv), is no
/// word: it would be taken for Algorithm = default.
void add(AlgorithmList& list, AlgorithmChoice choice) {
    if (choice.word == "default")
        return;
    const Caution caution = caution_of(choice);
    choice.need = caution.need;
    choice.note = caution.note;
    list.choices.push_back(std::move(choice));
}

#ifdef SKAMPI_SIMULATED

void add_simgrid(AlgorithmList& list) {
    for (const std::string& variable : simgrid_variables()) {
        int number = -1;
        for (const std::string& word : simgrid_words(variable)) {
            ++number;
            add(list, {.operation = operation_named(variable.substr(variable.find('/') + 1)),
                       .layer = "simgrid",
                       .variable = variable,
                       .word = word,
                       .number = number});
        }
    }
    list.may_be_incomplete = list.choices.empty();
}

#else

constexpr std::string_view mpich_begins = "MPIR_CVAR_";
constexpr std::string_view mpich_ends = "_INTRA_ALGORITHM";
constexpr std::string_view posix = "_POSIX";
constexpr const char* fallback = "MPIR_CVAR_COLLECTIVE_FALLBACK";

/// The variables of MPICH whose words are asked for.
std::vector<ControlVariable> mpich_variables(const ControlVariables& library) {
    std::vector<ControlVariable> asked = library.numbers(mpich_begins, mpich_ends);
    if (!asked.empty()) {
        const std::vector<ControlVariable> more = library.numbers(fallback, "");
        asked.insert(asked.end(), more.begin(), more.end());
    }
    return asked;
}

/// A program that was asked does not ask another one: one that takes the words for something else would start
/// itself again and again.
constexpr const char* asked = "SKAMPI_ASKED_FOR_VARIABLES";

std::optional<std::map<std::string, int>> ask_program(const std::string& program,
                                                      std::map<std::string, std::string> environment) {
    constexpr double longest_start_s = 60; // of a program on a file system that is far away
    if (std::getenv(asked) != nullptr)
        return std::nullopt;
    environment[asked] = "1";
    Command command;
    command.argv = {program, "algorithms", "--variables"};
    command.environment = std::move(environment);
    command.timeout_s = longest_start_s;
    const ChildResult ended = run(command);
    if (!ended.ok())
        return std::nullopt;
    std::map<std::string, int> numbers;
    std::istringstream lines(ended.out);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t blank = line.find(' ');
        int number = 0;
        if (blank != std::string::npos &&
            std::from_chars(line.data() + blank + 1, line.data() + line.size(), number).ec == std::errc())
            numbers[line.substr(0, blank)] = number;
    }
    return numbers;
}

LibraryWords mpich_words(const std::vector<ControlVariable>& variables, const std::string& program) {
    LibraryWords words;
    std::vector<ControlVariable> nameless;
    for (const ControlVariable& variable : variables)
        if (variable.words.empty())
            nameless.push_back(variable);
        else
            words.of_variable[variable.name] = variable.words;
    if (nameless.empty())
        return words;
    const LibraryFile file(reinterpret_cast<const void*>(&MPI_Get_library_version));
    const WordCache cache(WordCache::users_folder(), file.name());
    LibraryWords found;
    const std::optional<LibraryWords> kept = cache.load();
    const bool all_kept = kept && std::ranges::all_of(nameless, [&](const ControlVariable& variable) {
                              return kept->of_variable.contains(variable.name);
                          });
    if (all_kept) {
        found = *kept;
    } else {
        found = find_words(nameless, words_in_library(file.bytes()),
                           [&](const std::map<std::string, std::string>& environment) {
                               return ask_program(program, environment);
                           });
        cache.store(found);
    }
    words.incomplete = std::move(found.incomplete);
    words.of_variable.merge(found.of_variable);
    return words;
}

/// The value of a word; none = the variable has no such word.
std::optional<VariableValue> value_of(const LibraryWords& words, const std::string& variable,
                                      std::string_view word) {
    const auto of_it = words.of_variable.find(variable);
    if (of_it == words.of_variable.end())
        return std::nullopt;
    const auto found = std::ranges::find(of_it->second, word, &std::pair<int, std::string>::second);
    return found == of_it->second.end() ? std::nullopt : std::optional(VariableValue{variable, found->first});
}

/// Its parts call the operation again, on communicators where it is not possible: with
/// MPIR_CVAR_COLLECTIVE_FALLBACK=error all calls would fail (seen with MPICH 4.0.2).
bool is_of_two_levels(std::string_view word) {
    return word.ends_with("smp");
}

/// MPIR_CVAR_BCAST_INTRA_ALGORITHM, and MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM of the layer above it.
void add_mpich(AlgorithmList& list, const std::vector<ControlVariable>& variables,
               const std::string& program) {
    const LibraryWords words = mpich_words(variables, program);
    for (const ControlVariable& variable : variables) {
        std::string_view name = variable.name;
        if (!name.ends_with(mpich_ends))
            continue;
        name = name.substr(mpich_begins.size(), name.size() - mpich_begins.size() - mpich_ends.size());
        const bool shared = name.ends_with(posix);
        if (shared)
            name.remove_suffix(posix.size());
        AlgorithmChoice choice{.operation = operation_named(name),
                               .layer = shared ? "mpich shared memory" : "mpich",
                               .variable = variable.name};
        std::vector<VariableValue> with;
        const std::string above = fmt::format("{}{}{}{}", mpich_begins, name, posix, mpich_ends);
        if (const auto below = value_of(words, above, "mpir"); below && !shared)
            with.push_back(*below);
        const std::optional<VariableValue> error = value_of(words, fallback, "error");
        for (const auto& [number, word] : words.of_variable.at(variable.name)) {
            choice.number = number;
            choice.word = word;
            choice.with = with;
            if (error && !shared && !is_of_two_levels(word))
                choice.with.push_back(*error);
            if (word != "auto" && word != "mpir")
                add(list, choice);
        }
        list.may_be_incomplete = list.may_be_incomplete || words.incomplete.contains(variable.name);
    }
}

/// coll_tuned_bcast_algorithm
void add_open_mpi(AlgorithmList& list, const ControlVariables& library) {
    struct Component {
        std::string_view begins;
        const char* layer;
        Acts acts;
    };
    constexpr std::string_view ends = "_algorithm";
    for (const auto& [begins, layer, acts] : {Component{"coll_tuned_", "open mpi tuned", Acts::communicator},
                                              Component{"coll_libnbc_", "open mpi libnbc", Acts::launch}})
        for (const ControlVariable& variable : library.numbers(begins, ends)) {
            const std::string_view name(variable.name);
            for (const auto& [number, word] : variable.words)
                if (number != 0) // its name for its own choice
                    add(list, {.operation = operation_named(
                                   name.substr(begins.size(), name.size() - begins.size() - ends.size())),
                               .layer = layer,
                               .variable = variable.name,
                               .word = word,
                               .number = number,
                               .acts = variable.constant ? Acts::launch : acts});
        }
    if (library.read("coll_tuned_use_dynamic_rules") != 1)
        list.refusal =
            "Open MPI uses the algorithm that is chosen only with "
            "OMPI_MCA_coll_tuned_use_dynamic_rules=1 in the environment of all ranks: skampi-run -n N "
            "sets it; otherwise type mpiexec -x OMPI_MCA_coll_tuned_use_dynamic_rules=1 ...";
    // What is chosen reads back all the same.
    else if (const auto files = tuning_files_in_use(LibraryKind::open_mpi);
             !files.empty() && follows_file_before_choice(library_version(mpi_library_name())))
        list.refusal = fmt::format("{} follows the rules of {} and not the algorithm that is chosen: type "
                                   "unset {}",
                                   list.library, printable(files.begin()->second), files.begin()->first);
}

#endif

} // namespace

#ifdef SKAMPI_SIMULATED

AlgorithmList offered_algorithms(const std::string&) {
    AlgorithmList list;
    list.library = short_library_name(mpi_library_name());
    add_simgrid(list);
    if (list.choices.empty())
        list.refusal = "this SimGrid cannot change algorithms within a simulation; vary --cfg=smpi/OPERATION";
    return list;
}

int print_library_variables() {
    return 0;
}

#else

AlgorithmList offered_algorithms(const std::string& program) {
    AlgorithmList list;
    list.library = short_library_name(mpi_library_name());
    const ControlVariables library;
    if (list.library.starts_with("Open MPI"))
        add_open_mpi(list, library);
    else
        add_mpich(list, mpich_variables(library), program);
    std::ranges::stable_sort(list.choices, {}, &AlgorithmChoice::operation);
    if (library.names().empty()) // MPICH stops at a word of the environment that it does not know
        list.refusal =
            fmt::format("{} does not tell its variables (MPI_T): a variable in the environment may have a "
                        "value that it does not know (env | grep -E 'MPIR_CVAR|MPICH_')",
                        list.library);
    else if (list.choices.empty())
        list.refusal =
            fmt::format("{} does not let a program choose its algorithms: it has none of the MPI_T "
                        "variables of MPICH or Open MPI; vary its own settings with --variant",
                        list.library);
    return list;
}

int print_library_variables() {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core); // MPICH 4.0 crashes at a word that it does not know
    const ControlVariables library;
    std::string text;
    for (const ControlVariable& variable : mpich_variables(library))
        if (const std::optional<int> number = library.read(variable.name))
            text += fmt::format("{} {}\n", variable.name, *number);
    if (text.empty())
        return 1;
    write_standard_output(text);
    return 0;
}

#endif

} // namespace skampi
