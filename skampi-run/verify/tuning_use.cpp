// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verify/tuning_use.hpp"

#include "algorithms/tuning_in_use.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "host/environment.hpp"
#include "model/quantity.hpp"
#include "tuning/mpich_tree.hpp"
#include "tuning/one_choice.hpp"
#include "tuning/open_mpi_rules.hpp"
#include "tuning/units.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace skampi {
namespace {

constexpr const char* open_mpi_switch = "OMPI_MCA_coll_tuned_use_dynamic_rules";

/// By operation: the last length before another choice, in our message length.
using Borders = std::map<std::string, std::set<std::int64_t>>;

/// More of an operation are no rules that anybody made.
constexpr std::size_t most_borders = 64;

void add_regions(TuningUse& use, const Borders& borders) {
    for (const auto& [operation, lengths] : borders) {
        std::int64_t first = 1;
        std::size_t count = 0;
        for (const std::int64_t last : lengths) {
            if (++count > most_borders)
                break;
            use.regions.push_back({operation, first, last});
            first = last + 1;
        }
        use.regions.push_back(region_from(operation, first, any_length));
        if (lengths.size() > most_borders)
            use.notes.push_back(
                fmt::format("warning: {}: {} has {} borders between lengths: those above {} are measured "
                            "as one range",
                            printable(use.path), operation, lengths.size(), format_length(first)));
    }
}

[[noreturn]] void refuse(const TuningUse& use, int line, std::string_view found, std::string_view expected) {
    throw InputError(fmt::format("{}{}: found {}, expected {}", printable(use.path),
                                 line > 0 ? fmt::format(":{}", line) : "", found, expected));
}

/// The file that the library reads without this one; empty = none, or this one.
std::string file_in_use(const TuningUse& use, LibraryKind library) {
    const auto files = tuning_files_in_use(library);
    return files.empty() || files.begin()->second == use.path ? std::string() : files.begin()->second;
}

/// The rules that hold without the file.
OpenMpiRules open_mpi_rules_in_use(const TuningUse& use, const LibraryVersion& version) {
    const char* const dynamic = std::getenv(open_mpi_switch);
    const std::string path = file_in_use(use, LibraryKind::open_mpi);
    if (path.empty() || dynamic == nullptr || std::string_view(dynamic) == "0")
        return {};
    try {
        return read_open_mpi_rules(file_text(path), version, path);
    } catch (const InputError&) { // Open MPI drops it
        return {};
    }
}

/// The tree that holds without the file.
std::string mpich_tree_in_use(const TuningUse& use, const std::string& own_tree) {
    const std::string path = file_in_use(use, LibraryKind::mpich);
    const std::string text = path.empty() ? std::string() : file_text(path);
    return text.empty() ? own_tree : text;
}

/// What the file says of itself: it is for another library, or another version of this one.
void check_purpose(TuningUse& use, const TuningUser& user) {
    const std::string notes = use.format == TuningFormat::mpich_tree ? file_text(use.path + ".md") : use.text;
    const std::string mark = use.format == TuningFormat::mpich_tree ? "- for: " : "# for: ";
    if (!notes.starts_with(mark))
        return;
    const std::string written_for = notes.substr(mark.size(), notes.find('\n') - mark.size());
    const LibraryVersion written = library_version(written_for);
    const LibraryVersion used = library_version(user.library);
    if (written.kind != used.kind)
        throw InputError(fmt::format("{}: found a file for {}, expected one for the library in use, {}",
                                     printable(use.path), printable(written_for), printable(user.library)));
    // Of SimGrid the version is not known here.
    if (written != used && used.kind != LibraryKind::simgrid)
        use.notes.push_back(fmt::format("warning: {} was made for {}, and is used with {}",
                                        printable(use.path), printable(written_for),
                                        printable(user.library)));
}

void read_open_mpi(TuningUse& use, const TuningUser& user) {
    const OpenMpiRules rules = read_open_mpi_rules(use.text, library_version(user.library), use.path);
    for (const OpenMpiRules::Doubt& doubt : rules.doubts) {
        if (const std::string_view expected = expected_instead_of(doubt.what); !expected.empty())
            refuse(use, doubt.line, to_text(doubt.what), expected);
        use.notes.push_back(
            fmt::format("warning: {}:{}: {}", printable(use.path), doubt.line, to_text(doubt.what)));
    }
    use.settings = {{open_mpi_switch, "1"}, {open_mpi_rules_variable, use.path}};
    Borders borders = open_mpi_borders(rules, user.ranks);
    for (auto& [operation, lengths] :
         open_mpi_borders(open_mpi_rules_in_use(use, library_version(user.library)), user.ranks))
        borders[operation].merge(lengths);
    add_regions(use, borders);
}

void read_mpich(TuningUse& use, const TuningUser& user) {
    constexpr std::size_t smallest_page = 4096; // larger ones are multiples of it
    if (use.text.size() % smallest_page == 0)
        refuse(use, 0, "a file of whole pages", "a blank more: MPICH reads beyond the end of such a file");
    const MpichBranches tree = read_mpich_branches(use.text, use.path, user.ranks);
    use.settings = {{mpich_tree_variables.front(), use.path}};
    for (const char* const name : mpich_tree_variables) // any of them may be set already
        if (std::getenv(name) != nullptr)
            use.settings[name] = use.path;
    MpichBranches before;
    if (!user.own_tree.empty()) {
        for (const auto& [word, branch] :
             read_mpich_branches(user.own_tree, "selection tree of the library", user.ranks))
            if (!tree.contains(word))
                refuse(use, 0, fmt::format("no rules for collective={}", word),
                       "all collectives of the library: calls without rules abort");
        const std::string in_use = mpich_tree_in_use(use, user.own_tree);
        before = read_mpich_branches(in_use, "selection tree in use", user.ranks);
    }
    Borders borders;
    for (const FiledOperation& operation : filed_operations())
        if (const auto branch = tree.find(std::string(operation.word)); branch != tree.end()) {
            const MpichBranch& usual = before[branch->first];
            if (branch->second.content == usual.content)
                continue;
            std::set<std::int64_t>& lengths = borders[std::string(operation.operation)];
            lengths = branch->second.borders;
            lengths.insert(usual.borders.begin(), usual.borders.end());
        }
    add_regions(use, borders);
}

/// Any other variable may load a library or start a program, and ranks get all of them.
bool only_sets_a_number(const std::string& variable, const TuningUser& user) {
    return variable == open_mpi_switch || !operation_of_variable(variable).empty() ||
           user.numbers.contains(control_variable_of(variable));
}

void read_one_choice(TuningUse& use, const LibraryVersion& version, const TuningUser& user) {
    for (const auto& [name, value] : read_choices(use.format, use.text, use.path)) {
        if (use.format == TuningFormat::smpi_cfg)
            use.arguments += fmt::format("{}--cfg={}:{}", use.arguments.empty() ? "" : " ", name, value);
        else if (name.starts_with("OMPI_MCA_") != (version.kind == LibraryKind::open_mpi) ||
                 !only_sets_a_number(name, user))
            refuse(use, 0, printable(name), "variables of the library in use that hold a number");
        else
            use.settings[name] = value;
        if (const std::string operation = operation_of_variable(name); !operation.empty())
            use.regions.push_back(region_from(operation, 1, any_length));
    }
}

/// What the environment sets, and the library follows instead of the file.
void add_what_comes_before(TuningUse& use, const LibraryVersion& version) {
    const auto has_region = [&](const std::string& operation) {
        return std::ranges::find(use.regions, operation, &TunedRegion::operation) != use.regions.end();
    };
    const bool of_variables = use.format == TuningFormat::environment;
    const bool file_first = follows_file_before_choice(version);
    if (of_variables && file_first)
        for (const auto& [variable, file] : tuning_files_in_use(version.kind))
            use.notes.push_back(fmt::format("warning: {} names {}: where it has rules for an operation, this "
                                            "library follows them and not {}; type unset {}",
                                            variable, printable(file), printable(use.path), variable));
    if (of_variables || file_first)
        return;
    for (const ChoiceInUse& choice : choices_in_use(version.kind))
        if (has_region(choice.operation))
            use.notes.push_back(
                fmt::format("warning: {}={} is set: the library follows it and not the file in {}; "
                            "type unset {}",
                            choice.variable, printable(choice.value), choice.operation, choice.variable));
}

} // namespace

