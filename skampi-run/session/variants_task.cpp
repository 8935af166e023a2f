// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/variants_task.hpp"

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "host/program.hpp"
#include "runs/earlier_launches.hpp"
#include "runs/status.hpp"
#include "session/job_hands.hpp"
#include "session/session_run.hpp"
#include "session/session_sums.hpp"
#include "session/variant_text.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>

namespace skampi {
namespace {

constexpr double usual_time_s = 3600;
constexpr double longest_report_s = 3600;

std::vector<Variant> wanted_variants(const Options& options, const ParameterFile& plan) {
    if (!options.against.empty() && !options.variant_specs.empty())
        throw InputError("found both --against and --variant, expected one of them");
    if (!options.against.empty())
        return variants_against(options.against);
    std::vector<Variant> variants;
    for (const std::string& spec : options.variant_specs)
        variants.push_back(parse_variant(spec));
    return options.has_variants() ? variants : plan.variants;
}

Session wanted_session(const Options& options, const SuperviseOptions& common,
                       std::vector<Variant> variants) {
    Session session;
    session.plan_hash = common.plan_hash;
    session.ranks = common.ranks;
    session.launch = common.launch;
    session.variants = std::move(variants);
    session.margin = options.margin;
    session.error = 0.05;
    session.seed = options.seed;
    session.race = options.race;
    session.decides = options.task == Task::compare || options.task == Task::verify;
    session.first_look = options.first_look;
    session.most_rounds = options.most_rounds;
    session.time_limit_s = options.time_s.value_or(session.decides ? usual_time_s : 0);
    if (!session.decides) {
        constexpr std::int64_t endless = 1'000'000;
        std::int64_t runs = 1;
        if (options.task == Task::daemon)
            runs = options.runs > 0 ? std::min(options.runs, endless) : endless;
        session.most_rounds = static_cast<int>(std::min(runs * options.launches, endless));
        session.first_look = session.most_rounds;
    }
    return session;
}

/// Makes each launch record the library's values of the variables that variants change.
void add_read_back(SuperviseOptions& common, const std::vector<Variant>& variants) {
    std::set<std::string> names;
    for (const Variant& variant : variants)
        for (const auto& [name, value] : variant.settings)
            names.insert(name);
    if (!names.empty())
        common.job_arguments.insert(common.job_arguments.end(),
                                    {"--read-back", fmt::format("{}", fmt::join(names, ","))});
}

/// Refuses a report without a known kind or folder before hours of measuring.
void check_output(const Options& options, const std::string& database) {
    if (options.output.empty())
        return;
    const std::optional<ChildResult> result = call_report({database, "-o", options.output, "--only-check"});
    if (!result || result->exit_status != static_cast<int>(ExitStatus::bad_input))
        return;
    constexpr std::string_view prefix = "skampi-report: ";
    std::string_view why = result->err;
    if (why.starts_with(prefix))
        why.remove_prefix(prefix.size());
    throw InputError("-o " + printable(std::string(why.substr(0, why.find('\n')))));
}

} // namespace

bool report_result(const Options& options, const std::string& database, JobView& view) {
    std::vector<std::vector<std::string>> calls;
    if (options.task != Task::verify) // which reports the result itself
        calls.push_back({database});
    if (!options.output.empty())
        calls.push_back({database, "-o", options.output});
    bool done = true;
    for (const std::vector<std::string>& call : calls) {
        const std::optional<ChildResult> result = call_report(call, longest_report_s);
        if (!result) {
            view.note("warning: skampi-report is neither next to this program nor in PATH: no report");
            return false;
        }
        if (call.size() == 1 && options.progress != ProgressKind::json)
            write_standard_output(result->out);
        if (!result->ok()) {
            view.note(printable("warning: skampi-report: " + result->describe_end() + " " + result->err));
            done = false;
        } else if (call.size() > 1) {
            view.note("report: " + printable(options.output));
        }
    }
    return done;
}

std::string session_summary_line(const std::string& path, int exit_status) {
    if (exit_status > 128)
        return line_without_sums(path, exit_status);
    try {
        const Database database = Database::open(path);
        const bool refused = exit_status == static_cast<int>(ExitStatus::bad_input);
        if (const std::vector<Session> sessions = database.sessions(); !sessions.empty() && !refused) {
            const std::string& uuid = sessions.back().uuid;
            return session_line(sums_of_session(database, uuid), look_at(database, uuid), exit_status == 0);
        }
    } catch (const Error&) {
        // The reason has been reported already: there is nothing to sum up.
    }
    return line_without_sums(path, exit_status);
}

int launch_variants(const Options& options, const ParameterFile& plan, const SuperviseOptions& common,
                    JobView& view, const std::set<std::string>& awaited) {
    SessionWish wish;
    wish.fresh = options.fresh;
    wish.once = options.task != Task::supervise;
    if (!options.variant.empty())
        throw InputError(
            fmt::format("found the name --variant {} and variants that are launched in turns, expected "
                        "'NAME: WORD...'",
                        printable(options.variant)));
    wish.session = wanted_session(options, common, wanted_variants(options, plan));
    check_variants(wish.session.variants, options.same);
    for (const Variant& variant : wish.session.variants)
        check_program(variant);
    check_output(options, common.database);
    SuperviseOptions of_all = common;
    add_read_back(of_all, wish.session.variants);
    const auto world_of = [&common](const std::string& program) {
        return make_world(common.database, program);
    };
    if (const std::string variable = algorithm_variable(wish.session.variants);
        !variable.empty() && options.task == Task::compare)
        view.note(fmt::format(
            "{} chooses an algorithm: the key Algorithm in the parameter file compares algorithms "
            "in the same launches, where compare needs many",
            printable(variable)));
    std::set<std::int64_t> lengths;
    for (const Suite& suite : plan.suites)
        lengths.merge(lengths_near_settings(suite, wish.session.variants));
    if (!lengths.empty())
        view.note(fmt::format("a setting may be a message length: from round 2 on, lengths of {} bytes are "
                              "measured, too",
                              fmt::join(lengths, ", ")));
    JobHands hands(std::move(of_all), world_of,
                   Schedule{.first_s = 0, .every_s = options.every_s, .at_minute = options.at_minute}, view,
                   awaited, options.precision.half_width);
    const int status = run_session(common.database, wish, hands);
    view.clear();
    if (status > 128) // by a signal; ranks that got it, too, may not have said so
        view.note("stopped: the same command goes on with the launch that is missing");
    if (status > static_cast<int>(ExitStatus::incomplete))
        return status;
    const bool reported = report_result(options, common.database, view);
    return reported ? status : static_cast<int>(ExitStatus::incomplete);
}

} // namespace skampi
