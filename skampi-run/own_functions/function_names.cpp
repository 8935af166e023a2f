// SPDX-License-Identifier: LGPL-2.1-or-later
#include "own_functions/function_names.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace skampi {

void refuse_unfit(const OperationInfo& function, bool has_call, std::span<const OperationInfo> others) {
    const std::string shown = printable(function.name);
    constexpr std::string_view blanks = " \t";
    const bool trimmed = !function.name.empty() && blanks.find(function.name.front()) == blanks.npos &&
                         blanks.find(function.name.back()) == blanks.npos;
    const bool number = !function.name.empty() && std::ranges::all_of(function.name, [](unsigned char c) {
        return c >= '0' && c <= '9';
    });
    const bool nameable = std::ranges::none_of(function.name, [](unsigned char c) {
        return c < ' ' || c == ';' || c == '{' || c == '}' || c == '#' || c == ',' || c == 127;
    });
    if (!trimmed || number || !nameable)
        throw InputError(
            fmt::format("found a function named \"{}\", expected a name that `Type = ...;` can give: "
                        "no number, no ; , # {{ }} and no blanks around it",
                        shown));
    if (!has_call)
        throw InputError(fmt::format("function \"{}\": found nothing to measure, expected `call`", shown));
    if (function.varied.empty())
        throw InputError(
            fmt::format("function \"{}\": expected what can be varied; Varied::none, if nothing", shown));
    const bool has_argument = std::ranges::find(function.varied, Varied::argument) != function.varied.end();
    if (!has_argument && !(function.argument_name.empty() && function.argument_unit.empty()))
        throw InputError(fmt::format("function \"{}\": found a name or unit for its argument, expected "
                                     "Varied::argument among what can be varied",
                                     shown));
    if (function.type < 0)
        throw InputError(fmt::format("function \"{}\": found the type number {}, expected none below 0",
                                     shown, function.type));
    for (const OperationInfo& other : others)
        if (other.name == function.name)
            throw InputError(fmt::format("function \"{}\": its name is taken by another operation", shown));
        else if (function.type != 0 && other.type == function.type)
            throw InputError(fmt::format("function \"{}\": its type number {} is taken by {}", shown,
                                         function.type, printable(other.name)));
}

} // namespace skampi