TunedRegion region_from(const std::string& operation, std::int64_t low, std::int64_t high) {
    if (operation == "MPI_Barrier")
        return {operation, 0, 0};
    return {operation, std::max<std::int64_t>(1, low), high};
}

std::string region_text(const TunedRegion& region) {
    return region.operation + where_text(region.bytes_low, region.bytes_high);
}

TuningUse read_tuning_use(const std::string& path, const TuningUser& user) {
    TuningUse use;
    std::error_code error;
    use.path = std::filesystem::absolute(path, error).lexically_normal().string();
    if (error || !std::filesystem::is_regular_file(use.path, error))
        throw InputError(fmt::format("{}: found no file, expected a tuning file", printable(path)));
    constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;
    if (std::filesystem::file_size(use.path, error) > most_bytes)
        throw InputError(fmt::format("{}: found more than 16 MiB, expected a tuning file", printable(path)));
    use.text = file_text(use.path);
    if (use.text.empty())
        throw InputError(fmt::format("{}: found nothing that can be read, expected a tuning file "
                                     "(is it empty, or not readable for this user?)",
                                     printable(path)));
    const std::optional<TuningFormat> format = format_of_text(use.text);
    if (!format)
        throw InputError(fmt::format("{}: found a file of no known format, expected rules of Open MPI, a "
                                     "selection tree of MPICH, variables or options of smpirun",
                                     printable(path)));
    use.format = *format;
    const LibraryVersion version = library_version(user.library);
    const LibraryKind wanted = library_of(use.format);
    if (!has_known_files(version) || (wanted != LibraryKind::unknown && wanted != version.kind))
        throw InputError(fmt::format("{}: found {} for {}, expected a file for the library in use, {}",
                                     printable(path), to_text(use.format), known_versions(wanted),
                                     printable(user.library)));
    check_purpose(use, user);
    if (use.format == TuningFormat::open_mpi_rules)
        read_open_mpi(use, user);
    else if (use.format == TuningFormat::mpich_tree)
        read_mpich(use, user);
    else
        read_one_choice(use, version, user);
    add_what_comes_before(use, version);
    return use;
}

