// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/launch_command.hpp"

#include "model/series.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {
namespace {

/// Only where a shell needs them.
std::string in_quotes(const std::string& word) {
    const bool plain = std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("/._-+,:=@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain && !word.empty())
        return word;
    // What keeps its meaning inside of double quotes.
    const bool nested =
        word.find('\'') != std::string::npos && word.find_first_of("\"$`\\!") == std::string::npos;
    return nested ? '"' + word + '"' : for_shell(word);
}

using Words = std::vector<std::string>;

/// @param valued options that a value follows: "-n 2", "-n2", "--ranks=2"   @param alone words of their own
Words without(const Words& words, std::span<const std::string_view> valued,
              std::span<const std::string_view> alone) {
    Words kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const auto begins = [&](std::string_view option) {
            return word.starts_with(option) &&
                   (word.size() == option.size() || !option.starts_with("--") || word[option.size()] == '=');
        };
        if (std::ranges::find(alone, word) != alone.end())
            continue;
        if (const auto option = std::ranges::find_if(valued, begins); option != valued.end())
            i += word == *option ? 1 : 0;
        else
            kept.push_back(words[i]);
    }
    return kept;
}

/// What a user typed, the program first; empty = not known.
Words words_of(const Run& run) {
    Words words;
    if (const auto typed = run.facts.find(fact_command); typed != run.facts.end()) {
        std::istringstream lines(typed->second);
        for (std::string word; std::getline(lines, word);)
            words.push_back(word);
    }
    return words;
}

bool is_of(const Run& run, std::string_view command) {
    const Words words = words_of(run);
    return words.size() > 1 && words[1] == command;
}

/// "skampi-run" or "skampi-run tune" and the words after it, each behind a space: parameter file, suites,
/// further options. Without the launcher and the options of a session.
struct TypedCommand {
    std::string program;
    std::string plan;
};
TypedCommand typed_command(const Run& run) {
    Words words = words_of(run);
    if (words.empty())
        return {"skampi-run", {}};
    TypedCommand typed{as_typed(words.front()), {}};
    words.erase(words.begin());
    constexpr std::string_view launcher[] = {"--launch"};
    constexpr std::string_view of_session[] = {"--against", "--rounds", "--margin", "--time",
                                               "--seed",    "-o",       "--output"};
    constexpr std::string_view flags[] = {"compare", "--race", "--same"};
    words = without(words, launcher, {});
    if (is_of(run, "tune")) {
        typed.program += " tune";
        words.erase(words.begin());
    } else {
        for (auto word = words.begin(); word != words.end();) { // those to launch in turns, not a name
            const bool variant =
                *word == "--variant" && word + 1 != words.end() && word[1].find(':') != std::string::npos;
            word = variant ? words.erase(word, word + 2) : word + 1;
        }
        words = without(words, of_session, flags);
    }
    for (const std::string& word : words)
        typed.plan += " " + as_typed(word);
    return typed;
}

constexpr std::size_t most_variables = 6;

/// A variable that only the other library reads (Open MPI or MPICH).
bool is_of_another_library(const std::string& name, const Run& run) {
    if (name.starts_with("OMPI_MCA_"))
        return run.mpi_library.starts_with("MPICH");
    return name.starts_with("MPIR_CVAR_") && run.mpi_library.starts_with("Open MPI");
}

/// The variables of a run that its library may read, to put before its command; each followed by a space.
std::string setting_words(const Run& run, const std::map<std::string, std::string>& settings) {
    if (settings.size() > most_variables || settings.contains(tuning_content_variable))
        return {};
    std::string words;
    for (const auto& [name, value] : settings)
        if (name != program_setting && !is_of_another_library(name, run))
            words += printable(name + "=" + in_quotes(value)) + " ";
    return words;
}

/// For a launch of variants, the variables that no variant changes.
std::map<std::string, std::string> unchanged_settings(const Run& launch, std::span<const Variant> variants) {
    std::map<std::string, std::string> settings = launch.settings;
    for (const Variant& variant : variants)
        for (const auto& [name, value] : variant.settings)
            settings.erase(name);
    return settings;
}

/// Line ends separate words as blanks do, and a command that is shown is one line.
std::string on_one_line(std::string words) {
    std::ranges::replace(words, '\n', ' ');
    return words;
}

/// What --launch was; empty = as usual, or not known.
std::string launch_words(const Run& run) {
    const Words words = words_of(run);
    constexpr std::string_view option = "--launch";
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == option && i + 1 < words.size())
            return on_one_line(words[i + 1]);
        if (words[i].starts_with("--launch="))
            return on_one_line(words[i].substr(option.size() + 1));
    }
    return {};
}

