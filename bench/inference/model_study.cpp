// SPDX-License-Identifier: GPL-2.0-or-later
// How often the intervals of cost and growth models contain the truth.
#include "invented_launches.hpp"
#include "study.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/suite_findings.hpp"

#include <fmt/format.h>

namespace skampi::bench {

namespace {

struct Coverage {
    int intervals = 0;
    int contain = 0;
    int unknown = 0;
    void add(double truth, double value, double error, const CoefficientErrors& errors) {
        if (!std::isfinite(errors.reach) || !std::isfinite(error)) {
            ++unknown;
            return;
        }
        ++intervals;
        contain += std::fabs(value - truth) <= errors.reach * error ? 1 : 0;
    }
    [[nodiscard]] double share() const {
        return intervals == 0 ? 0 : static_cast<double>(contain) / intervals;
    }
};

StudyRow row(std::string what, int launches, const Scatter& scatter, double found) {
    return {fmt::format("{}: 95 % interval contains it, {} launches, {:.0f} % common, {:.0f} % a point", what,
                        launches, 100 * scatter.of_launch, 100 * scatter.of_point),
            found, 0.92, 0.98};
}

skalib::RefinementLimits powers(std::int64_t end) {
    return {.scale = skalib::Scale::fixed_log, .start = 1, .end = end, .stepwidth = std::sqrt(2.0)};
}

/// Two lines that jump at 8 KiB.
double two_protocols(double m) {
    return m <= 8192 ? 1e-6 + 2e-10 * m : 5e-6 + 1e-10 * m;
}

void add_pieces(const StudyOptions& options, int launches, const Scatter& scatter,
                std::vector<StudyRow>& rows) {
    Coverage alpha, beta;
    std::mt19937_64 random(options.seed);
    for (int i = 0; i < options.series; ++i) {
        const CostModel model = curve_model(
            merged_curve(invented_launches(two_protocols, launches, powers(4194304), scatter, random)));
        for (const CostSegment& segment : model.segments) {
            const bool before = segment.last <= 8192;
            if (!segment.is_fitted() || (!before && segment.first <= 8192))
                continue; // a piece across the jump has no true coefficients; jump_study counts jumps
            alpha.add(before ? 1e-6 : 5e-6, segment.alpha_s, segment.alpha_error_s, segment.errors);
            beta.add(before ? 2e-10 : 1e-10, segment.beta_s, segment.beta_error_s, segment.errors);
        }
    }
    rows.push_back(row("a of a piece", launches, scatter, alpha.share()));
    rows.push_back(row("b of a piece", launches, scatter, beta.share()));
}

void add_growth(const StudyOptions& options, int launches, const Scatter& scatter,
                std::vector<StudyRow>& rows) {
    Coverage alpha, beta;
    std::mt19937_64 random(options.seed);
    const skalib::RefinementLimits ranks{
        .scale = skalib::Scale::fixed_linear, .start = 2, .end = 32, .stepwidth = 2};
    for (int i = 0; i < options.series; ++i) {
        const auto model = curve_growth(merged_curve(
            invented_launches([](double p) { return 4e-6 + 1e-6 * p; }, launches, ranks, scatter, random),
            Varied::nodes));
        if (!model || model->form() != GrowthForm{Growth::linear, false} || model->gamma_s != 0)
            continue; // another form has other coefficients
        alpha.add(4e-6, model->alpha_s, model->alpha_error_s, model->errors);
        beta.add(1e-6, model->beta_s, model->beta_error_s, model->errors);
    }
    rows.push_back(row("a of a growth a + b p", launches, scatter, alpha.share()));
    rows.push_back(row("b of a growth a + b p", launches, scatter, beta.share()));
}

/// One launch does not show what differs between launches: it may state no interval.
void add_one_launch(const StudyOptions& options, std::vector<StudyRow>& rows) {
    Coverage all;
    std::mt19937_64 random(options.seed);
    for (int i = 0; i < options.series; ++i) {
        const CostModel model =
            curve_model(merged_curve(invented_launches(two_protocols, 1, powers(4194304), {}, random)));
        for (const CostSegment& segment : model.segments)
            all.add(0, segment.alpha_s, segment.alpha_error_s, segment.errors);
    }
    rows.push_back({"one launch: pieces that state an interval",
                    static_cast<double>(all.intervals) / std::max(1, all.intervals + all.unknown), 0, 0});
}

struct Law {
    const char* name;
    std::function<double(double)> time_s;
};

/// Numbers of ranks of a study: powers of two, or more of them.
std::vector<skalib::RefinementLimits> numbers_of_ranks() {
    return {{.scale = skalib::Scale::fixed_log, .start = 2, .end = 32, .stepwidth = 2},
            {.scale = skalib::Scale::fixed_log, .start = 2, .end = 256, .stepwidth = 2},
            {.scale = skalib::Scale::fixed_linear, .start = 2, .end = 32, .stepwidth = 2}};
}

/// How often a form of growth is found, and misses four times the ranks by more than a fifth.
struct Judged {
    int series = 0;
    int growing = 0;
    int far_off = 0;
    [[nodiscard]] double share(int part) const { return static_cast<double>(part) / series; }
};

Judged judged_growth(const StudyOptions& options, const Law& law, int launches,
                     const skalib::RefinementLimits& ranks, const Scatter& scatter) {
    constexpr double far = 0.2;
    constexpr std::int64_t times = 4;
    Judged judged;
    std::mt19937_64 random(options.seed);
    for (int i = 0; i < options.series; ++i) {
        ++judged.series;
        const auto model = form_of_growth(
            merged_curve(invented_launches(law.time_s, launches, ranks, scatter, random), Varied::nodes));
        if (!model)
            continue;
        judged.growing += model->growth != Growth::constant ? 1 : 0;
        const double truth_s = law.time_s(static_cast<double>(times * model->last));
        judged.far_off += std::fabs(model->at(times * model->last) / truth_s - 1) > far ? 1 : 0;
    }
    return judged;
}

void add_forms(const StudyOptions& options, std::vector<StudyRow>& rows) {
    const Law constant{"a constant", [](double) { return 5e-6; }};
    const std::vector<Law> offered{
        {"5 us + log2 p", [](double p) { return 5e-6 + 1e-6 * std::log2(p); }},
        {"5 us + p", [](double p) { return 5e-6 + 1e-6 * p; }},
        {"5 us + p log2 p", [](double p) { return 5e-6 + 1e-6 * p * std::log2(p); }},
    };
    const std::vector<Law> others{
        {"sqrt p", [](double p) { return 2e-6 * std::sqrt(p); }},
        {"5 us + p^1.5", [](double p) { return 5e-6 + 1e-6 * std::pow(p, 1.5); }},
        {"5 us + log2 p cubed", [](double p) { return 5e-6 + 1e-6 * std::pow(std::log2(p), 3); }},
    };
    for (const int launches : {1, 5})
        for (const Scatter& scatter : {Scatter{0.02, 0.01}, Scatter{0.02, 0.03}})
            for (const skalib::RefinementLimits& ranks : numbers_of_ranks()) {
                const auto add = [&](const Law& law, const char* what, int Judged::*part, double least,
                                     double most) {
                    const Judged judged = judged_growth(options, law, launches, ranks, scatter);
                    rows.push_back({fmt::format("{}: {}, {} launches, to {} ranks{}, {:.0f} % a point",
                                                law.name, what, launches, ranks.end,
                                                ranks.scale == skalib::Scale::fixed_log ? " by 2" : "",
                                                100 * scatter.of_point),
                                    judged.share(judged.*part), least, most});
                };
                add(constant, "called growing", &Judged::growing, 0, 0.05);
                for (const Law& law : offered)
                    add(law, "found to grow", &Judged::growing, 0.95, 1);
                for (const Law& law : others) // reports say that a form is not tested there
                    add(law, "over 20 % off at four times the ranks", &Judged::far_off, 0, 1);
            }
}

} // namespace

std::vector<StudyRow> model_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const int launches : {3, 5, 10})
        for (const Scatter& scatter : {Scatter{0.02, 0.01}, Scatter{0, 0.01}})
            add_pieces(options, launches, scatter, rows);
    for (const int launches : {5, 10})
        add_growth(options, launches, {0.02, 0.01}, rows);
    add_one_launch(options, rows);
    add_forms(options, rows);
    return rows;
}

} // namespace skampi::bench
