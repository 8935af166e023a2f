#include "import/result_contradictions.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace skampi {

namespace {

using Fail = std::function<void(std::string_view, const std::string&)>;

std::string found(std::int64_t number) {
    return "found " + number_text(number);
}
std::string found(int number) {
    return found(std::int64_t{number});
}
std::string found(double number) {
    return "found " + number_text(number);
}

void refuse_impossible_numbers(const ResultRow& row, const Fail& fail) {
    const Measurement& m = row.measurement;
    if (m.summary.count < 0)
        fail("count", "found a negative count, expected 0 or more");
    if (m.ranks < 0)
        fail("ranks", found(m.ranks) + ", expected 0 or more ranks");
    if (m.message_bytes < 0)
        fail("message_bytes", found(m.message_bytes) + ", expected 0 or more bytes");
    if (m.chunks < 0)
        fail("chunks", found(m.chunks) + ", expected 0 or more");
    if (m.argument < 0)
        fail("argument", found(m.argument) + ", expected 0 or more");
    if (m.standard_error_s < 0)
        fail("standard_error_s", found(m.standard_error_s) + ", expected an error of 0 or more, or nothing");
    if (m.value_s < 0 || std::isinf(m.value_s))
        fail("value_s", found(m.value_s) + ", expected a time, or nothing where none was measured");
    if (!(m.mode_share >= 0 && m.mode_share <= 1))
        fail("mode_share", found(m.mode_share) + ", expected a share from 0 to 1");
    if (row.bandwidth < 0)
        fail("bandwidth", found(row.bandwidth) + ", expected a number of 0 or more");
}

void refuse_value_without_measurement(const ResultRow& row, const Fail& fail) {
    const Measurement& m = row.measurement;
    if (!std::isfinite(m.value_s))
        return;
    if (m.summary.count == 0)
        fail("count", "found 0 single measurements beside a time, expected 1 or more");
    if (has(m.flags, Flag::wrong_result))
        fail("value_s", "found a time beside the flag \"" +
                            flag_words(static_cast<Flags>(Flag::wrong_result)) +
                            "\", expected nothing where the operation delivered wrong data");
}

void refuse_impossible_launches(const ResultRow& row, const Fail& fail) {
    if (row.launches < 0)
        fail("launches", found(row.launches) + ", expected 0 or more");
    if (row.kind != "raw" && row.kind != "merged")
        fail("kind", "found \"" + printable(row.kind) + "\", expected \"raw\" or \"merged\"");
    if (row.kind == "raw" && row.launches > 1)
        fail("launches", found(row.launches) + " of a raw run, expected 1");
    if (!(row.interval_confidence >= 0 && row.interval_confidence <= 1))
        fail("interval_confidence", found(row.interval_confidence) + ", expected a share from 0 to 1");
    if (row.interval_confidence > 0 && !(row.interval_low_s <= row.interval_high_s))
        fail("interval_low_s", "found no interval from low to high beside a confidence of " +
                                   number_text(row.interval_confidence));
}

/// The argument stands a second time in the column of what is varied.
void refuse_other_argument(const ResultRow& row, const Fail& fail) {
    const Measurement& m = row.measurement;
    const auto argument_is = [&](std::string_view column, std::int64_t other) {
        if (other != m.argument)
            fail(column, found(other) + " beside the argument " + number_text(m.argument) +
                             ", expected the same where " + std::string(to_text(row.suite.varied)) +
                             " is varied");
    };
    if (row.suite.varied == Varied::message_length)
        argument_is("message_bytes", m.message_bytes);
    if (row.suite.varied == Varied::nodes)
        argument_is("ranks", m.ranks);
    if (row.suite.varied == Varied::chunks)
        argument_is("chunks", m.chunks);
}

void refuse_other_half(const ResultRow& row, const Fail& fail) {
    constexpr double digits_lost = 1e-6; // of other programs that wrote the file
    const double value_s = row.measurement.value_s;
    if (row.half_round_trip_s > 0 &&
        !(std::abs(2 * row.half_round_trip_s - value_s) <= digits_lost * value_s))
        fail("half_round_trip_s", found(row.half_round_trip_s) + " beside a value of " +
                                      number_text(value_s) + ", expected half of it");
    if (row.half_round_trip_s < 0)
        fail("half_round_trip_s", found(row.half_round_trip_s) + ", expected a number of 0 or more");
}

void refuse_unordered_quantiles(const ResultRow& row, const Fail& fail) {
    const skalib::Summary& summary = row.measurement.summary;
    const std::array<std::pair<std::string_view, double>, 5> quantiles{{{"minimum_s", summary.minimum},
                                                                        {"quartile25_s", summary.quartile25},
                                                                        {"median_s", summary.median},
                                                                        {"quartile75_s", summary.quartile75},
                                                                        {"maximum_s", summary.maximum}}};
    const std::pair<std::string_view, double>* smaller = nullptr;
    for (const auto& quantile : quantiles) {
        if (std::isnan(quantile.second))
            continue;
        if (smaller != nullptr && quantile.second < smaller->second)
            fail(quantile.first, found(quantile.second) + ", which is less than " +
                                     std::string(smaller->first) + ", " + number_text(smaller->second));
        smaller = &quantile;
    }
}

/// The pattern of operations whose time means this.
std::optional<Pattern> pattern_of(Meaning meaning) {
    switch (meaning) {
    case Meaning::round_trip:
    case Meaning::one_way:
    case Meaning::exchange:
    case Meaning::window:
    case Meaning::one_sided:
        return Pattern::ping_pong;
    case Meaning::work:
        return Pattern::master_worker;
    case Meaning::collective:
        return Pattern::collective;
    case Meaning::local:
        return Pattern::simple;
    case Meaning::unknown:
        break;
    }
    return std::nullopt;
}

void refuse_other_pattern(const ResultRow& row, const Fail& fail) {
    const OperationInfo& operation = row.suite.operation;
    if (const auto expected = pattern_of(operation.meaning); expected && *expected != operation.pattern)
        fail("pattern", "found \"" + std::string(to_text(operation.pattern)) +
                            "\" beside a time that is that of: " + std::string(to_text(operation.meaning)) +
                            ", expected \"" + std::string(to_text(*expected)) + "\"");
}

} // namespace

void refuse_contradictions(const ResultRow& row, const Fail& fail) {
    refuse_impossible_numbers(row, fail);
    refuse_value_without_measurement(row, fail);
    refuse_impossible_launches(row, fail);
    refuse_other_argument(row, fail);
    refuse_other_half(row, fail);
    refuse_unordered_quantiles(row, fail);
    refuse_other_pattern(row, fail);
}

} // namespace skampi
