// SPDX-License-Identifier: LGPL-2.1-or-later
#include "plan/operation_list.hpp"

#include "base/text_columns.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {
namespace {

template <typename Enumerator>
std::vector<std::string> texts_of(const std::vector<Enumerator>& enumerators) {
    std::vector<std::string> texts;
    for (const Enumerator e : enumerators)
        texts.emplace_back(to_text(e));
    return texts;
}

/// Type, name, pattern, what is varied, keys.
std::string row(const std::vector<std::string>& cells) {
    return aligned_line(cells, {.widths = {4, 31, 13, 28}, .to_right = {true}}) + "\n";
}

} // namespace

std::string operation_list_text(const std::vector<OperationInfo>& operations,
                                const std::vector<std::string>& lacking) {
    std::string text = row({"type", "name", "pattern", "varied over", "has"});
    for (const OperationInfo& operation : operations)
        text += row({operation.type == 0 ? "-" : std::to_string(operation.type), operation.name,
                     std::string(to_text(operation.pattern)),
                     fmt::format("{}", fmt::join(texts_of(operation.varied), ", ")),
                     fmt::format("{}", fmt::join(texts_of(operation.parameters), ", "))});
    if (!lacking.empty())
        text += fmt::format("\nnot offered by this MPI library: {}\n", fmt::join(lacking, ", "));
    return text;
}

std::string operation_list_json(const std::vector<OperationInfo>& operations,
                                const std::vector<std::string>& lacking) {
    nlohmann::json rows = nlohmann::json::array();
    for (const OperationInfo& operation : operations)
        rows.push_back({{"type", operation.type},
                        {"name", operation.name},
                        {"title", operation.title},
                        {"pattern", to_text(operation.pattern)},
                        {"meaning", to_text(operation.meaning)},
                        {"varied", texts_of(operation.varied)},
                        {"parameters", texts_of(operation.parameters)}});
    return nlohmann::json{{"operations", rows}, {"lacking", lacking}}.dump(2) + "\n";
}

} // namespace skampi
