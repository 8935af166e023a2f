#include "verify/read_proof.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "host/environment.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

constexpr const char* canary_word = "skampi_canary";
const std::string canary_call = "MPI_Bcast:65536";

/// How the names of the copies that this host makes of a file begin; a process follows.
std::string copies_of(const std::string& path) {
    std::array<char, 256> host{};
    (void)gethostname(host.data(), host.size() - 1);
    return fmt::format("{}.{}.{}.", path, canary_word, host.data());
}

/// Also of one that nobody has waited for yet: it has no program any more.
bool is_dead(pid_t pid) {
    if (kill(pid, 0) != 0)
        return errno == ESRCH;
    std::error_code error;
    (void)std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), error);
    return error == std::errc::no_such_file_or_directory && std::filesystem::exists("/proc/self/exe", error);
}

/// Those that killed processes of this host left.
void remove_dead_copies(const std::string& path) {
    const std::filesystem::path begin = copies_of(path);
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(begin.parent_path(), error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin.filename().string()))
            continue;
        const std::string process = name.substr(begin.filename().string().size());
        pid_t pid = 0;
        const auto read = std::from_chars(process.data(), process.data() + process.size(), pid);
        if (read.ec == std::errc() && read.ptr == process.data() + process.size() && pid > 0 && is_dead(pid))
            std::filesystem::remove(entry.path(), error);
    }
}

