// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/list_text.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/text_columns.hpp"
#include "base/suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fnmatch.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace skampi {
namespace {

constexpr std::string_view mpi_prefix = "mpi_";

/// "MPI_Bcast", "Bcast" and "bcast" are one name.
std::string plain_name(std::string_view name) {
    std::string text(name);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text.starts_with(mpi_prefix) ? text.substr(mpi_prefix.size()) : text;
}

bool matches(const std::string& glob, const std::string& operation) {
    return fnmatch(plain_name(glob).c_str(), plain_name(operation).c_str(), 0) == 0;
}

[[noreturn]] void refuse_glob(const std::string& glob, const AlgorithmList& list) {
    std::set<std::string_view> names;
    for (const AlgorithmChoice& choice : list.choices)
        names.insert(choice.operation);
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string wanted =
        glob.size() > mpi_prefix.size() && plain_name(glob) != glob ? glob : "MPI_" + glob;
    throw InputError(fmt::format("found {}, expected an operation whose algorithms {} lets one choose{}",
                                 printable(glob), list.library, did_you_mean(wanted, known)));
}

std::vector<std::string> cells_of(const AlgorithmChoice& choice) {
    std::string remarks(to_text(choice.need));
    if (!choice.note.empty())
        remarks += (remarks.empty() ? "" : "; ") + choice.note;
    return {choice.operation,
            choice.word,
            std::to_string(choice.number),
            std::string(to_text(choice.acts)),
            choice.layer,
            choice.variable,
            remarks};
}

} // namespace

AlgorithmList of_operations(AlgorithmList list, const std::vector<std::string>& globs) {
    for (const std::string& glob : globs)
        if (std::ranges::none_of(
                list.choices, [&](const AlgorithmChoice& choice) { return matches(glob, choice.operation); }))
            refuse_glob(glob, list);
    if (!globs.empty())
        std::erase_if(list.choices, [&](const AlgorithmChoice& choice) {
            return std::ranges::none_of(
                globs, [&](const std::string& glob) { return matches(glob, choice.operation); });
        });
    return list;
}

std::string algorithm_list_text(const AlgorithmList& list) {
    std::vector<std::vector<std::string>> rows{
        {"operation", "algorithm", "number", "acts at", "layer", "variable", "needs"}};
    for (const AlgorithmChoice& choice : list.choices)
        rows.push_back(cells_of(choice));
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows)
        widen(widths, row);
    std::string text;
    for (const std::vector<std::string>& row : rows)
        text += aligned_line(row, {.widths = widths, .to_right = {false, false, true}}) + "\n";
    if (list.may_be_incomplete)
        text +=
            fmt::format("\nThe list may be incomplete: {} describes algorithms whose names were not found.\n",
                        list.library);
    if (!list.refusal.empty())
        text += fmt::format("\n{}\n", list.refusal);
    return printable_lines(text);
}

std::string algorithm_list_json(const AlgorithmList& list) {
    nlohmann::json rows = nlohmann::json::array();
    for (const AlgorithmChoice& choice : list.choices) {
        nlohmann::json with = nlohmann::json::array();
        for (const VariableValue& value : choice.with)
            with.push_back({{"variable", value.variable}, {"number", value.number}});
        rows.push_back({{"operation", choice.operation},
                        {"layer", choice.layer},
                        {"variable", choice.variable},
                        {"word", choice.word},
                        {"number", choice.number},
                        {"acts", to_text(choice.acts)},
                        {"needs", to_text(choice.need)},
                        {"note", choice.note},
                        {"with", with}});
    }
    return nlohmann::json{{"library", to_valid_utf8(list.library)},
                          {"may_be_incomplete", list.may_be_incomplete},
                          {"refusal", list.refusal},
                          {"algorithms", rows}}
               .dump(2) +
           "\n";
}

} // namespace skampi
