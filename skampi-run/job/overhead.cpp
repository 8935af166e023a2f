#include "job/overhead.hpp"

#include "model/adjusted.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {
namespace {

constexpr double cut_quantile = 0.25;
/// Series of empty calls of one key, minutes apart, were seen within a factor of two of each other.
constexpr double alike_within = 3;

double median_of(std::vector<double> values) {
    std::ranges::sort(values);
    return skalib::quantile(values, 0.5);
}

bool differs(const Overhead& overhead, const std::vector<Overhead>& others, double clock_resolution_s) {
    std::vector<double> comparable_s;
    for (const Overhead& other : others)
        if (!(other.probe_s > 0 && overhead.probe_s > 0) || in_one_mode(other.probe_s, overhead.probe_s))
            comparable_s.push_back(other.value_s);
    if (comparable_s.empty())
        return false;
    const double usual_s = median_of(std::move(comparable_s));
    return std::abs(overhead.value_s - usual_s) > clock_resolution_s &&
           (overhead.value_s > alike_within * usual_s || usual_s > alike_within * overhead.value_s);
}

} // namespace

OverheadKey overhead_key(const Suite& suite, int ranks, Synchronization synchronization, std::int64_t block) {
    OverheadKey key{.pattern = suite.operation.pattern, .ranks = ranks, .block = block};
    if (key.pattern == Pattern::collective) { // the others start in one way, and rank 0 keeps their time
        key.synchronization = synchronization;
        key.reported_time = suite.reported_time;
        key.root = suite.root;
        key.join = join_order(suite);
    }
    return key;
}

Overhead overhead_of(const OverheadKey& key, const std::vector<Batch>& batches,
                     const skalib::ModeSplit& split, const KnownModes& known, int mode, std::int64_t enough,
                     const std::vector<Overhead>& others, double clock_resolution_s) {
    const skalib::RepetitionLimits limits{.min_count = enough, .max_count = std::nullopt};
    const Preference preference{mode,
                                batches.empty() ? key.synchronization : batches.front().synchronization};
    const ChosenValues chosen = choose_values(limits, batches, split, known, preference);
    if (chosen.values_s.empty())
        return {.doubtful = true};
    const skalib::Summary summary = skalib::summarise(chosen.values_s, cut_quantile, chosen.origins);
    Overhead overhead{.value_s = summary.cut_mean, .error_s = summary.cut_standard_error};
    overhead.probe_s = typical_probe_s(chosen.used);
    const bool communicates =
        key.pattern == Pattern::collective && key.synchronization != Synchronization::window;
    overhead.doubtful = chosen.mode().undisturbed < enough ||
                        (communicates && chosen.chosen != static_cast<std::size_t>(mode)) ||
                        differs(overhead, others, clock_resolution_s / static_cast<double>(key.block));
    return overhead;
}

} // namespace skampi
