// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/choice.hpp"

#include "model/record.hpp"
#include "base/suggestion.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace skampi {
namespace {

constexpr std::array<std::string_view, 3> acts_words{"call", "communicator", "launch"};
constexpr std::array<std::string_view, 9> need_words{
    "",
    "2 ranks only",
    "power of two",
    "even number of ranks",
    "in place only",
    "an element for each rank, built-in operator",
    "commutative operator",
    "a segment size",
    "another version of the library: this one crashes in it",
};

int unpack_number(std::string_view& record) {
    int number = 0;
    if (!set_field(unpack_text(record), number))
        throw std::invalid_argument("a message between ranks has no number of an algorithm");
    return number;
}

/// @param count how many the enumeration has
template <typename Enumeration>
Enumeration unpack_one_of(std::string_view& record, std::size_t count) {
    const int number = unpack_number(record);
    if (number < 0 || static_cast<std::size_t>(number) >= count)
        throw std::invalid_argument("a message between ranks describes no algorithm");
    return static_cast<Enumeration>(number);
}

void pack_number(std::string& record, int number) {
    pack(record, field_text(number));
}

} // namespace

std::string_view to_text(Acts acts) {
    return acts_words[static_cast<std::size_t>(acts)];
}

std::string_view to_text(Need need) {
    return need_words[static_cast<std::size_t>(need)];
}

std::vector<AlgorithmChoice> choices_of(const AlgorithmList& list, std::string_view operation) {
    std::vector<AlgorithmChoice> found;
    std::ranges::copy_if(list.choices, std::back_inserter(found),
                         [&](const AlgorithmChoice& choice) { return choice.operation == operation; });
    return found;
}

const AlgorithmChoice* find_choice(const AlgorithmList& list, std::string_view operation,
                                   std::string_view word) {
    const auto found = std::ranges::find_if(list.choices, [&](const AlgorithmChoice& choice) {
        return choice.operation == operation && choice.word == word;
    });
    return found == list.choices.end() ? nullptr : &*found;
}

std::string unknown_word(const AlgorithmList& list, std::string_view operation, std::string_view word) {
    std::vector<std::string_view> known;
    for (const AlgorithmChoice& choice : list.choices)
        if (choice.operation == operation)
            known.push_back(choice.word);
    if (known.empty())
        return fmt::format("{} lets nobody choose an algorithm for {}; `skampi-run algorithms` lists what it "
                           "offers",
                           list.library, operation);
    return fmt::format("found \"{}\", expected default or an algorithm that {} has for {}: {}{}", word,
                       list.library, operation, fmt::join(known, ", "), did_you_mean(word, known));
}

bool works_with(Need need, int ranks) {
    switch (need) {
    case Need::two_ranks:
        return ranks == 2;
    case Need::power_of_two_ranks:
        return ranks > 0 && std::has_single_bit(static_cast<unsigned>(ranks));
    case Need::even_ranks:
        return ranks % 2 == 0;
    case Need::a_segment_size:
    case Need::another_version:
        return false;
    case Need::nothing:
    case Need::in_place:
    case Need::an_element_each:
    case Need::a_commutative_operator:
        break;
    }
    return true;
}

std::string needs_text(const AlgorithmChoice& choice) {
    return fmt::format("it needs: {}{}{}", to_text(choice.need), choice.note.empty() ? "" : "; ",
                       choice.note);
}

bool is_replaced_in_silence(const AlgorithmChoice& choice, int ranks, std::int64_t elements) {
    if (choice.layer != "open mpi tuned")
        return false;
    return !works_with(choice.need, ranks) || (choice.need == Need::an_element_each && elements < ranks);
}

std::map<std::string, std::string> environment_for_algorithms(std::string_view library) {
    if (library.starts_with("Open MPI"))
        return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"}};
    return {};
}

std::string packed_choice(const AlgorithmChoice& choice) {
    std::string record;
    for (const std::string* text :
         {&choice.operation, &choice.layer, &choice.variable, &choice.word, &choice.note})
        pack(record, *text);
    pack_number(record, choice.number);
    pack_number(record, static_cast<int>(choice.acts));
    pack_number(record, static_cast<int>(choice.need));
    for (const VariableValue& value : choice.with) {
        pack(record, value.variable);
        pack_number(record, value.number);
    }
    return record;
}

AlgorithmChoice unpacked_choice(std::string_view record) {
    AlgorithmChoice choice;
    for (std::string* text : {&choice.operation, &choice.layer, &choice.variable, &choice.word, &choice.note})
        *text = unpack_text(record);
    choice.number = unpack_number(record);
    choice.acts = unpack_one_of<Acts>(record, acts_words.size());
    choice.need = unpack_one_of<Need>(record, need_words.size());
    while (!record.empty()) {
        VariableValue value;
        value.variable = unpack_text(record);
        value.number = unpack_number(record);
        choice.with.push_back(value);
    }
    return choice;
}

} // namespace skampi
