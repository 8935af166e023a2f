// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/pair_map.hpp"
#include "model/pattern.hpp"
#include "model/session.hpp"
#include "model/stored.hpp"
#include "model/suite.hpp"

#include <array>
#include <cassert>

namespace skampi {

namespace {

template <typename Enum>
struct Name {
    Enum value;
    std::string_view text;
};

/// One table per enum, in the enum's order; specialised below.
template <typename Enum>
constexpr auto names = nullptr;

template <>
constexpr auto names<Pattern> = [] {
    std::array<Name<Pattern>, pattern_rows.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = {pattern_rows[i].pattern, pattern_rows[i].name};
    return all;
}();

template <>
constexpr auto names<Meaning> = std::to_array<Name<Meaning>>({
    {Meaning::unknown, "unknown"},
    {Meaning::round_trip, "round trip"},
    {Meaning::one_way, "one way"},
    {Meaning::exchange, "exchange"},
    {Meaning::window, "window of messages"},
    {Meaning::one_sided, "one-sided call"},
    {Meaning::work, "pieces of work"},
    {Meaning::collective, "collective call"},
    {Meaning::local, "local call"},
});

template <>
constexpr auto names<SuiteState> = std::to_array<Name<SuiteState>>({
    {SuiteState::open, "open"},
    {SuiteState::finished, "finished"},
    {SuiteState::put_off, "put off"},
    {SuiteState::failed, "failed"},
});

template <>
constexpr auto names<Company> = std::to_array<Name<Company>>({
    {Company::all, "all"},
    {Company::other, "other"},
    {Company::none, "none"},
    {Company::halves, "halves"},
    {Company::halves_again, "halves again"},
});

template <>
constexpr auto names<SessionEnd> = std::to_array<Name<SessionEnd>>({
    {SessionEnd::not_yet, "not yet"},
    {SessionEnd::decided, "decided"},
    {SessionEnd::rounds, "rounds"},
    {SessionEnd::time, "time"},
    {SessionEnd::failed, "failed"},
});

template <>
constexpr auto names<Varied> = std::to_array<Name<Varied>>({
    {Varied::none, "none"},
    {Varied::message_length, "message length"},
    {Varied::nodes, "nodes"},
    {Varied::chunks, "chunks"},
    {Varied::argument, "argument"},
});

template <>
constexpr auto names<Synchronization> = std::to_array<Name<Synchronization>>({
    {Synchronization::window, "window"},
    {Synchronization::barrier, "barrier"},
    {Synchronization::dissemination, "dissemination"},
    {Synchronization::barrier_before, "barrier-before"},
});

template <>
constexpr auto names<ReportedTime> = std::to_array<Name<ReportedTime>>({
    {ReportedTime::max, "max"},
    {ReportedTime::root, "root"},
    {ReportedTime::mean, "mean"},
});

template <>
constexpr auto names<BufferPolicy> = std::to_array<Name<BufferPolicy>>({
    {BufferPolicy::warm, "warm"},
    {BufferPolicy::warm_4k, "warm-4k"},
    {BufferPolicy::cycled, "cycled"},
    {BufferPolicy::cold, "cold"},
    {BufferPolicy::rewritten, "rewritten"},
});

template <>
constexpr auto names<SampleStorage> = std::to_array<Name<SampleStorage>>({
    {SampleStorage::all, "all"},
    {SampleStorage::summary, "summary"},
});

template <>
constexpr auto names<Parameter> = std::to_array<Name<Parameter>>({
    {Parameter::datatype, "Datatype"},
    {Parameter::reduction, "Reduction"},
    {Parameter::root, "Root"},
    {Parameter::in_place, "In_Place"},
    {Parameter::algorithm, "Algorithm"},
    {Parameter::file, "File"},
});

template <>
constexpr auto names<skalib::Scale> = std::to_array<Name<skalib::Scale>>({
    {skalib::Scale::fixed_linear, "Fixed_linear"},
    {skalib::Scale::fixed_log, "Fixed_log"},
    {skalib::Scale::dynamic_linear, "Dynamic_linear"},
    {skalib::Scale::dynamic_log, "Dynamic_log"},
});

template <>
constexpr auto names<skalib::ValueKind> = std::to_array<Name<skalib::ValueKind>>({
    {skalib::ValueKind::cut_mean, "cut_mean"},
    {skalib::ValueKind::lower, "lower"},
    {skalib::ValueKind::median, "median"},
    {skalib::ValueKind::minimum, "minimum"},
});

template <>
constexpr auto names<skalib::ErrorEstimator> = std::to_array<Name<skalib::ErrorEstimator>>({
    {skalib::ErrorEstimator::trimmed, "trimmed"},
    {skalib::ErrorEstimator::classic, "classic"},
});

template <typename Enum>
std::string_view name_of(Enum value) {
    for (const Name<Enum>& name : names<Enum>)
        if (name.value == value)
            return name.text;
    assert(!"an enumerator without a name");
    return {};
}

} // namespace

std::string_view to_text(Pattern value) {
    return name_of(value);
}
std::string_view to_text(Meaning value) {
    return name_of(value);
}
std::string_view to_text(Varied value) {
    return name_of(value);
}
std::string_view to_text(Synchronization value) {
    return name_of(value);
}
std::string_view to_text(SuiteState value) {
    return name_of(value);
}
std::string_view to_text(Company value) {
    return name_of(value);
}
std::string_view to_text(SessionEnd value) {
    return name_of(value);
}
std::string_view to_text(ReportedTime value) {
    return name_of(value);
}
std::string_view to_text(BufferPolicy value) {
    return name_of(value);
}
std::string_view to_text(SampleStorage value) {
    return name_of(value);
}
std::string_view to_text(Parameter value) {
    return name_of(value);
}
std::string_view to_text(skalib::Scale value) {
    return name_of(value);
}
std::string_view to_text(skalib::ValueKind value) {
    return name_of(value);
}
std::string_view to_text(skalib::ErrorEstimator value) {
    return name_of(value);
}

template <typename Enum>
std::optional<Enum> from_text(std::string_view text) {
    for (const Name<Enum>& name : names<Enum>)
        if (name.text == text)
            return name.value;
    return std::nullopt;
}

template <typename Enum>
std::vector<std::string_view> all_names() {
    std::vector<std::string_view> texts;
    for (const Name<Enum>& name : names<Enum>)
        texts.push_back(name.text);
    return texts;
}

template std::optional<Pattern> from_text(std::string_view);
template std::optional<Meaning> from_text(std::string_view);
template std::optional<Varied> from_text(std::string_view);
template std::optional<Synchronization> from_text(std::string_view);
template std::optional<SuiteState> from_text(std::string_view);
template std::optional<Company> from_text(std::string_view);
template std::optional<SessionEnd> from_text(std::string_view);
template std::optional<ReportedTime> from_text(std::string_view);
template std::optional<BufferPolicy> from_text(std::string_view);
template std::optional<SampleStorage> from_text(std::string_view);
template std::optional<Parameter> from_text(std::string_view);
template std::optional<skalib::Scale> from_text(std::string_view);
template std::optional<skalib::ValueKind> from_text(std::string_view);
template std::optional<skalib::ErrorEstimator> from_text(std::string_view);

template std::vector<std::string_view> all_names<SuiteState>();
template std::vector<std::string_view> all_names<Company>();
template std::vector<std::string_view> all_names<SessionEnd>();
template std::vector<std::string_view> all_names<Pattern>();
template std::vector<std::string_view> all_names<Meaning>();
template std::vector<std::string_view> all_names<Varied>();
template std::vector<std::string_view> all_names<Synchronization>();
template std::vector<std::string_view> all_names<ReportedTime>();
template std::vector<std::string_view> all_names<BufferPolicy>();
template std::vector<std::string_view> all_names<SampleStorage>();
template std::vector<std::string_view> all_names<Parameter>();
template std::vector<std::string_view> all_names<skalib::Scale>();
template std::vector<std::string_view> all_names<skalib::ValueKind>();
template std::vector<std::string_view> all_names<skalib::ErrorEstimator>();

} // namespace skampi