std::uint64_t content_mark(std::string_view text) {
    Fnv1a mark;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (!text.starts_with('#'))
            mark.add(text.substr(0, end)).add("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return mark.value();
}

std::vector<Variant> variants_of(const TuningUse& use) {
    Variant own{.name = "default", .program = use.program, .launch = {}, .arguments = {}, .settings = {}};
    Variant tuned = own;
    tuned.name = "tuned";
    tuned.arguments = use.arguments;
    const auto is_set = [](const auto& setting) {
        const char* const now = std::getenv(setting.first.c_str());
        return now != nullptr && setting.second == now;
    };
    const auto names_file = [&](const auto& setting) { return setting.second == use.path; };
    // With another file in use, what both files need is the default's, too.
    const bool takes_away =
        std::ranges::none_of(use.settings, names_file) ||
        std::ranges::any_of(use.settings, [&](const auto& each) { return names_file(each) && is_set(each); });
    for (const auto& setting : use.settings) {
        tuned.settings[setting.first] = setting.second;
        if (names_file(setting))
            tuned.settings[tuning_content_variable] = fmt::format("{:016x}", content_mark(use.text));
        if (takes_away && is_set(setting))
            own.settings[setting.first] = std::nullopt;
    }
    return {own, tuned};
}

} // namespace skampi
