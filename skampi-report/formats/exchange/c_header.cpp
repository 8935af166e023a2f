// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/exchange/c_header.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/operation_surface.hpp"
#include "analysis/models/suite_findings.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// Letters, digits and underscores.
std::string identifier(const std::string& name) {
    std::string result;
    for (const char c : name)
        result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return result;
}

/// Nothing in it ends a comment, continues a line or is a trigraph.
std::string for_comment(const std::string& text) {
    std::string result;
    for (const char c : shortened(text, 200))
        result += std::isalnum(static_cast<unsigned char>(c)) ||
                          std::string_view(" .,:;_-+()%=^").find(c) != std::string_view::npos
                      ? c
                      : '_';
    return result;
}

/// A number that is a double in C, and comes back bit by bit.
std::string c_double(double value) {
    if (std::isnan(value))
        return "NAN";
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

/// One condition with its value and its error.
struct Case {
    std::string condition;
    std::string value;
    double error = 0;
    std::string remark; ///< what is known of the coefficients' errors
};

/// "standard errors between 8 launches: 1.2e-08, 3.1e-13"; one that the points do not determine is "unknown".
std::string errors_remark(const CoefficientErrors& errors, const std::vector<double>& errors_s) {
    if (errors.source == ErrorSource::along_curve)
        return "standard errors unknown: the values of several launches are needed";
    std::string text = errors.source == ErrorSource::between_launches
                           ? fmt::format("standard errors between {} launches: ", errors.launches)
                           : "standard errors: ";
    bool first = true;
    for (const double error_s : errors_s)
        text += (std::exchange(first, false) ? "" : ", ") +
                (std::isfinite(error_s) ? fmt::format("{:.2g}", error_s) : std::string("unknown"));
    return text;
}

/// How far apart two times are, as a share of the smaller.
double jump_between(double a_s, double b_s) {
    const auto [low_s, high_s] = std::minmax(a_s, b_s);
    return low_s > 0 ? high_s / low_s - 1 : 1;
}

std::vector<Case> cases_over_lengths(const Curve& curve, int ranks) {
    std::vector<Case> cases;
    const CostModel model = curve_model(curve);
    const std::string here = fmt::format("ranks == {}", ranks);
    for (std::size_t i = 0; i < model.segments.size(); ++i) {
        const CostSegment& segment = model.segments[i];
        const auto first = static_cast<double>(segment.first);
        const auto last = static_cast<double>(segment.last);
        cases.push_back(
            {fmt::format("{} && bytes >= {} && bytes <= {}", here, c_double(first), c_double(last)),
             fmt::format("{} + {} * bytes", c_double(segment.alpha_s), c_double(segment.beta_s)),
             segment.worst_error,
             segment.is_fitted()
                 ? errors_remark(segment.errors, {segment.alpha_error_s, segment.beta_error_s})
                 : "through " + count_of(segment.points, "point") + ", not fitted"});
        if (i + 1 == model.segments.size())
            break;
        // Between two pieces nothing was measured: straight from the one to the other.
        const CostSegment& next = model.segments[i + 1];
        const auto begin = static_cast<double>(next.first);
        const double slope = (next.at(begin) - segment.at(last)) / (begin - last);
        cases.push_back(
            {fmt::format("{} && bytes > {} && bytes < {}", here, c_double(last), c_double(begin)),
             fmt::format("{} + {} * (bytes - {})", c_double(segment.at(last)), c_double(slope),
                         c_double(last)),
             // The jump may lie anywhere in it. A piece of too few points has no error: max() skips it.
             std::fmax(std::fmax(segment.worst_error, next.worst_error),
                       jump_between(segment.at(last), next.at(begin))),
             {}});
    }
    return cases;
}

std::string growth_expression(Growth growth) {
    switch (growth) {
    case Growth::constant:
        return "0.0";
    case Growth::log2:
        return "log2((double)ranks)";
    case Growth::ceil_log2:
        return "skampi_ceil_log2(ranks)";
    case Growth::linear:
        return "(double)ranks";
    case Growth::p_log2:
        return "(double)ranks * log2((double)ranks)";
    case Growth::quadratic:
        return "(double)ranks * (double)ranks";
    case Growth::ceil_log2_squared:
        return "skampi_ceil_log2(ranks) * skampi_ceil_log2(ranks)";
    }
    return {};
}

std::string growth_sum(const GrowthModel& model) {
    std::string value = fmt::format("{} + {} * {}", c_double(model.alpha_s + 0.0), // no "-0.0"
                                    c_double(model.beta_s), growth_expression(model.growth));
    if (model.delta_s != 0)
        value += fmt::format(" + {} * {}", c_double(model.delta_s), growth_expression(Growth::ceil_log2));
    if (model.gamma_s != 0)
        value += fmt::format(" + ((ranks & (ranks - 1)) != 0 ? {} : 0.0)", c_double(model.gamma_s));
    return value;
}

/// Of the coefficients of growth_sum().
std::vector<double> growth_errors(const GrowthModel& model) {
    std::vector<double> errors{model.alpha_error_s, model.beta_error_s};
    if (model.delta_s != 0)
        errors.push_back(model.delta_error_s);
    if (model.gamma_s != 0)
        errors.push_back(model.gamma_error_s);
    return errors;
}

std::vector<Case> cases_over_ranks(const Curve& curve) {
    const std::optional<GrowthModel> model = form_of_growth(curve); // what misses by more is no model
    if (!model)
        return {};
    // An operation without messages takes as long at any length.
    const std::string bytes =
        has_message_length(curve.suite().operation)
            ? fmt::format("bytes == {} && ", c_double(static_cast<double>(curve.suite().message_bytes)))
            : std::string();
    return {{fmt::format("{}ranks >= {} && ranks <= {}", bytes, model->first, model->last),
             growth_sum(*model), model->worst_error, errors_remark(model->errors, growth_errors(*model))}};
}

/// Between the lengths measured the price of a byte is that of the straight line.
Case case_of_both(const SurfaceModel& model) {
    return {fmt::format("ranks >= {} && ranks <= {} && bytes >= {} && bytes <= {}", model.latency.first,
                        model.latency.last, c_double(static_cast<double>(model.first_bytes)),
                        c_double(static_cast<double>(model.last_bytes))),
            fmt::format("{} + bytes * ({})", growth_sum(model.latency), growth_sum(model.per_byte)),
            model.worst_error,
            errors_remark(model.latency.errors, growth_errors(model.latency)) + "; per byte " +
                errors_remark(model.per_byte.errors, growth_errors(model.per_byte))};
}

/// "2 to 16 ranks, 8 bytes"
std::string range_over_ranks(const Curve& curve) {
    const GrowthModel model = curve_growth(curve).value();
    return fmt::format("{} to {} ranks, {}", model.first, model.last,
                       has_message_length(curve.suite().operation)
                           ? count_of(curve.suite().message_bytes, "byte")
                           : "any length");
}

/// "4 ranks, 0 to 4194304 bytes"
std::string range_over_lengths(const Curve& curve, int ranks) {
    const CostModel model = curve_model(curve);
    return fmt::format("{}, {} to {} bytes", count_of(ranks, "rank"), model.segments.front().first,
                       model.segments.back().last);
}

struct Function {
    std::string comment;
    std::vector<Case> cases;
};

/// A curve and its part of the header.
struct Modelled {
    const Curve* curve;
    std::vector<Case> cases;
    std::string shared_name; ///< of all suites of its operation
    std::string range;
};

std::string shared_name_of(const std::string& operation) {
    return "skampi_" + identifier(operation);
}

std::vector<Modelled> modelled_curves(const Subject& subject) {
    std::vector<Modelled> modelled;
    for (const Curve& curve : subject.curves) {
        if (curve.points.empty())
            continue;
        const Suite& suite = curve.suite();
        const int ranks = curve.points.front().measurement.ranks;
        std::vector<Case> cases = suite.varied == Varied::message_length ? cases_over_lengths(curve, ranks)
                                  : suite.varied == Varied::nodes        ? cases_over_ranks(curve)
                                                                         : std::vector<Case>();
        if (!cases.empty())
            modelled.push_back({&curve, std::move(cases), shared_name_of(suite.operation.name),
                                suite.varied == Varied::message_length ? range_over_lengths(curve, ranks)
                                                                       : range_over_ranks(curve)});
    }
    return modelled;
}

/// The functions of a header by their names. Suites of one operation share a function if each answers
/// another question: for other ranks, or over them.
class Functions {
public:
    explicit Functions(const std::vector<Modelled>& modelled) {
        for (const Modelled& each : modelled) {
            operations_[each.shared_name].insert(each.curve->suite().operation.name);
            ++answers_[{each.shared_name, question(*each.curve)}];
        }
        for (const Modelled& each : modelled) {
            Function& function = function_for(each.shared_name, each.curve->suite().name);
            function.comment += fmt::format("/* {}, {}: {} */\n", for_comment(each.curve->suite().name),
                                            each.range, for_comment(what_is_measured(*each.curve)));
            function.cases.insert(function.cases.end(), each.cases.begin(), each.cases.end());
        }
    }

    /// If an operation was measured over ranks with several lengths, any length between them has a time. This
    /// case comes last: a model of one length or one number of ranks is closer.
    void add(const OperationSurface& surface) {
        Function& function =
            function_for(shared_name_of(surface.operation), surface.suites.front(), "_over_lengths");
        std::vector<std::string> suites;
        for (const std::string& suite : surface.suites)
            suites.push_back(for_comment(suite));
        function.comment +=
            fmt::format("/* {} together: {} to {} ranks, {} to {} bytes */\n", enumeration(suites),
                        surface.model.latency.first, surface.model.latency.last, surface.model.first_bytes,
                        surface.model.last_bytes);
        function.cases.push_back(case_of_both(surface.model));
    }

    [[nodiscard]] const std::map<std::string, Function>& all() const { return functions_; }

private:
    static std::string question(const Curve& curve) {
        return fmt::format("{} {}", to_text(curve.suite().varied),
                           curve.suite().varied == Varied::nodes ? curve.suite().message_bytes
                                                                 : curve.points.front().measurement.ranks);
    }

    /// The function of an operation, or one for the suite alone where the operation's would be ambiguous.
    Function& function_for(const std::string& shared_name, const std::string& suite,
                           const char* ending = "") {
        const bool ambiguous =
            operations_[shared_name].size() > 1 || std::ranges::any_of(answers_, [&](const auto& answer) {
                return answer.first.first == shared_name && answer.second > 1;
            });
        if (!ambiguous)
            return functions_[shared_name];
        const std::string base = shared_name + "_" + identifier(suite) + ending;
        std::string name = base;
        for (int number = 2; functions_.contains(name); ++number)
            name = fmt::format("{}_{}", base, number);
        return functions_[name];
    }

    std::map<std::string, std::set<std::string>> operations_;    ///< by shared name
    std::map<std::pair<std::string, std::string>, int> answers_; ///< by shared name and question
    std::map<std::string, Function> functions_;
};

/// Comment, guard, and what the functions need.
std::string beginning(const Subject& subject) {
    std::string text =
        "/* Cost models fitted to measurements by skampi-report. A function returns the time in seconds of an\n"
        "   operation with this many bytes on this many ranks, NAN outside of what was measured. NAME_error() returns\n"
        "   the largest relative distance between a measured time and the model there, NAN where only one or two\n"
        "   points make a line. Standard errors are those of the coefficients, in their order. A constant below 0 has\n"
        "   no physical meaning. C99; link with -lm.\n";
    const auto add = [&](const char* what, const std::string& value) {
        if (!value.empty())
            text += fmt::format("   {}: {}\n", what, for_comment(value));
    };
    if (subject.run) {
        const Run& run = *subject.run;
        add("Machine", run.machine.empty() ? hosts_of(run) : run.machine);
        add("MPI library", run.mpi_library);
        add("Measured", run.started_utc);
    }
    return text + "*/\n#ifndef SKAMPI_COST_MODELS_H\n#define SKAMPI_COST_MODELS_H\n\n#include <math.h>\n\n"
                  "static inline double skampi_ceil_log2(int ranks) {\n"
                  "    int steps = 0;\n"
                  "    while (steps < 30 && (1 << steps) < ranks)\n"
                  "        ++steps;\n"
                  "    return (double)steps;\n"
                  "}\n";
}

/// A C function that returns `value_of` the first case that holds.
template <typename Remark, typename Value>
std::string definition(const std::string& name, const Function& function, Remark remark_of, Value value_of) {
    std::string code;
    for (const Case& each : function.cases)
        code += fmt::format("    if ({}){}\n        return {};\n", each.condition, remark_of(each),
                            value_of(each));
    const bool asks_for_bytes = code.find("bytes ") != std::string::npos;
    return fmt::format("static inline double {}(double bytes, int ranks) {{\n{}{}    return NAN;\n}}\n", name,
                       asks_for_bytes ? "" : "    (void)bytes;\n", code);
}

} // namespace

std::string c_header(const Subject& subject) {
    Functions functions(modelled_curves(subject));
    for (const OperationSurface& surface : operation_surfaces(subject))
        if (fits(surface.model.latency)) // both parts have the worst error of the whole
            functions.add(surface);
    std::string text = beginning(subject);
    for (const auto& [name, function] : functions.all()) {
        text += "\n" + function.comment;
        text += definition(
            name, function,
            [](const Case& each) {
                return each.remark.empty() ? std::string() : fmt::format(" /* {} */", each.remark);
            },
            [](const Case& each) { return each.value; });
        text += definition(
            name + "_error", function, [](const Case&) { return ""; },
            [](const Case& each) { return c_double(each.error); });
    }
    return text + "\n#endif\n";
}

} // namespace skampi
