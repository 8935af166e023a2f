// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/head_comment.hpp"

#include "base/text.hpp"
#include "tuning/library_version.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace skampi {

namespace {

std::string ranks_text(const TuningRule& rule) {
    return rule.ranks_low == rule.ranks_high ? fmt::format("{} ranks", rule.ranks_low)
                                             : fmt::format("{} to {} ranks", rule.ranks_low, rule.ranks_high);
}

} // namespace

std::string head_comment(const TuningTarget& target, const std::vector<TuningRule>& rules,
                         std::string_view mark) {
    std::string text;
    const auto line = [&](std::string_view name, const std::string& value) {
        if (!value.empty())
            text += fmt::format("{}{}: {}\n", mark, name, printable(value));
    };
    line("for", target.library);
    line("ranks", target.ranks);
    line("hosts", target.hosts);
    line("placement", target.placement);
    line("database", target.database);
    line("run", target.run);
    line("date", target.created_utc);
    if (target.disturbed > 0)
        line("not sure", fmt::format("other work on the cores disturbed {} of {} launches", target.disturbed,
                                     target.launches));
    line("smallest gain", fmt::format("{:.3g} %", 100 * target.gain));
    line("verified", target.verified_ranks > 0 ? fmt::format("yes, with {} ranks", target.verified_ranks)
                                               : "no; skampi-run verify does it");
    line("instead of", target.replaces);
    line("use", line_to_use(target));
    for (const TuningRule& rule : rules) {
        const std::string where =
            fmt::format("{}, {}", ranks_text(rule), lengths_text(rule.bytes_low, rule.bytes_high));
        if (rule.written)
            line(rule.operation,
                 fmt::format("{}: {}, {}{}", where, rule.algorithm, gain_text(rule),
                             rule.launches > 0 ? fmt::format(", {} launches", rule.launches) : ""));
        else if (!rule.algorithm.empty())
            line(rule.operation, fmt::format("{}: own choice of the library; {} is not written: {}", where,
                                             rule.algorithm, to_text(rule.why_not)));
    }
    return text;
}

std::string line_to_use(const TuningTarget& target) {
    std::error_code error; // users are elsewhere
    const std::string path =
        for_shell(std::filesystem::absolute(target.path, error).lexically_normal().string());
    const bool is_environment = target.path.ends_with(".env");
    if (target.path.empty())
        return {};
    if (is_environment)
        return fmt::format("set -a; . {}; set +a", path);
    switch (library_version(target.library).kind) {
    case LibraryKind::open_mpi:
        return fmt::format("export OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
                           "OMPI_MCA_coll_tuned_dynamic_rules_filename={}",
                           path);
    case LibraryKind::mpich:
        return fmt::format("export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={}", path);
    case LibraryKind::simgrid:
        return fmt::format("smpirun $(grep -v '^#' {}) ...", path);
    case LibraryKind::unknown:
        break;
    }
    return {};
}

} // namespace skampi
