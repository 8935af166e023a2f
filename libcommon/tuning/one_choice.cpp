// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/one_choice.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tuning/head_comment.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace skampi {

namespace {

constexpr const char* dynamic_rules = "OMPI_MCA_coll_tuned_use_dynamic_rules";
constexpr std::string_view option_begin = "--cfg=";

/// @param others characters that are allowed besides letters and digits
bool consists_of(std::string_view text, std::string_view others) {
    return std::ranges::all_of(text, [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || others.find(c) != std::string_view::npos;
    });
}

/// Whether all that is known of an operation asks for one algorithm: elsewhere a choice for all lengths would
/// make some of them slower.
bool agree(const std::vector<TuningRule>& rules, const TuningRule& rule) {
    return std::ranges::all_of(rules, [&](const TuningRule& other) {
        return other.operation != rule.operation ||
               (other.algorithm == rule.algorithm && other.number == rule.number &&
                (other.why_not == WhyNot::none || other.why_not == WhyNot::one_choice_only));
    });
}

WhyNot why_no_choice(const std::vector<TuningRule>& rules, const TuningRule& rule, std::string_view layer) {
    if (rule.why_not != WhyNot::none)
        return rule.why_not;
    if (rule.algorithm.empty())
        return WhyNot::default_is_best;
    if (rule.layer != layer || layer.empty())
        return WhyNot::other_layer;
    if (choice_variable(layer, rule.operation).empty())
        return WhyNot::unknown_operation;
    if (!consists_of(rule.algorithm, "_-") || (layer == "open mpi tuned" && rule.number < 1))
        return WhyNot::unknown_algorithm;
    return agree(rules, rule) ? WhyNot::none : WhyNot::one_choice_only;
}

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view blanks = " \t"; // no \r, which the shell keeps
    const std::size_t first = std::min(line.find_first_not_of(blanks), line.size());
    return line.substr(first, line.find_last_not_of(blanks) + 1 - first);
}

} // namespace

std::string choice_variable(std::string_view layer, std::string_view operation) {
    const FiledOperation* const filed = filed_operation(operation);
    if (!filed)
        return {};
    if (layer == "mpich")
        return fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM", upper(filed->word));
    if (layer == "open mpi tuned")
        return fmt::format("OMPI_MCA_coll_tuned_{}_algorithm", filed->word);
    return layer == "simgrid" ? fmt::format("smpi/{}", filed->word) : std::string();
}

std::string operation_of_variable(std::string_view variable) {
    for (const FiledOperation& operation : filed_operations())
        for (const std::string_view layer : {"mpich", "open mpi tuned", "simgrid"})
            if (choice_variable(layer, operation.operation) == variable)
                return std::string(operation.operation);
    return {};
}

std::string write_choices(TuningFormat format, const TuningTarget& target, std::vector<TuningRule>& rules) {
    const bool of_options = format == TuningFormat::smpi_cfg;
    const std::string_view layer = of_options ? std::string_view("simgrid") : target.layer;
    const bool by_number = layer == "open mpi tuned";
    std::vector<WhyNot> why;
    for (const TuningRule& rule : rules)
        why.push_back(why_no_choice(rules, rule, layer));
    std::set<std::string> lines;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        rules[i].why_not = why[i];
        rules[i].written = why[i] == WhyNot::none;
        if (rules[i].written)
            lines.insert(fmt::format("{}{}{}{}\n", of_options ? option_begin : std::string_view(),
                                     choice_variable(layer, rules[i].operation), of_options ? ':' : '=',
                                     by_number ? std::to_string(rules[i].number) : rules[i].algorithm));
    }
    if (by_number && !lines.empty())
        lines.insert(fmt::format("{}=1\n", dynamic_rules));
    return head_comment(target, rules, "# ") + fmt::format("{}", fmt::join(lines, ""));
}

std::map<std::string, std::string> read_choices(TuningFormat format, std::string_view text,
                                                const std::string& name) {
    const bool of_options = format == TuningFormat::smpi_cfg;
    std::map<std::string, std::string> choices;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#')
            continue;
        std::string_view rest = line;
        const std::string_view begin = of_options ? option_begin : std::string_view("export ");
        const bool begins = rest.starts_with(begin);
        rest.remove_prefix(begins ? begin.size() : 0);
        const std::size_t middle = std::min(rest.find(of_options ? ':' : '='), rest.size());
        const std::string_view key = rest.substr(0, middle);
        const std::string_view value = rest.substr(std::min(middle + 1, rest.size()));
        const bool is_right = of_options ? begins && key.starts_with("smpi/") &&
                                               !operation_of_variable(key).empty() && !value.empty() &&
                                               consists_of(value, "_-")
                                         : middle < rest.size() && !key.empty() && consists_of(key, "_") &&
                                               std::isdigit(static_cast<unsigned char>(key.front())) == 0 &&
                                               consists_of(value, "_-./:,+@%");
        if (!is_right)
            throw InputError(fmt::format("{}:{}: found \"{}\", expected {}", printable(name), number,
                                         printable(line),
                                         of_options ? "--cfg=smpi/OPERATION:ALGORITHM"
                                                    : "VARIABLE=VALUE of letters, digits and _-./:,+@%"));
        choices[std::string(key)] = std::string(value);
    }
    return choices;
}

} // namespace skampi
