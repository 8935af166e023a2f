// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/variant_text.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "host/environment.hpp"
#include "model/launch_command.hpp"
#include "supervisor/launch.hpp"

#include <fmt/format.h>
#include <set>
#include <string_view>

namespace skampi {
namespace {

constexpr std::string_view words_expected =
    "expected 'NAME: WORD...' with words NAME=VALUE, unset=NAME, program=PATH, launch='... {n}' or args='...'";

void add_word(Variant& variant, const std::string& word, const std::string& whole) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    if (equals == std::string::npos || !is_variable_name(name == "unset" ? value : name))
        throw InputError(
            fmt::format("variant {}: found {}, {}", printable(whole), printable(word), words_expected));
    if (name == "program")
        variant.program = value;
    else if (name == "launch")
        variant.launch = value;
    else if (name == "args")
        variant.arguments = value;
    else if (name == "unset")
        variant.settings[value] = std::nullopt;
    else
        variant.settings[name] = value;
}

void check_settings(const Variant& variant) {
    for (const auto& [name, value] : variant.settings) {
        if (sounds_secret(name))
            throw InputError(
                fmt::format("variant {}: found the variable {}, whose name sounds like a secret's; "
                            "expected another: what a variant changes is stored with the results",
                            printable(variant.name), printable(name)));
        if (name.starts_with("SKAMPI_"))
            throw InputError(
                fmt::format("variant {}: found the variable {}, expected another: SKAMPI_ begins "
                            "those by which skampi-run talks to its jobs",
                            printable(variant.name), printable(name)));
    }
}

} // namespace

Variant parse_variant(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        throw InputError(fmt::format("variant {}: found no colon, {}", printable(text), words_expected));
    Variant variant;
    variant.name = text.substr(0, colon);
    while (!variant.name.empty() && variant.name.back() == ' ')
        variant.name.pop_back();
    for (const std::string& word : shell_words(text.substr(colon + 1), "variant"))
        add_word(variant, word, text);
    return variant;
}

std::vector<Variant> variants_against(const std::vector<std::string>& texts) {
    constexpr std::size_t longest_name = 40;
    std::vector<Variant> variants(1);
    variants.front().name = "default";
    for (const std::string& text : texts) {
        Variant& other = variants.emplace_back();
        for (const std::string& word : shell_words(text, "--against"))
            add_word(other, word, text);
        // The value says more than a long name.
        const std::string shown = printable(text);
        const std::size_t value_at = shown.size() > longest_name ? shown.find('=') + 1 : 0;
        other.name = std::string(first_bytes(shown.substr(value_at), longest_name));
        if (std::ranges::count(variants, other.name, &Variant::name) > 1)
            other.name =
                fmt::format("{} ({})", first_bytes(other.name, longest_name - 5), variants.size() - 1);
    }
    return variants;
}

void check_variants(const std::vector<Variant>& variants, bool same_on_purpose) {
    if (variants.size() < 2)
        throw InputError(fmt::format("found {}, expected two or more: --variant 'old:' --variant 'new: "
                                     "NAME=VALUE', or --variants for a section @VARIANTS",
                                     variants.empty() ? "no variant" : "one variant"));
    std::set<std::string> names;
    for (const Variant& variant : variants) {
        if (const std::string wrong = wrong_variant_name(variant.name); !wrong.empty())
            throw InputError(wrong);
        if (!names.insert(variant.name).second)
            throw InputError(
                fmt::format("found the variant {} twice, expected different names", printable(variant.name)));
        if (!variant.launch.empty() && variant.launch.find("{n}") == std::string::npos)
            throw InputError(
                fmt::format("variant {}: found the launcher {}, expected {{n}} in it, which stands "
                            "for the number of ranks",
                            printable(variant.name), printable(variant.launch)));
        if (variant.launch.find("{command}") != std::string::npos && !variant.arguments.empty())
            throw InputError(
                fmt::format("variant {}: found args with a launcher that has {{command}}, expected "
                            "the words in the launcher itself",
                            printable(variant.name)));
        check_settings(variant);
    }
    for (std::size_t i = 0; i < variants.size() && !same_on_purpose; ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (differ_in_name_alone(variants[k], variants[i]))
                throw InputError(
                    fmt::format("found no difference between the variants {} and {}, expected one; "
                                "--same compares equals on purpose",
                                printable(variants[k].name), printable(variants[i].name)));
}

namespace {

std::vector<std::string> variant_lines(const std::vector<Variant>& variants) {
    std::vector<std::string> lines;
    for (const Variant& variant : variants) {
        const std::string changes = variant_text(variant);
        lines.push_back(fmt::format("{}: {}", printable(variant.name),
                                    changes.empty() ? "nothing is changed" : printable(changes)));
    }
    return lines;
}

} // namespace

std::string variants_text(const std::vector<Variant>& variants) {
    return fmt::format("{}", fmt::join(variant_lines(variants), "; "));
}

std::string describe_variants(const std::vector<Variant>& variants) {
    if (variants.empty())
        return {};
    check_variants(variants, false);
    return fmt::format("variants, launched in turns with --variants:\n  {}\n",
                       fmt::join(variant_lines(variants), "\n  "));
}

} // namespace skampi
