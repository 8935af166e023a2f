#include "tuning/tuning_format.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tuning/head_comment.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/one_choice.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

constexpr auto format_names = std::to_array<std::pair<TuningFormat, std::string_view>>({
    {TuningFormat::open_mpi_rules, "open mpi rules"},
    {TuningFormat::mpich_tree, "mpich tree"},
    {TuningFormat::environment, "environment"},
    {TuningFormat::smpi_cfg, "smpi.cfg"},
});

constexpr auto endings = std::to_array<std::pair<std::string_view, TuningFormat>>({
    {".conf", TuningFormat::open_mpi_rules},
    {".json", TuningFormat::mpich_tree},
    {".env", TuningFormat::environment},
    {".cfg", TuningFormat::smpi_cfg},
});

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
    return std::ranges::find(format_names, value, &std::pair<TuningFormat, std::string_view>::first)->second;
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
    for (const auto& [ending, format] : endings)
        if (path.ends_with(ending))
            return format;
    return std::nullopt;
}

LibraryKind library_of(TuningFormat format) {
    switch (format) {
    case TuningFormat::open_mpi_rules:
        return LibraryKind::open_mpi;
    case TuningFormat::mpich_tree:
        return LibraryKind::mpich;
    case TuningFormat::smpi_cfg:
        return LibraryKind::simgrid;
    case TuningFormat::environment:
        break;
    }
    return LibraryKind::unknown;
}

WrittenTuning write_tuning(TuningFormat format, const TuningTarget& target, std::vector<TuningRule>& rules) {
    const LibraryVersion version = library_version(target.library);
    const LibraryKind wanted = library_of(format);
    const bool fits =
        wanted == LibraryKind::unknown ? version.kind != LibraryKind::simgrid : version.kind == wanted;
    if (!has_known_files(version) || !fits)
        throw InputError(fmt::format("found the library \"{}\", expected one that reads this format ({}): {}",
                                     printable(target.library), to_text(format),
                                     wanted == LibraryKind::unknown ? "MPICH 4.0 to 4.3, Open MPI 4.1 and 5.0"
                                                                    : known_versions(wanted)));
    switch (format) {
    case TuningFormat::open_mpi_rules:
        return {write_open_mpi_rules(target, rules), {}};
    case TuningFormat::mpich_tree: {
        WrittenTuning written{write_mpich_tree(target, rules), {}};
        written.notes = head_comment(target, rules, "- ");
        return written;
    }
    case TuningFormat::environment:
        return {write_tuning_env(target, rules), {}};
    case TuningFormat::smpi_cfg:
        break;
    }
    return {write_smpi_cfg(target, rules), {}};
}

} // namespace skampi
