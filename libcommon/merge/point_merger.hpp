// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/adjustment.hpp"
#include "merge/merge_way.hpp"
#include "merge/run_modes.hpp"
#include "model/measurement.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace skampi {

struct MergedMeasurement {
    Measurement measurement;
    MergeFacts facts;
};

/// Merges the values of all runs at one argument after the other.
class PointMerger {
public:
    /// @param runs, adjustment outlive this
    /// How the runs' values depend on one another.
    struct Launches {
        double correlation = 0;                    ///< as of skalib::merge_contributions()
        bool in_a_row = false;                     ///< MergeFacts::in_a_row
        std::function<double(double)> step_s = {}; ///< MachineKnowledge::step_s
        /// By mode, the average number of launches without doubt that a value rests on
        /// (sound_launches()); empty = modes are those of an argument.
        std::vector<double> sound = {};
    };
    PointMerger(std::span<const LazyCurve> runs, const SuiteAdjustment& adjustment, const MergeWay& way,
                const Launches& launches)
        : runs_(runs)
        , adjustment_(adjustment)
        , way_(way)
        , launches_(launches) {}

    /// @param values ascending runs; one at least is not left out, and reported
    /// @param preferred the mode to merge in, which a launch reports here; none = the most common one here
    [[nodiscard]] MergedMeasurement merge(std::int64_t argument, std::vector<RunValue>& values,
                                          std::optional<std::size_t> preferred);
    /// A point without a value, where no run has one: it keeps the flags that say why.
    [[nodiscard]] MergedMeasurement without_value(std::int64_t argument) const;
    /// A point without a value, where no launch reports one in the mode shown: a curve is of one mode.
    /// @param values of other modes, or measured while a rank had no core
    [[nodiscard]] MergedMeasurement without_value(std::int64_t argument, std::vector<RunValue>& values,
                                                  std::size_t shown) const;

private:
    [[nodiscard]] std::size_t choose_mode(const std::vector<RunValue>& values);
    void leave_doubtful_out(std::vector<RunValue>& values) const;
    [[nodiscard]] bool all_doubtful_go(std::span<const RunValue* const> of_mode, bool are_shorter) const;
    [[nodiscard]] skalib::MergedPoint merge_values(std::int64_t argument,
                                                   std::vector<skalib::Contribution> contributions,
                                                   double correlation) const;
    [[nodiscard]] skalib::MergedPoint merge_mode(std::int64_t argument, const std::vector<RunValue>& values,
                                                 std::size_t mode, double Measurement::*member) const;
    [[nodiscard]] Measurement chosen_measurement(const std::vector<RunValue>& values, std::size_t mode,
                                                 const skalib::MergedPoint& point) const;
    [[nodiscard]] double merge_positive(std::int64_t argument, const std::vector<const RunValue*>& used,
                                        double Measurement::*member) const;
    [[nodiscard]] std::vector<ModeValue> mode_values(std::int64_t argument,
                                                     const std::vector<RunValue>& values) const;
    void add_modes(const std::vector<RunValue>& values, std::size_t main, Measurement& m) const;
    void adjust(const std::vector<const RunValue*>& used, MergedMeasurement& merged) const;
    [[nodiscard]] Source source_of(const RunValue& value) const;
    [[nodiscard]] MergeFacts facts_of(const skalib::MergedPoint& point, const std::vector<RunValue>& values,
                                      std::size_t main) const;
    void add_sources(const skalib::MergedPoint& point, const std::vector<RunValue>& values, std::size_t main,
                     MergeFacts& facts) const;

    std::span<const LazyCurve> runs_;
    const SuiteAdjustment& adjustment_;
    MergeWay way_;
    Launches launches_;
    std::set<std::size_t> in_former_mode_; ///< runs in the mode chosen where there were last several
};

} // namespace skampi
