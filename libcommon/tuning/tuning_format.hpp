#pragma once

#include "tuning/library_version.hpp"
#include "tuning/rule.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

enum class TuningFormat { open_mpi_rules, mpich_tree, environment, smpi_cfg };
/// As TuningFile::format.
[[nodiscard]] std::string_view to_text(TuningFormat value);

/// Whose file it is, by its text. @return none = it is of no format that is known
[[nodiscard]] std::optional<TuningFormat> format_of_text(std::string_view text);

/// The format that an output file's name asks for: *.conf, *.json, *.env, *.cfg. @return none = another name
[[nodiscard]] std::optional<TuningFormat> format_of_path(std::string_view path);

/// Which library reads a format; unknown = more than one.
[[nodiscard]] LibraryKind library_of(TuningFormat format);

/// A tuning file as it is to be written.
struct WrittenTuning {
    std::string text;
    /// What stands beside it in FILE.md where the format knows no comments; empty = nothing.
    std::string notes;
};

/// Writes the rules that can be written safely; sets `written` and `why_not` of all of them. Rules whose
/// why_not is set are not written. A rule may be split.
/// @pre rules of an operation do not overlap
/// @throws InputError where the target's library does not read the format, or is of an unknown version
[[nodiscard]] WrittenTuning write_tuning(TuningFormat format, const TuningTarget& target,
                                         std::vector<TuningRule>& rules);

} // namespace skampi
