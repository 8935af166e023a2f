// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/tuning_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace skampi {

namespace {

struct FormatRow {
    TuningFormat format;
    std::string_view name;   ///< TuningFile::format
    std::string_view ending; ///< of a file's name
    LibraryKind library;     ///< that reads it; unknown = more than one
};

constexpr auto formats = std::to_array<FormatRow>({
    {TuningFormat::open_mpi_rules, "open mpi rules", ".conf", LibraryKind::open_mpi},
    {TuningFormat::mpich_tree, "mpich tree", ".json", LibraryKind::mpich},
    {TuningFormat::environment, "environment", ".env", LibraryKind::unknown},
    {TuningFormat::smpi_cfg, "smpi.cfg", ".cfg", LibraryKind::simgrid},
});

const FormatRow& row_of(TuningFormat format) {
    return *std::ranges::find(formats, format, &FormatRow::format);
}

/// The first line that is no comment.
std::string_view first_line(std::string_view text) {
    while (!text.empty()) {
        const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!text.starts_with('#'))
            return text.substr(0, end);
        text.remove_prefix(end);
    }
    return {};
}

} // namespace

std::string_view to_text(TuningFormat value) {
    return row_of(value).name;
}

std::optional<TuningFormat> format_of_text(std::string_view text) {
    const std::string_view line = first_line(text);
    if (line.starts_with('{'))
        return text.find("\"collective=") == std::string_view::npos ? std::nullopt
                                                                    : std::optional(TuningFormat::mpich_tree);
    if (line.starts_with("--cfg="))
        return TuningFormat::smpi_cfg;
    if (line.starts_with("rule-file-version-") ||
        (!line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0))
        return TuningFormat::open_mpi_rules;
    const std::string_view variable = line.starts_with("export ") ? line.substr(7) : line;
    for (const std::string_view beginning : {"MPIR_CVAR_", "MPIR_PARAM_", "MPICH_", "OMPI_MCA_"})
        if (variable.starts_with(beginning) && variable.find('=') != std::string_view::npos)
            return TuningFormat::environment;
    return std::nullopt;
}

std::optional<TuningFormat> format_of_path(std::string_view path) {
    for (const FormatRow& row : formats)
        if (path.ends_with(row.ending))
            return row.format;
    return std::nullopt;
}

LibraryKind library_of(TuningFormat format) {
    return row_of(format).library;
}

} // namespace skampi
