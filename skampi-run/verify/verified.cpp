#include "verify/verified.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {
namespace {

using Json = nlohmann::json;

VerifiedRatio ratio_of(const Json& each) {
    VerifiedRatio ratio;
    ratio.ratio = each.at("ratio").get<double>();
    if (each.at("low").is_number() && each.at("high").is_number()) {
        ratio.low = each["low"].get<double>();
        ratio.high = each["high"].get<double>();
    }
    return ratio;
}

bool has_state(const Json& statement, const char* state) {
    const Json& states = statement.at("state");
    return std::ranges::find(states, state) != states.end();
}

void add_statement(const Json& statement, VerifiedSuite& suite) {
    const VerifiedRatio ratio = ratio_of(statement);
    const bool whole = statement.at("sizes").is_null();
    const bool equal = has_state(statement, "equal");
    if (whole) {
        suite.pooled = ratio;
        suite.equal = equal;
        suite.rounds = statement.at("rounds").get<std::size_t>();
    }
    suite.open = suite.open || has_state(statement, "open");
    if (ratio.low && *ratio.low > 1 && !equal)
        suite.slower.push_back({whole ? "" : statement["sizes"].get<std::string>(), 0, 0, ratio});
}

std::vector<VerifiedSuite> suites_in(const Json& turns) {
    std::vector<VerifiedSuite> suites;
    const auto suite_named = [&](const Json& name) -> VerifiedSuite& {
        const auto found = std::ranges::find(suites, name.get<std::string>(), &VerifiedSuite::name);
        if (found != suites.end())
            return *found;
        suites.push_back({});
        suites.back().name = name.get<std::string>();
        return suites.back();
    };
    for (const Json& statement : turns.at("statements"))
        if (statement.at("variant") == "tuned")
            add_statement(statement, suite_named(statement.at("suite")));
    for (const Json& range : turns.at("ranges"))
        if (const VerifiedRatio ratio = ratio_of(range);
            range.at("variant") == "tuned" && ratio.low && *ratio.low > 1)
            suite_named(range.at("suite"))
                .slower.push_back(
                    {"", range.at("from").get<std::int64_t>(), range.at("to").get<std::int64_t>(), ratio});
    for (const Json& worst : turns.at("worst"))
        if (worst.at("variant") == "tuned") {
            VerifiedSuite& suite = suite_named(worst.at("suite"));
            suite.worst_bytes = worst.at("from").get<std::int64_t>();
            suite.worst = ratio_of(worst);
        }
    return suites;
}

std::string percent(double share) {
    return std::fabs(share) < 0.0995 ? fmt::format("{:.1f}", 100 * share)
                                     : fmt::format("{:.0f}", 100 * share);
}

/// "18 % faster (15 to 21 %)", "8.5 times slower (8.1 to 8.9)"; a ratio below 1 is a gain.
std::string ratio_text(const VerifiedRatio& ratio) {
    const bool faster = ratio.ratio < 1;
    const auto factor = [&](double value) { return faster ? 1 / value : value; };
    const bool in_times = factor(ratio.ratio) >= 2;
    const auto number = [&](double value) {
        return in_times ? fmt::format("{:.2g}", factor(value)) : percent(factor(value) - 1);
    };
    const std::string unit = in_times ? "" : " %";
    std::string text =
        fmt::format("{}{} {}", number(ratio.ratio), in_times ? " times" : " %", faster ? "faster" : "slower");
    if (ratio.low && ratio.high)
        text += fmt::format(" ({} to {}{})", number(faster ? *ratio.high : *ratio.low),
                            number(faster ? *ratio.low : *ratio.high), unit);
    return text;
}

} // namespace

std::optional<std::vector<VerifiedSuite>> parse_verified(const std::string& turns) {
    const Json json = Json::parse(turns, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    try {
        return suites_in(json);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::string verified_text(const std::vector<VerifiedSuite>& suites) {
    std::string text;
    for (const VerifiedSuite& suite : suites) {
        const std::string name = printable(suite.name);
        text += fmt::format("{}: {}{}{}", name, ratio_text(suite.pooled),
                            !suite.pooled.low ? ", not judged"
                            : suite.equal     ? ", equal within the margin"
                                              : "",
                            suite.rounds > 0 ? fmt::format(", {} rounds", suite.rounds) : "");
        if (suite.worst_bytes)
            text += fmt::format("; worst length {} bytes: {}", *suite.worst_bytes, ratio_text(suite.worst));
        text += "\n";
        for (const VerifiedSuite::Slower& slower : suite.slower) {
            const std::string where =
                slower.to > 0
                    ? (slower.from == slower.to ? fmt::format("at {} bytes", slower.from)
                                                : fmt::format("from {} to {} bytes", slower.from, slower.to))
                : slower.sizes.empty() ? "over all lengths"
                                       : "in the class " + printable(slower.sizes);
            text += fmt::format("{}: slower {}: {}\n", name, where, ratio_text(slower.ratio));
        }
    }
    return text;
}

bool faster_somewhere(const std::vector<VerifiedSuite>& suites) {
    return std::ranges::any_of(suites, [](const VerifiedSuite& suite) {
        return suite.pooled.high && *suite.pooled.high < 1 && !suite.equal;
    });
}

bool slower_somewhere(const std::vector<VerifiedSuite>& suites) {
    return std::ranges::any_of(suites, [](const VerifiedSuite& suite) { return !suite.slower.empty(); });
}

std::vector<std::string> slower_operations(const std::vector<VerifiedSuite>& suites) {
    std::vector<std::string> operations;
    for (const VerifiedSuite& suite : suites)
        if (!suite.slower.empty())
            operations.push_back("MPI_" + suite.name);
    return operations;
}

} // namespace skampi
