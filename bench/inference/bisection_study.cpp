// SPDX-License-Identifier: GPL-2.0-or-later
// Does the interval of the slowest step contain the truth, whatever the steps are like?
#include "study.hpp"

#include "links/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <string>

namespace skampi::bench {

namespace {

constexpr double usual = 1e12; // bytes per second
constexpr int passes = 3;
constexpr int repetitions = 5;

/// What a series of bisections is like: all as shares of the bandwidth.
struct Steps {
    const char* name;
    double (*draw)(int step, std::mt19937_64& random); ///< a step's deviation, besides `spread`
};
constexpr Steps kinds[] = {
    {"steps alike", [](int, std::mt19937_64&) { return 0.0; }},
    {"one step slow", [](int step, std::mt19937_64&) { return step == 3 ? -0.3 : 0; }},
    {"a quarter slow", [](int step, std::mt19937_64&) { return step % 4 == 0 ? -0.2 : 0; }},
    {"some slow at random",
     [](int, std::mt19937_64& random) {
         return random() % 5 == 0 ? -std::exponential_distribution<double>(1 / 0.15)(random) : 0;
     }},
};
struct Noise {
    double spread; ///< between steps
    double error;  ///< of a step
    double states; ///< of a pass
    bool heavy;    ///< errors of Student's t with 3 degrees of freedom
};
constexpr Noise noises[] = {{0, 0.03, 0, false}, {0.03, 0.03, 0.01, true}, {0.03, 0.01, 0.01, false}};

class Series {
public:
    Series(int members, const Steps& kind, const Noise& noise, std::mt19937_64& random)
        : noise_(noise)
        , random_(random)
        , truth_(static_cast<std::size_t>(members / 2)) {
        input_.names.resize(static_cast<std::size_t>(members));
        for (std::size_t step = 0; step < truth_.size(); ++step)
            truth_[step] = noise.spread * normal_(random) + kind.draw(static_cast<int>(step), random);
    }

    bool interval_holds() {
        for (int pass = 0; pass < passes; ++pass) {
            std::vector<MemberPair> all;
            for (const std::vector<MemberPair>& step : steps_across_halves(members(), pass))
                all.insert(all.end(), step.begin(), step.end());
            measure(Company::halves, all);
        }
        const std::vector<MemberPair> slowest = slowest_steps(input_);
        for (int i = 0; i < repetitions; ++i)
            measure(Company::halves_again, slowest);
        const double truth = usual * std::exp(*std::ranges::min_element(truth_));
        const std::optional<Bisection> found = find_bisection(input_);
        return found && found->interval && found->interval->low <= truth && truth <= found->interval->high;
    }

private:
    [[nodiscard]] int members() const { return static_cast<int>(input_.names.size()); }
    void measure(Company company, const std::vector<MemberPair>& pairs) {
        PairMap map{.company = company, .message_bytes = bisection_bytes};
        std::vector<double> errors(truth_.size());
        for (double& each : errors)
            each = noise_.error * (noise_.heavy ? heavy_(random_) / std::sqrt(3.0) : normal_(random_));
        const double state = noise_.states * normal_(random_);
        for (const MemberPair& pair : pairs) {
            const auto step = static_cast<std::size_t>(step_across_halves(pair, members()));
            const double bandwidth = usual * std::exp(truth_[step] + state + errors[step]);
            map.pairs.push_back(
                {pair.first, pair.second,
                 static_cast<float>(static_cast<double>(members() * bisection_bytes) / bandwidth)});
        }
        input_.maps.push_back(std::move(map));
    }

    const Noise& noise_;
    std::mt19937_64& random_;
    std::normal_distribution<double> normal_;
    std::student_t_distribution<double> heavy_{3};
    std::vector<double> truth_; ///< logarithms
    LinkInput input_;
};

} // namespace

std::vector<StudyRow> bisection_study(const StudyOptions& options) {
    std::mt19937_64 random(options.seed);
    std::vector<StudyRow> rows;
    for (const int members : {16, 64, 256})
        for (const Steps& kind : kinds)
            for (const Noise& noise : noises) {
                int held = 0;
                for (int i = 0; i < options.series; ++i)
                    held += Series(members, kind, noise, random).interval_holds() ? 1 : 0;
                rows.push_back(
                    {fmt::format("{} nodes, {}, spread {:.0f} %, errors {:.0f} %{}: interval holds", members,
                                 kind.name, 100 * noise.spread, 100 * noise.error,
                                 noise.heavy ? ", some far out" : ""),
                     static_cast<double>(held) / options.series, 0.92, 0.98});
            }
    return rows;
}

} // namespace skampi::bench
