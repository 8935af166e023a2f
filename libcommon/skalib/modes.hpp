// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// The machine's modes, distinguished by a probe: a quick reference operation before and after each batch.
/// Modes are numbered from the fastest, 0, by their probe value.
class ModeSplit {
public:
    /// Sorts the probe values and cuts where two neighbours differ by at least min_ratio *and* each side has
    /// at least min_share of the values and at least two: a single slow probe is no mode. The largest gap is
    /// cut first. No values give one mode.
    /// @param probes_s any order, all > 0; @param max_modes at least 1
    /// @throws std::invalid_argument when a probe or a limit is impossible
    explicit ModeSplit(std::span<const double> probes_s, double min_ratio = 1.4, double min_share = 0.02,
                       std::size_t max_modes = 4);

    [[nodiscard]] std::size_t count() const { return cuts_.size() + 1; }
    /// The mode of one probe value.
    [[nodiscard]] std::size_t mode(double probe_s) const;
    /// The mode of a batch between two probes; none when they lie in different modes or differ by min_ratio.
    [[nodiscard]] std::optional<std::size_t> mode(double probe_before_s, double probe_after_s) const;

private:
    std::vector<double> cuts_; ///< ascending; a probe below cuts_[i] is in mode <= i
    double min_ratio_;
};

/// The probe values of a running measurement. They are kept sorted, so that a new split costs one pass over
/// them, and only when split() is called.
class ProbeHistory {
public:
    /// @param min_ratio as for ModeSplit
    explicit ProbeHistory(double min_ratio = 1.4)
        : min_ratio_(min_ratio)
        , split_({}, min_ratio) {}
    void add(std::span<const double> probes_s); ///< any order, all > 0
    /// For all values so far; valid until the next add().
    [[nodiscard]] const ModeSplit& split() const;

private:
    double min_ratio_;
    std::vector<double> sorted_s_;
    mutable ModeSplit split_;
    mutable std::size_t split_size_ = 0; ///< number of values that split_ covers
};

} // namespace skalib
#pragma GCC visibility pop
