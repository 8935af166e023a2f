#include "verify/verify_task.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "runs/told_by_supervisor.hpp"
#include "session/job_hands.hpp"
#include "store/database.hpp"
#include "supervisor/launch.hpp"
#include "verify/probe.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace skampi {

LaunchProbe probe_launcher(const SuperviseOptions& common) {
    return [common](const Variant& variant, const std::vector<std::string>& questions) {
        const SuperviseOptions wanted = launch_options(common, variant, {});
        std::vector<std::string> words = wanted.before_program;
        words.push_back(wanted.executable);
        words.push_back("verify");
        for (const std::string& question : questions)
            words.insert(words.end(), {"--probe", question});
        Command command;
        command.argv =
            launch_words(wanted.launch.empty() ? default_launch() : wanted.launch, common.ranks, words);
        command.environment.emplace(supervisor_variable, name_of_process(getpid()));
        command.timeout_s = longest_read_probe_s;
        command.death_signal = SIGTERM;
        return parse_probe(run(std::move(command)));
    };
}

std::string verify_plan_path(const std::string& database) {
    return database + ".verify.skampi";
}

void write_verify_plan(const TuningUse& use, const std::vector<VerifySuite>& planned, const std::string& path,
                       int ranks) {
    if (planned.empty())
        throw InputError(fmt::format("{}: found no rule that changes a choice of the library with {} ranks, "
                                     "expected one (or a parameter file behind it, to measure all the same)",
                                     printable(use.path), ranks));
    write_own_file(path, verify_plan(planned));
}

std::unique_ptr<const VerifiedFile> verified_file(const std::string& path, std::vector<VerifySuite> planned) {
    const Database database = Database::open(path);
    auto file = std::make_unique<VerifiedFile>(read_session(database), std::move(planned));
    file->faults = faults_of_session(database, file->launches.session);
    return file;
}

int tell_verified(const TuningUse& use, const VerifiedFile& file) {
    const bool slower = file.slower_somewhere();
    const bool faulty = file.faulty_somewhere();
    const bool judged = file.judged();
    const std::size_t open = file.open();
    std::string text = verified_text(file);
    text +=
        fmt::format("{}: the library reads it; {}{}\n", printable(use.path),
                    faulty    ? "do not use it: operations failed or delivered wrong data, as named above"
                    : slower  ? "slower at the lengths named above"
                    : !judged ? "too few launches were complete to compare times"
                              : "no rule is shown to be slower",
                    open > 0 && judged
                        ? fmt::format("; {} not decided: more --time or --rounds may decide {}",
                                      open == 1 ? "1 line above is" : fmt::format("{} lines above are", open),
                                      open == 1 ? "it" : "them")
                        : "");
    write_standard_output(text);
    return static_cast<int>(faulty || slower || !judged ? ExitStatus::incomplete : ExitStatus::done);
}

} // namespace skampi