/// Whether a command makes the run again: of a merged run the one that made all of its runs.
bool is_repeatable(const Run& run) {
    return !words_of(run).empty() && run.forced_differences.empty() &&
           run.mpi_library != library_without_mpi && !run.facts.contains(fact_read_from) &&
           !is_of(run, "verify") && (!is_simulated(run) || !launch_words(run).empty());
}

} // namespace

std::string binding_launcher(const std::string& launcher) {
    if (launcher == "Hydra")
        return "mpiexec -bind-to core -n {n}";
    if (launcher == "Open MPI")
        return "mpiexec --bind-to core -n {n}";
    if (launcher == "Slurm")
        return "srun --cpu-bind=cores -n {n}";
    return {};
}

std::string bound_launch(const std::string& words, const std::string& launcher) {
    const std::string known = binding_launcher(launcher);
    if (words.empty() || known.empty() || words.find("bind") != std::string::npos) // it binds otherwise
        return known;
    const std::size_t options = known.find(' ');
    const std::size_t end = known.find(" -n {n}");
    const std::size_t place = std::min(words.find(' '), words.size());
    const std::size_t slash = words.rfind('/', place);
    const std::string_view program =
        std::string_view(words).substr(slash == std::string::npos ? 0 : slash + 1);
    if (!program.starts_with("mpiexec") && !program.starts_with("mpirun") && !program.starts_with("srun"))
        return {}; // another program starts the launcher: where the options belong is not known
    return words.substr(0, place) + known.substr(options, end - options) + words.substr(place);
}

std::string as_typed(const std::string& word) {
    return printable(in_quotes(word));
}

std::string launch_option(const Run& run, bool bound) {
    std::string words = launch_words(run);
    if (const std::string binding = bound_launch(words, run.launcher); bound && !binding.empty())
        words = binding;
    return words.empty() ? "" : " --launch " + as_typed(words);
}

bool can_be_bound(const Run& run) {
    return !bound_launch(launch_words(run), run.launcher).empty();
}

bool was_tuned(const Run& run) {
    return is_of(run, "tune");
}
bool was_verified(const Run& run) {
    return is_of(run, "verify");
}

std::string command_fact(int argc, const char* const* argv) {
    constexpr std::string_view valued[] = {"-np",
                                           "-n",
                                           "--ranks",
                                           "-d",
                                           "--database",
                                           "--launches",
                                           "--launch-number",
                                           "--progress",
                                           "--expect-ranks",
                                           "--runs",
                                           "--every",
                                           "--at"};
    constexpr std::string_view alone[] = {"daemon", "--fresh"};
    return fmt::format("{}", fmt::join(without(Words(argv, argv + argc), valued, alone), "\n"));
}

std::string verify_command(const std::string& file, int ranks, const std::string& launcher) {
    return fmt::format("skampi-run verify {} -n {}{}", as_typed(file), ranks,
                       launcher.empty() ? "" : " --launch " + as_typed(launcher));
}

std::string verify_command(const std::string& file, const Run& measured) {
    return verify_command(file, measured.ranks, launch_words(measured));
}

std::string next_database(const std::string& path) {
    const std::string ending = path.ends_with(".db") ? ".db" : "";
    std::string stem = path.substr(0, path.size() - ending.size());
    const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
    constexpr std::size_t most_digits = 4; // more of them are a date
    int number = 2;
    if (digits > 1 && digits < stem.size() && stem.size() - digits <= most_digits &&
        stem[digits - 1] == '-') {
        number = std::stoi(stem.substr(digits)) + 1;
        stem.erase(digits - 1);
    }
    return fmt::format("{}-{}.db", stem, number);
}

std::string launch_command(const Run& run, int ranks, std::size_t launches, const std::string& database,
                           bool bound) {
    if (!is_repeatable(run))
        return {};
    const TypedCommand typed = typed_command(run);
    const bool plans = was_tuned(run) || typed.plan.find(" --until") != std::string::npos;
    const bool counts = launches > 1 && !plans; // they plan their launches themselves
    return setting_words(run, run.settings) + typed.program + typed.plan + fmt::format(" -n {}", ranks) +
           (counts ? fmt::format(" --launches {}", launches) : "") + launch_option(run, bound) + " -d " +
           as_typed(database);
}

std::string variant_text(const Variant& variant) {
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + in_quotes(word); };
    for (const auto& [name, value] : variant.settings)
        add(value ? name + "=" + *value : "unset=" + name);
    if (!variant.program.empty())
        add("program=" + variant.program);
    if (!variant.launch.empty())
        add("launch=" + variant.launch);
    if (!variant.arguments.empty())
        add("args=" + variant.arguments);
    return text;
}

