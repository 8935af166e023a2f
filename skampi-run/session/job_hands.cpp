// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/job_hands.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "runs/status.hpp"
#include "session/rounds.hpp"
#include "skalib/clock.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"
#include "supervisor/launch.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace skampi {
namespace {

/// Words that start a program with other variables than the launcher's: it may start the ranks anywhere.
std::vector<std::string> environment_words(const Variant& variant, const std::string& program) {
    if (variant.settings.empty())
        return {};
    std::vector<std::string> words{"env"};
    for (const auto& [name, value] : variant.settings)
        if (!value)
            words.insert(words.end(), {"-u", name});
    for (const auto& [name, value] : variant.settings)
        if (value)
            words.push_back(name + "=" + *value);
    if (program.find('=') != std::string::npos) // env would take it for a variable
        words.insert(words.end(), {"sh", "-c", "exec \"$0\" \"$@\""});
    return words;
}

/// The run of a place, if it has ended.
bool has_ended_run(const std::string& path, const SessionPlace& place, const std::string& variant) {
    try {
        return progress_of_session(Database::open(path), place.session).done.contains({place.round, variant});
    } catch (const StoreError&) {
        return false;
    }
}

/// Whether the disk of a database has no room for another launch.
bool is_on_full_disk(const std::string& path) {
    constexpr std::uintmax_t least_bytes = std::uintmax_t{1} << 20;
    std::error_code error;
    const std::filesystem::space_info space = std::filesystem::space(path, error);
    return !error && space.available < least_bytes;
}

bool is_written_by_others(const std::string& path) {
    return FileLock::holder(daemon_lock_path(path)) || FileLock::holder(FileLock::path_for(path));
}

} // namespace

SuperviseOptions launch_options(const SuperviseOptions& common, const Variant& variant,
                                const SessionPlace& place) {
    SuperviseOptions wanted = common;
    if (!variant.launch.empty())
        wanted.launch = variant.launch;
    if (!variant.arguments.empty())
        wanted.launch = (wanted.launch.empty() ? default_launch() : wanted.launch) + " " + variant.arguments;
    if (!variant.program.empty())
        wanted.executable = variant.program;
    else if (wanted.executable.empty() || !variant.launch.empty())
        wanted.executable = usual_program(wanted.launch);
    wanted.before_program = environment_words(variant, wanted.executable);
    std::string place_word = session_place_text(place);
    std::ranges::replace(place_word, ' ', '_'); // smpirun splits words at blanks
    wanted.job_arguments.insert(wanted.job_arguments.end(),
                                {"--variant", variant.name, "--session-place", place_word, "--launch-number",
                                 std::to_string(place.round)});
    Run known; // a variant's library, launcher and settings are not known before
    known.plan_hash = common.plan_hash;
    known.ranks = common.ranks;
    known.variant = variant.name;
    wanted.series = Series(known).forget("machine");
    wanted.fresh = true;
    // After a failed start the session tries once more at the end of the round.
    wanted.max_failures = std::min(common.max_failures, 2);
    wanted.runs = 1;
    wanted.launches = 1;
    wanted.brief = true;
    return wanted;
}

JobHands::JobHands(SuperviseOptions common, MakeWorld make_world, Schedule schedule, JobView& view,
                   std::set<std::string> awaited, double half_width)
    : common_(std::move(common))
    , make_world_(std::move(make_world))
    , schedule_(schedule)
    , view_(view)
    , awaited_(std::move(awaited))
    , half_width_(half_width) {
    view_.be_brief();
}

LaunchEnd JobHands::launch(const Variant& variant, const SessionPlace& place) {
    const double begin_s = now_s();
    SuperviseOptions wanted = launch_options(common_, variant, place);
    std::string last_words;
    wanted.on_error_line = [&](std::string_view line) {
        view_.error_line(line);
        if (!line.empty())
            last_words = printable(line);
    };
    LaunchEnd end;
    try {
        const std::unique_ptr<World> world = make_world_(variant.program);
        end.exit_status = supervise(wanted, *world);
    } catch (const SystemError& error) { // a launcher that is not there
        if (is_written_by_others(common_.database))
            throw; // not a fault of the variant
        end.exit_status = static_cast<int>(error.status());
        last_words = error.what();
    }
    end.has_run = has_ended_run(common_.database, place, variant.name);
    if (end.has_run)
        view_.step(
            fmt::format("round {}, {}: {:.1f} s", place.round, printable(variant.name), now_s() - begin_s));
    else if (is_on_full_disk(common_.database)) // not a fault of the variant either
        throw SystemError(
            fmt::format("{}: the launch gave no run, and less than 1 MiB is free there; make room, "
                        "and the same command goes on",
                        printable(common_.database)));
    else
        end.reason =
            fmt::format("exit status {}{}{}", end.exit_status, last_words.empty() ? "" : ": ", last_words);
    return end;
}

std::optional<LookResult> JobHands::look(const Session& session) {
    try {
        return look_at(Database::open(common_.database), session.uuid, awaited_, half_width_);
    } catch (const StoreError& error) {
        if (!std::exchange(told_of_reading_, true))
            note(fmt::format("warning: {}: the results cannot be read; the session makes all its rounds",
                             printable(error.what())));
        return std::nullopt;
    }
}

int JobHands::wait_for_round(const BeforeRound& before) {
    if (schedule_.every_s <= 0 && !schedule_.at_minute)
        return 0;
    const std::unique_ptr<World> world = make_world_({});
    if (!last_slot_) {
        schedule_.first_s = before.session_s;
        const bool begun = before.last_launch_s > 0;
        last_slot_ = begun ? slot_of(schedule_, before.last_launch_s) : no_slot;
        if (!begun && !schedule_.at_minute) { // the session began just now
            last_slot_ = 0;
            return 0;
        }
    }
    const Slot slot = next_slot(schedule_, *last_slot_, world->utc_s());
    last_slot_ = slot.index;
    if (slot.start_s > world->utc_s() + 1)
        note(fmt::format("round {} begins at {}", before.round, utc_text(slot.start_s)));
    while (world->utc_s() < slot.start_s) {
        const double step_s = std::min(slot.start_s - world->utc_s(), 60.0);
        if (const int signal = world->wait(world->monotonic_s() + step_s).signal;
            signal != 0 && signal != SIGHUP)
            return signal;
    }
    return 0;
}

double JobHands::now_s() {
    return skalib::steady_seconds();
}

void JobHands::note(std::string_view text) {
    view_.note(text);
}

void check_program(const Variant& variant) {
    // Only smpirun starts the program for simulated clusters; another version of it refuses the database.
    if (variant.program.empty() || variant.program.ends_with(".so"))
        return;
    const std::string expected = std::string("skampi-run ") + SKAMPI_VERSION + " ";
    Command command;
    command.argv = {variant.program, "--version"};
    command.timeout_s = 60;
    std::string found;
    try {
        const ChildResult result = run(std::move(command));
        found = result.ok() ? result.out.substr(0, result.out.find('\n')) : result.describe_end();
    } catch (const SystemError& error) {
        found = error.what();
    }
    if (!found.starts_with(expected))
        throw InputError(fmt::format("variant {}: {} --version: found {}, expected {}... : the same version, "
                                     "compiled with another MPI library",
                                     printable(variant.name), printable(variant.program), printable(found),
                                     expected));
}

} // namespace skampi
