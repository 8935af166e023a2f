// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tune/tune_run.hpp"

#include "tune/tune_outcome.hpp"
#include "tune/tune_plan.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <span>
#include <utility>

namespace skampi {

namespace {

constexpr std::size_t new_borders = 4;        ///< of an operation in a launch
constexpr double share_of_launches = 2.0 / 3; ///< of the time; the rest is for the verification

/// Ranks that move make launches differ. Binding is advised where no rank can move to a free core: else it
/// does harm (docs/decisions/binding.md).
std::string unbound_warning(const TuneLook& look) {
    const std::string bound = look.cores_to_spare ? binding_launcher(look.launcher) : std::string();
    return "warning: ranks are not bound to cores: launches differ more, and small gains stay open" +
           (bound.empty()
                ? std::string()
                : fmt::format("; --launch '{}' binds them, if the jobs of your users are bound", bound));
}

class Tuning {
public:
    Tuning(const TuneWish& wish, TuneHands& hands)
        : wish_(wish)
        , hands_(hands)
        , begin_s_(hands.now_s()) {}

    int run() {
        if (const int status = measure(); status > static_cast<int>(ExitStatus::incomplete))
            return status;
        if (look_.ranks_share_cores)
            throw InputError(
                "ranks share cores: these are times of the scheduler, expected a core for each rank");
        if (!look_.has_rules())
            throw InputError(
                "no operation has another algorithm than the default, with values: see the suites "
                "that failed (skampi-run status)");
        if (!look_.simulated && look_.launches < launches_for_a_rule)
            throw InputError(fmt::format(
                "{}: found {}, expected {} for a tuning file: call the same command again, which goes "
                "on, or with a longer --time",
                printable(wish_.database), count_of(look_.launches, "launch", "launches"),
                launches_for_a_rule));
        std::vector<TuningRule> rules = rules_for(wish_.format, look_.rules, look_.for_all_lengths);
        MadeTuning made = make(std::move(rules));
        hands_.write(made, verified_);
        const int status = made.file.text.empty() ? 0 : verify(made);
        if (status <= static_cast<int>(ExitStatus::incomplete))
            hands_.store(made.file);
        return status;
    }

private:
    /// @return exit status of the last launch
    int measure() {
        look();
        std::vector<WantedLength> borders;
        double longest_s = 0;
        for (int launch = 0; launch < wish_.most_launches; ++launch) {
            const std::size_t news = wish_.borders ? add_borders(borders, look_.wanted, new_borders) : 0;
            // What was not measured yet is measured; an operation without algorithms stays unknown.
            const bool some_are_new = launch == 0 && look_.missing > 0;
            if (!some_are_new && (look_.ranks_share_cores || is_enough(look_, news)))
                return 0;
            const double start_s = hands_.now_s();
            if (wish_.time_s && launch > 0 &&
                start_s - begin_s_ + longest_s > share_of_launches * *wish_.time_s) {
                hands_.note("the time for launches is used up: the rest of --time is for the verification");
                return 0;
            }
            hands_.note(fmt::format("launch {}{}", launch + 1,
                                    news > 0 ? fmt::format(", {} lengths at borders more", news) : ""));
            if (const int status =
                    hands_.launch(borders, some_are_new ? std::set<std::string>() : due(borders, news));
                status > static_cast<int>(ExitStatus::incomplete))
                return status;
            longest_s = std::max(longest_s, hands_.now_s() - start_s);
            look();
        }
        return 0;
    }

    /// Operations that are decided are not launched again. @return empty = all are due
    [[nodiscard]] std::set<std::string> due(std::span<const WantedLength> borders, std::size_t news) const {
        if (look_.launches < launches_for_a_rule)
            return {};
        std::set<std::string> operations = look_.open_operations();
        for (const WantedLength& border : borders.last(news))
            operations.insert(border.operation);
        return operations;
    }

    void look() {
        look_ = hands_.look();
        if (look_.has_rules() && !look_.ranks_bound && !look_.ranks_share_cores &&
            !std::exchange(warned_, true))
            hands_.note(unbound_warning(look_));
    }

    [[nodiscard]] static bool is_enough(const TuneLook& look, std::size_t new_lengths) {
        if (!look.has_rules() || new_lengths > 0)
            return false;
        return look.simulated || (look.launches >= launches_for_a_rule && look.open_operations().empty());
    }

    MadeTuning make(std::vector<TuningRule> rules) {
        TuningTarget target = look_.target;
        target.path = wish_.path;
        target.created_utc = wish_.created_utc;
        target.base_text = wish_.base_text;
        target.verified_ranks = verified_ ? wish_.ranks : 0;
        target.replaces = keeps_in_use_ ? std::string() : wish_.in_use;
        return make_tuning(wish_.format, target, std::move(rules));
    }

    /// A file without rules that is not faster than the one in use is none.
    int keep_in_use(MadeTuning& made) {
        keeps_in_use_ = true;
        made = make(std::move(made.file.rules));
        hands_.write(made, verified_);
        return 0;
    }

    [[nodiscard]] std::optional<double> time_left() const {
        return wish_.time_s ? std::optional(std::max(1.0, *wish_.time_s - (hands_.now_s() - begin_s_)))
                            : std::nullopt;
    }

    int verify(MadeTuning& made) {
        constexpr int incomplete = static_cast<int>(ExitStatus::incomplete);
        constexpr int tries = 2;
        for (int time = 0; time < tries; ++time) {
            const Verified found = hands_.verify(time_left());
            if (found.status > incomplete)
                return found.status;
            const bool passed = found.status == static_cast<int>(ExitStatus::done);
            if (made.written == 0 && !(passed && found.faster))
                return keep_in_use(made);
            if (passed) {
                const bool had_rules = made.written > 0;
                take_out(found.unconfirmed, WhyNot::not_faster_when_checked, made.file.rules);
                verified_ = true;
                made = make(std::move(made.file.rules)); // its comments say so
                if (had_rules && made.written == 0)
                    return keep_in_use(made);
                hands_.write(made, verified_);
                return 0;
            }
            if (!found.read || time + 1 == tries || !take_out(found, made.file.rules))
                return incomplete;
            made = make(std::move(made.file.rules));
            hands_.write(made, verified_);
            if (made.file.text.empty())
                return 0;
        }
        return incomplete;
    }

    /// @return whether there was one
    bool take_out(const Verified& found, std::vector<TuningRule>& rules) {
        bool any = take_out(found.faulty, WhyNot::faulty_when_checked, rules);
        any = take_out(found.slower, WhyNot::not_faster_when_checked, rules) || any;
        return any;
    }

    bool take_out(const std::vector<TunedRegion>& regions, WhyNot why, std::vector<TuningRule>& rules) {
        bool any = false;
        for (TuningRule& rule : rules)
            if (rule.written && is_on(rule, wish_.ranks) &&
                std::ranges::find(regions, region_of(rule)) != regions.end()) {
                hands_.note(fmt::format("{}: {}: the rule is taken out",
                                        printable(region_text(region_of(rule))), to_text(why)));
                rule.written = false;
                rule.why_not = why;
                any = true;
            }
        return any;
    }

    const TuneWish& wish_;
    TuneHands& hands_;
    double begin_s_;
    bool verified_ = false;
    bool warned_ = false;
    bool keeps_in_use_ = false;
    TuneLook look_;
};

} // namespace

int tune(const TuneWish& wish, TuneHands& hands) {
    return Tuning(wish, hands).run();
}

} // namespace skampi
