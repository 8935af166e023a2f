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
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace skampi {
namespace {

constexpr const char* open_mpi_switch = "OMPI_MCA_coll_tuned_use_dynamic_rules";

/// Sixteen an octave: between two of them a border is found by bisection.
std::vector<std::int64_t> looked_at() {
    std::vector<std::int64_t> lengths;
    for (double bytes = 1; bytes <= static_cast<double>(longest_tuned_bytes) + 1;
         bytes *= std::exp2(1.0 / 16))
        if (const auto whole = static_cast<std::int64_t>(std::lround(bytes));
            lengths.empty() || lengths.back() != whole)
            lengths.push_back(whole);
    return lengths;
}

/// What a file chooses for a length, in any words; none = what the library chooses without it.
using FiledChoice = std::function<std::optional<std::string>(std::string_view operation, std::int64_t bytes)>;

/// The ranges of one choice each, of an operation.
class RegionSearch {
public:
    RegionSearch(std::string_view operation, const FiledChoice& choice)
        : operation_(operation)
        , choice_(choice) {}

    std::vector<TunedRegion> regions(const std::vector<std::int64_t>& lengths) {
        first_ = lengths.front();
        now_ = choice_(operation_, first_);
        std::int64_t known = first_; // up to which it is the same
        for (const std::int64_t bytes : lengths) {
            while (choice_(operation_, bytes) != now_) {
                known = last_alike(known, bytes);
                end_at(known);
                first_ = ++known;
                now_ = choice_(operation_, first_);
            }
            known = bytes;
        }
        end_at(known);
        return std::move(regions_);
    }

private:
    /// The last length of the present choice before another one.
    [[nodiscard]] std::int64_t last_alike(std::int64_t low, std::int64_t other) const {
        while (other - low > 1) {
            const std::int64_t middle = std::midpoint(low, other);
            (choice_(operation_, middle) == now_ ? low : other) = middle;
        }
        return low;
    }

    void end_at(std::int64_t last) {
        if (now_)
            regions_.push_back({std::string(operation_), first_, last});
    }

    std::string_view operation_;
    const FiledChoice& choice_;
    std::int64_t first_ = 0;
    std::optional<std::string> now_;
    std::vector<TunedRegion> regions_;
};

std::vector<TunedRegion> regions_of(const FiledChoice& choice) {
    std::vector<TunedRegion> regions;
    const std::vector<std::int64_t> lengths = looked_at();
    for (const FiledOperation& operation : filed_operations())
        std::ranges::move(RegionSearch(operation.operation, choice).regions(lengths),
                          std::back_inserter(regions));
    return regions;
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

/// What the file says of itself is for another library.
void check_purpose(const TuningUse& use, const TuningUser& user) {
    const std::string notes = use.format == TuningFormat::mpich_tree ? file_text(use.path + ".md") : use.text;
    const std::string mark = use.format == TuningFormat::mpich_tree ? "- for: " : "# for: ";
    if (!notes.starts_with(mark))
        return;
    const std::string written_for = notes.substr(mark.size(), notes.find('\n') - mark.size());
    const LibraryVersion written = library_version(written_for);
    const LibraryVersion used = library_version(user.library);
    // Of SimGrid the version is not known here; an unknown word ends it.
    const bool fits = used.kind == LibraryKind::simgrid ? written.kind == used.kind : written == used;
    if (!fits)
        throw InputError(fmt::format("{}: found a file for {}, expected one for the library in use, {}",
                                     printable(use.path), printable(written_for), printable(user.library)));
}

void read_open_mpi(TuningUse& use, const TuningUser& user) {
    const OpenMpiRules rules = read_open_mpi_rules(use.text, library_version(user.library), use.path);
    for (const OpenMpiRules::Doubt& doubt : rules.doubts) {
        switch (doubt.what) {
        case OpenMpiDoubt::numbers_left_over:
            refuse(use, doubt.line, "a number behind the last rule", "as many rules as are announced");
        case OpenMpiDoubt::algorithm_out_of_range:
            refuse(use, doubt.line, "an algorithm that this version does not have",
                   "one of `skampi-run algorithms`: calls fail with MPI_ERR_ARG");
        case OpenMpiDoubt::border_without_meaning:
            refuse(use, doubt.line, "a length for an operation whose ranks may see different ones",
                   "one rule for all lengths: ranks can choose different algorithms and hang");
        default:
            use.notes.push_back(
                fmt::format("warning: {}:{}: {}", printable(use.path), doubt.line, to_text(doubt.what)));
        }
    }
    use.settings = {{open_mpi_switch, "1"}, {open_mpi_rules_variable, use.path}};
    const OpenMpiRules before = open_mpi_rules_in_use(use, library_version(user.library));
    use.regions = regions_of([&](std::string_view operation, std::int64_t bytes) {
        const OpenMpiRow row = open_mpi_choice(rules, operation, user.ranks, bytes);
        return row.does_the_same(open_mpi_choice(before, operation, user.ranks, bytes))
                   ? std::nullopt
                   : std::optional(
                         fmt::format("{} {} {} {}", row.algorithm, row.fan, row.segment_bytes, row.requests));
    });
}

void read_mpich(TuningUse& use, const TuningUser& user) {
    const MpichTree tree(use.text, use.path);
    for (const MpichTree::Doubt& doubt : tree.doubts())
        refuse(use, doubt.line,
               fmt::format("{}{}{}", to_text(doubt.what), doubt.where.empty() ? "" : " in ",
                           printable(doubt.where)),
               "a tree that serves every call");
    use.settings = {{mpich_tree_variables.front(), use.path}};
    for (const char* const name : mpich_tree_variables) // any of them may be set already
        if (std::getenv(name) != nullptr)
            use.settings[name] = use.path;
    if (user.own_tree.empty())
        return;
    const MpichTree own(user.own_tree, "selection tree of the library");
    if (const std::vector<std::string> lacking = tree.lacks(own); !lacking.empty())
        refuse(use, 0, fmt::format("no rules for collective={}", printable(lacking.front())),
               fmt::format("all {} collectives of the library that it lacks: calls without rules abort",
                           lacking.size()));
    const std::string before_text = mpich_tree_in_use(use, user.own_tree);
    const MpichTree before(before_text, "selection tree in use");
    use.regions = regions_of([&](std::string_view operation, std::int64_t bytes) {
        MpichCall call{.operation = operation, .ranks = user.ranks, .bytes = bytes};
        // Some operations the library makes node by node, with a communicator for the ranks of each.
        for (const bool of_all : {true, false}) {
            call.hierarchical = call.consecutive = of_all;
            if (const std::optional<std::string> chosen = tree.choice(call); chosen != before.choice(call))
                return std::optional(chosen.value_or(""));
        }
        return std::optional<std::string>();
    });
}

/// Any other variable may load a library or start a program, and ranks get all of them.
bool only_sets_a_number(const std::string& variable, const TuningUser& user) {
    return variable == open_mpi_switch || !operation_of_variable(variable).empty() ||
           user.numbers.contains(control_variable_of(variable));
}

void read_one_choice(TuningUse& use, const LibraryVersion& version, const TuningUser& user) {
    if (use.format == TuningFormat::smpi_cfg) {
        for (const auto& [operation, algorithm] : read_smpi_cfg(use.text, use.path)) {
            use.regions.push_back({operation, 1, longest_tuned_bytes});
            use.arguments += fmt::format("{}--cfg=smpi/{}:{}", use.arguments.empty() ? "" : " ",
                                         filed_operation(operation)->word, algorithm);
        }
        return;
    }
    use.settings = read_tuning_env(use.text, use.path);
    for (const auto& [variable, value] : use.settings) {
        if (variable.starts_with("OMPI_MCA_") != (version.kind == LibraryKind::open_mpi) ||
            !only_sets_a_number(variable, user))
            refuse(use, 0, printable(variable), "variables of the library in use that hold a number");
        if (const std::string operation = operation_of_variable(variable); !operation.empty())
            use.regions.push_back({operation, 1, longest_tuned_bytes});
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

std::string region_text(const TunedRegion& region) {
    if (region.bytes_high >= longest_tuned_bytes)
        return region.operation +
               (region.bytes_low > 1 ? " from " + format_length(region.bytes_low) + " on" : std::string());
    if (region.bytes_low == region.bytes_high)
        return region.operation + " at " + format_length(region.bytes_low);
    return fmt::format("{} from {} to {}", region.operation, format_length(region.bytes_low),
                       format_length(region.bytes_high));
}

TuningUse read_tuning_use(const std::string& path, const TuningUser& user) {
    TuningUse use;
    std::error_code error;
    use.path = std::filesystem::absolute(path, error).lexically_normal().string();
    if (error || !std::filesystem::is_regular_file(use.path, error))
        throw InputError(fmt::format("{}: found no file, expected a tuning file", printable(path)));
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
    // Beside another file in use, what both files need is the default's, too.
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
