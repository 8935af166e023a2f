// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "session/session_run.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/schedule.hpp"
#include "supervisor/supervisor.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// Launches the variants of a session by supervise(), one job at a time, and looks at results between rounds
/// by judge_session(): the same judgement ends a session and is reported.
class JobHands : public SessionHands {
public:
    using MakeWorld = std::function<std::unique_ptr<World>(const std::string& program)>;

    /// @param common what all launches have in common: database, ranks, launcher, arguments of the job, plan
    /// @param schedule of the rounds, without its begin
    /// @param view outlives this
    /// @param awaited, half_width as of look_result()
    JobHands(SuperviseOptions common, MakeWorld make_world, Schedule schedule, JobView& view,
             std::set<std::string> awaited = {}, double half_width = 0);

    LaunchEnd launch(const Variant& variant, const SessionPlace& place) override;
    std::optional<LookResult> look(const Session& session) override;
    int wait_for_round(const BeforeRound& before) override;
    [[nodiscard]] double now_s() override;
    void note(std::string_view text) override;

private:
    SuperviseOptions common_;
    MakeWorld make_world_;
    Schedule schedule_;
    std::optional<std::int64_t> last_slot_; ///< none = no round was waited for
    JobView& view_;
    std::set<std::string> awaited_;
    double half_width_;
    bool told_of_reading_ = false;
};

/// How the job of a launch is started: the common options with what the variant changes.
[[nodiscard]] SuperviseOptions launch_options(const SuperviseOptions& common, const Variant& variant,
                                              const SessionPlace& place);

/// Refuses a program that is no skampi-run of this version. @throws InputError naming the variant
void check_program(const Variant& variant);

} // namespace skampi
