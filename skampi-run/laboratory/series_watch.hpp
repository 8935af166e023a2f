// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "skalib/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace skampi {

/// Watches the machine between the batches of a series: probes of its state, one on each side of some
/// batches, and looks at what the core can do.
class SeriesWatch {
public:
    /// What is done between batches; seconds.
    struct Eyes {
        std::function<double()> clock;
        std::function<double()> probe;
        std::function<skalib::CoreSpeed()> look;
    };
    SeriesWatch(const SeriesOrder& order, Eyes eyes);

    /// Before the first batch. @param over the series has ended before it
    void begin(bool over);
    /// A batch was made: the last of these.
    void add(std::vector<Batch>& batches);
    /// There will be no more batches.
    void finish(std::vector<Batch>& batches);
    /// Time that belongs to the probes, though none of them took it.
    void add_probing(double time_s) { probing_s_ += time_s; }

    [[nodiscard]] bool is_probing() const { return probing_; }
    [[nodiscard]] double last_probe_s() const { return last_probe_s_; } ///< 0 = none
    [[nodiscard]] double away_s() const { return probing_s_ + looking_s_; }
    [[nodiscard]] double probe_cost_s() const;
    /// The core's speed before the first batch and after each look_every of them, at one clock.
    [[nodiscard]] std::vector<skalib::CoreSpeed> take_speeds();

private:
    void probe();
    void close_with_probe(std::vector<Batch>& batches);
    void look();

    const SeriesOrder& order_;
    Eyes eyes_;
    bool probing_ = false;
    double last_probe_s_ = 0;
    double probing_s_ = 0;
    double looking_s_ = 0;
    std::int64_t probes_ = 0;
    std::size_t since_probe_ = 0; ///< first batch that waits for its closing probe
    std::vector<skalib::CoreSpeed> speeds_;
};

} // namespace skampi
