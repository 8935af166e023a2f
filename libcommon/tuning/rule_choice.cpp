// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/rule_choice.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tuning/head_comment.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/one_choice.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

bool tells_lengths(TuningFormat format, const std::string& operation) {
    const FiledOperation* const filed = filed_operation(operation);
    if (!filed)
        return true; // refused by the writer, with its reason
    switch (format) {
    case TuningFormat::open_mpi_rules:
        return filed->open_mpi != LengthUnit::none;
    case TuningFormat::mpich_tree:
        return filed->mpich != LengthUnit::none;
    case TuningFormat::environment:
    case TuningFormat::smpi_cfg:
        break;
    }
    return false;
}

void refuse_other_library(TuningFormat format, const TuningTarget& target) {
    const LibraryVersion version = library_version(target.library);
    const LibraryKind wanted = library_of(format);
    const bool fits =
        wanted == LibraryKind::unknown ? version.kind != LibraryKind::simgrid : version.kind == wanted;
    if (!has_known_files(version) || !fits)
        throw InputError(fmt::format("found the library \"{}\", expected one that reads this format ({}): {}",
                                     printable(target.library), to_text(format),
                                     wanted == LibraryKind::unknown ? "MPICH 4 and 5, Open MPI 4.1 and 5.0"
                                                                    : known_versions(wanted)));
}

/// The file; sets `written` and `why_not` of all rules, of which one may be split.
std::string text_of(TuningFormat format, const TuningTarget& target, std::vector<TuningRule>& rules) {
    if (format == TuningFormat::open_mpi_rules)
        return write_open_mpi_rules(target, rules);
    return format == TuningFormat::mpich_tree ? write_mpich_tree(target, rules)
                                              : write_choices(format, target, rules);
}

} // namespace

std::vector<TuningRule> rules_for(TuningFormat format, const std::vector<TuningRule>& by_length,
                                  const std::vector<TuningRule>& for_all_lengths) {
    std::vector<TuningRule> rules;
    for (const TuningRule& rule : by_length)
        if (tells_lengths(format, rule.operation))
            rules.push_back(rule);
    for (const TuningRule& rule : for_all_lengths)
        if (!tells_lengths(format, rule.operation))
            rules.push_back(rule);
    return rules;
}

MadeTuning make_tuning(TuningFormat format, const TuningTarget& target, std::vector<TuningRule> rules) {
    refuse_other_library(format, target);
    MadeTuning made;
    made.file.run = target.run;
    made.file.format = to_text(format);
    made.file.library = target.library;
    made.file.created_utc = target.created_utc;
    const bool replaces = !target.replaces.empty();
    if (replaces || std::ranges::any_of(rules, &TuningRule::written)) {
        std::string text = text_of(format, target, rules);
        made.written = static_cast<int>(std::ranges::count_if(rules, &TuningRule::written));
        if (made.written > 0 || replaces) {
            made.file.path = target.path;
            made.file.text = std::move(text);
            if (format == TuningFormat::mpich_tree) // which has no comments
                made.notes = head_comment(target, rules, "- ");
        }
    }
    made.file.rules = std::move(rules);
    return made;
}

} // namespace skampi
