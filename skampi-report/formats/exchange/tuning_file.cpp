// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/exchange/tuning_file.hpp"

#include "tuning/mpich_tree.hpp"
#include "tuning/rule_choice.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

namespace {

/// What no file is made of. @throws InputError
void refuse_study(const AlgorithmFindings* found, const std::string& database) {
    const std::string name = printable(database);
    if (!found)
        throw InputError(
            fmt::format("{}: found no launches of algorithms besides the default of the library, expected "
                        "launches with Algorithm = all (skampi-run tune makes them); merged runs hold none",
                        name));
    if (layer_of_files(*found).empty())
        throw InputError(
            fmt::format("{}: found no algorithm whose layer in the library is known and read from files, "
                        "expected the database that was measured: a result CSV leaves the layer out",
                        name));
    if (found->study.crowded)
        throw InputError(
            fmt::format("{}: ranks shared cores: these are times of the scheduler, expected a core "
                        "for each rank",
                        name));
    std::size_t most = 0;
    for (const AlgorithmWinners& each : found->winners)
        most = std::max(most, each.of->simulated ? launches_for_a_rule : each.of->launches);
    if (most < launches_for_a_rule)
        throw InputError(fmt::format("{}: found {} launch{}, expected {} for a tuning file", name, most,
                                     most == 1 ? "" : "es", launches_for_a_rule));
}

/// MPICH's tree in a file, which may be the library's own.
std::string base_tree(const std::string& path) {
    constexpr std::size_t most_bytes = std::size_t{16} << 20; // of a tree
    std::string text = file_text(path);
    if (text.starts_with("{") && text.size() > most_bytes)
        throw InputError(fmt::format("--base {}: found more than 16 MiB, expected a selection tree of MPICH",
                                     printable(path)));
    if (text.empty())
        throw InputError(fmt::format("--base {}: found no file that can be read, or an empty one, expected a "
                                     "selection tree of MPICH, or MPICH's library (libmpich.so)",
                                     printable(path)));
    if (text.starts_with("{"))
        return text;
    if (std::optional<std::string> tree = find_mpich_tree(text))
        return *tree;
    throw InputError(
        fmt::format("--base {}: found no selection tree of MPICH, expected one, or MPICH's library "
                    "(libmpich.so)",
                    printable(path)));
}

} // namespace

MadeTuning write_tuning_file(const AlgorithmFindings* found, const std::string& database,
                             const std::string& path, const std::string& base) {
    refuse_study(found, database);
    const std::optional<TuningFormat> format = format_of_path(path);
    if (!format)
        throw InputError(
            fmt::format("{}: expected a name that ends in .conf, .json, .env or .cfg", printable(path)));
    TuningTarget target = tuning_target(*found);
    target.created_utc = utc_now();
    target.path = path;
    std::vector<TuningRule> rules =
        rules_for(*format, tuning_rules(found->winners), rules_for_all_lengths(found->winners));
    if (*format == TuningFormat::mpich_tree && std::ranges::any_of(rules, &TuningRule::written)) {
        if (base.empty())
            throw InputError(
                "a file for MPICH is MPICH's own selection tree with other rules in it, expected "
                "--base with that tree or with MPICH's library (libmpich.so), or a name that ends "
                "in .env");
        target.base_text = base_tree(base);
    }
    MadeTuning made = make_tuning(*format, target, std::move(rules));
    if (made.written > 0)
        write_file(path, made.file.text);
    if (!made.notes.empty())
        write_own_file(path + ".md", made.notes);
    return made;
}

} // namespace skampi