/// A copy of the file beside it, removed at the end, or by who comes next.
class Copy {
public:
    Copy(const std::string& path, const std::string& text)
        : path_(copies_of(path) + std::to_string(getpid())) {
        remove_dead_copies(path);
        write_own_file(path_, text);
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;
    ~Copy() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string last_line(const std::string& text) {
    std::istringstream lines(text);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            last = line;
    return printable(last);
}

std::string end_text(const ChildResult& end) {
    const std::string line = last_line(end.err.empty() ? end.out : end.err);
    return end.describe_end() + (line.empty() ? "" : ": " + line);
}

/// The questions that the file's own choices must answer without an error.
std::vector<std::string> questions_of(const TuningUse& use) {
    std::vector<std::string> questions;
    for (const TunedRegion& region : use.regions)
        for (const std::int64_t bytes :
             {region.bytes_low, std::min<std::int64_t>(region.bytes_high, 1 << 20)})
            if (bytes >= region.bytes_low)
                questions.push_back(fmt::format("{}:{}", region.operation, bytes));
    if (questions.empty()) // no choice changes; that the program starts is to be seen all the same
        questions.push_back(canary_call);
    return questions;
}

Variant tuned_by(const TuningUse& use, const std::string& path) {
    Variant variant = variants_of(use).back();
    for (auto& [name, value] : variant.settings)
        if (value == use.path)
            value = path;
    return variant;
}

/// The file itself must not make a rank fail.
ReadProof prove_harmless(const TuningUse& use, int ranks, const LaunchProbe& launch) {
    const std::vector<std::string> questions = questions_of(use);
    const ProbeAnswer answer = launch(tuned_by(use, use.path), questions);
    for (const std::string& question : questions)
        if (answer.of_all(question, ranks) != 0)
            return {false, fmt::format("with the file {} fails: {}", question.substr(0, question.find(':')),
                                       answer.answers.contains(question) ? "an error of the library"
                                                                         : end_text(answer.end))};
    if (!answer.end.ok())
        return {false, "with the file the program ends with " + end_text(answer.end)};
    return {true, {}};
}

/// By what Open MPI shows of itself.
std::string likely_reason(const ProbeAnswer& answer, int ranks) {
    const auto number = [&](const char* name) { return answer.of_all(name, ranks); };
    if (number("coll_tuned_use_dynamic_rules") == 0)
        return "coll_tuned_use_dynamic_rules is off in the ranks: another file or option sets it";
    const auto tuned = number("coll_tuned_priority");
    for (const char* other : {"coll_han_priority", "coll_hcoll_priority", "coll_ucc_priority",
                              "coll_xhc_priority", "coll_acoll_priority"})
        if (const auto priority = number(other); priority && tuned && *priority > *tuned)
            return fmt::format("{} ({}) is above coll_tuned_priority ({}): another component answers calls "
                               "before coll/tuned, which alone reads such files (see it with --mca "
                               "coll_base_verbose 10)",
                               other, *priority, *tuned);
    return "the path may not be readable on each node";
}

ReadProof prove_open_mpi(const TuningUse& use, int ranks, int error_class, const LaunchProbe& launch) {
    const Copy copy(use.path, "1 # collective\n7 # MPI_Bcast\n1\n0 1\n0 1000 0 0\n");
    const ProbeAnswer with =
        launch(tuned_by(use, copy.path()), {"coll_tuned_use_dynamic_rules", "coll_tuned_priority",
                                            "coll_han_priority", "coll_hcoll_priority", "coll_ucc_priority",
                                            "coll_xhc_priority", "coll_acoll_priority", canary_call});
    if (with.of_all(canary_call, ranks) == error_class)
        return prove_harmless(use, ranks, launch);
    const auto answers = with.answers.find(canary_call);
    if (answers == with.answers.end())
        return {false, "the program did not start: " + end_text(with.end)};
    const auto failed = std::ranges::count_if(
        answers->second, [&](const auto& answer) { return answer.second == error_class; });
    if (failed > 0)
        return {false, fmt::format("{} of {} ranks read it: the path is not the same file on each node",
                                   failed, ranks)};
    return {false, likely_reason(with, ranks)};
}

ReadProof prove_mpich(const TuningUse& use, int ranks, const LaunchProbe& launch) {
    const std::size_t brace = use.text.find('{');
    const std::string text = fmt::format(R"({0}{{"{1}":{{"algorithm={1}":{{}}}},{2})",
                                         use.text.substr(0, brace), canary_word, use.text.substr(brace + 1));
    const Copy copy(use.path, text + (text.size() % 4096 == 0 ? " " : ""));
    const ProbeAnswer with = launch(tuned_by(use, copy.path()), {canary_call});
    const bool complains = (with.end.err + with.end.out).find(canary_word) != std::string::npos;
    if (with.end.ok() || with.answers.contains(canary_call))
        return {false, "a copy with an unknown key was not refused"};
    if (!complains)
        return {false, "the program did not start: " + end_text(with.end)};
    return prove_harmless(use, ranks, launch);
}

/// The name under which MPI_T knows a variable of the environment.
std::string control_variable(const std::string& variable) {
    const std::string known = control_variable_of(variable);
    return known.empty() ? variable : known;
}

ReadProof prove_variables(const TuningUse& use, int ranks, const LaunchProbe& launch) {
    std::vector<std::string> questions;
    for (const auto& [name, value] : use.settings)
        questions.push_back(control_variable(name));
    const std::vector<Variant> variants = variants_of(use);
    const ProbeAnswer without = launch(variants.front(), questions);
    const ProbeAnswer with = launch(variants.back(), questions);
    for (const auto& [name, value] : use.settings) {
        const std::string question = control_variable(name);
        const auto now = with.of_all(question, ranks);
        if (!now)
            return {false, with.answers.empty() ? "the program did not start: " + end_text(with.end)
                                                : question + " is no variable of the library"};
        if (now == without.of_all(question, ranks) && value != std::to_string(*now))
            return {false, question + " has the same value without the file"};
    }
    return prove_harmless(use, ranks, launch);
}

ReadProof prove_simgrid(const TuningUse& use, int ranks, const LaunchProbe& launch) {
    Variant wrong = variants_of(use).back();
    wrong.arguments = wrong.arguments.substr(0, wrong.arguments.find(':') + 1) + canary_word;
    const ProbeAnswer with = launch(wrong, {canary_call});
    if (with.end.ok() || with.answers.contains(canary_call))
        return {false, "an unknown word was not refused"};
    return prove_harmless(use, ranks, launch);
}

} // namespace

std::optional<int> ProbeAnswer::of_all(const std::string& question, int ranks) const {
    const auto found = answers.find(question);
    if (found == answers.end() || found->second.size() != static_cast<std::size_t>(ranks))
        return std::nullopt;
    const int first = found->second.begin()->second;
    const bool alike =
        std::ranges::all_of(found->second, [&](const auto& answer) { return answer.second == first; });
    return alike ? std::optional(first) : std::nullopt;
}

ProbeAnswer parse_probe(ChildResult ended) {
    ProbeAnswer answer;
    std::istringstream lines(ended.out);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string mark;
        std::string question;
        int rank = 0;
        int value = 0;
        if (words >> mark >> rank >> question >> value && mark == "skampi-probe")
            answer.answers[question][rank] = value;
    }
    answer.end = std::move(ended);
    return answer;
}

ReadProof prove_read(const TuningUse& use, int ranks, int error_class_of_argument,
                     const LaunchProbe& launch) {
    switch (use.format) {
    case TuningFormat::open_mpi_rules:
        return prove_open_mpi(use, ranks, error_class_of_argument, launch);
    case TuningFormat::mpich_tree:
        return prove_mpich(use, ranks, launch);
    case TuningFormat::environment:
        return prove_variables(use, ranks, launch);
    case TuningFormat::smpi_cfg:
        break;
    }
    return prove_simgrid(use, ranks, launch);
}

} // namespace skampi