namespace {

/// The options that make them: --against if these are its algorithm and the default.
std::string variants_words(const std::vector<Variant>& variants) {
    const Variant& reference = variants.front();
    const bool against =
        variants.size() > 1 && reference.name == "default" && variant_text(reference).empty() &&
        std::all_of(variants.begin() + 1, variants.end(),
                    [](const Variant& variant) { return variant.name == variant_text(variant); });
    std::string text;
    for (std::size_t i = against ? 1 : 0; i < variants.size(); ++i) {
        const std::string words = variant_text(variants[i]);
        text += against
                    ? " --against " + as_typed(words)
                    : " --variant " + as_typed(variants[i].name + ":" + (words.empty() ? "" : " ") + words);
    }
    return text;
}

} // namespace

std::string session_command(const Session& session, const Run& launch, const std::string& database) {
    constexpr double minute_s = 60;
    if (was_tuned(launch) || was_verified(launch))
        return {};
    const TypedCommand typed = typed_command(launch);
    std::string text = setting_words(launch, unchanged_settings(launch, session.variants)) +
                       fmt::format("{} compare{} -n {}", typed.program, typed.plan, session.ranks);
    if (!session.launch.empty())
        text += " --launch " + as_typed(on_one_line(session.launch));
    const auto is_of_file = [](const Variant& variant) {
        return variant.settings.contains(tuning_content_variable);
    };
    if (std::ranges::any_of(session.variants, is_of_file))
        return {};
    text += variants_words(session.variants);
    if (session.first_look != session.most_rounds)
        text += fmt::format(" --rounds {}..{}", session.first_look, session.most_rounds);
    else
        text += fmt::format(" --rounds {}", session.most_rounds);
    text += fmt::format(" --margin {:g}%", 100 * session.margin);
    if (session.time_limit_s > 0)
        text += std::fmod(session.time_limit_s, minute_s) == 0
                    ? fmt::format(" --time {:.0f}m", session.time_limit_s / minute_s)
                    : fmt::format(" --time {:.0f}s", session.time_limit_s);
    const bool same = std::ranges::any_of(session.variants, [&](const Variant& variant) {
        return &variant != &session.variants.front() &&
               differ_in_name_alone(variant, session.variants.front());
    });
    return text + (session.race ? " --race" : "") + (same ? " --same" : "") + " -d " + as_typed(database);
}

namespace {

/// The assignments of a run's variables that differ between two runs.
Variant variant_of(const std::string& name, const Run& run, const Run& other) {
    Variant variant;
    variant.name = name;
    for (const auto& [key, value] : run.settings)
        if (const auto there = other.settings.find(key);
            there == other.settings.end() || there->second != value)
            variant.settings[key] = value;
    for (const auto& [key, value] : other.settings)
        if (!run.settings.contains(key))
            variant.settings[key] = std::nullopt;
    if (variant.settings.erase(program_setting) > 0)
        variant.program = words_of(run).front();
    if (launch_words(run) != launch_words(other))
        variant.launch = launch_words(run);
    return variant;
}

Series without_what_a_variant_changes(Run run) {
    run.settings.clear();
    run.variant.clear();
    Series series(run);
    for (const char* field : {"launcher", "placement", "binding"}) // which follow from --launch
        series.forget(field);
    return series;
}

} // namespace

std::string compare_command(const Run& reference, const Run& other, const std::string& database) {
    if (!is_repeatable(reference) || !is_repeatable(other) || reference.ranks < 1 ||
        is_simulated(reference) || reference.host != other.host ||
        without_what_a_variant_changes(reference) != without_what_a_variant_changes(other))
        return {};
    const std::array variants{variant_of("a", reference, other), variant_of("b", other, reference)};
    const bool differ = !variants.back().settings.empty() ||
                        variants.front().launch != variants.back().launch ||
                        variants.front().program != variants.back().program;
    // Without --launch a variant has the usual launcher, which nothing names.
    const bool named = variants.front().launch.empty() == variants.back().launch.empty();
    const bool rebuilt = // the file of one of them is gone
        !variants.back().program.empty() && variants.front().program == variants.back().program;
    if (!differ || !named || rebuilt || variants.back().settings.size() > most_variables ||
        variants.back().settings.contains(tuning_content_variable))
        return {};
    const TypedCommand typed = typed_command(reference);
    std::string text = setting_words(reference, unchanged_settings(reference, variants)) +
                       fmt::format("{} compare{} -n {}", typed.program, typed.plan, reference.ranks);
    if (variants.front().launch.empty())
        text += launch_option(reference);
    for (const Variant& variant : variants) {
        const std::string words = variant_text(variant);
        text += " --variant " + as_typed(variant.name + ":" + (words.empty() ? "" : " ") + words);
    }
    return text + " -d " + as_typed(database);
}

} // namespace skampi
