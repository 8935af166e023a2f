// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/error.hpp"
#include "base/text.hpp"
#include "model/measurement.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace skampi {

namespace {

struct FlagText {
    Flag flag;
    std::string_view word;
    std::string_view sentence;
};

constexpr auto flag_texts = std::to_array<FlagText>({
    {Flag::not_repeatable, "not_repeatable",
     "The largest number of repetitions was reached before the standard error within the launch was as small "
     "as asked for, or too few single measurements were left."},
    {Flag::timed_out, "timed_out",
     "The time allowed for the measurement or its suite was used up before the standard error "
     "within the launch was as small as asked for."},
    {Flag::unreliable, "unreliable",
     "The overhead subtracted is not small against the value or is in doubt, or what it leaves is below what the clock can resolve; without anything left no time is reported."},
    {Flag::disturbed, "disturbed",
     "Ranks lost their processor core, or something else worked on it, "
     "during single measurements that were kept."},
    {Flag::several_modes, "several_modes",
     "The machine was in more than one state; the value belongs to one of them: to the one seen most often, but for what was disturbed."},
    {Flag::unsynchronised, "unsynchronised",
     "The ranks could not be started at an agreed time; a barrier was used instead."},
    {Flag::wrong_result, "wrong_result", "The operation delivered wrong data, so no time is reported."},
    {Flag::interpolated, "interpolated",
     "The value was interpolated linearly between two arguments that the chosen run had measured."},
    {Flag::one_run, "one_run",
     "Only one run contributed, so nothing is known of the differences between runs."},
    {Flag::scattered, "scattered",
     "The runs that the value rests on differ so widely that others would have given another value: their "
     "interval, or with few of them their range, is wider than a tenth of the value."},
});

} // namespace

std::string flag_words(Flags flags) {
    std::string words;
    for (const FlagText& text : flag_texts) {
        if (!has(flags, text.flag))
            continue;
        if (!words.empty())
            words += ',';
        words += text.word;
    }
    return words;
}

Flags flags_from_words(const std::string& words) {
    Flags flags = 0;
    if (words.empty())
        return flags;
    const std::string_view all = words;
    for (std::size_t begin = 0; begin <= all.size();) {
        const std::size_t end = std::min(all.find(',', begin), all.size());
        const std::string_view word = all.substr(begin, end - begin);
        bool known = false;
        for (const FlagText& text : flag_texts) {
            if (text.word == word) {
                set(flags, text.flag);
                known = true;
            }
        }
        if (!known) {
            std::string expected;
            for (const FlagText& text : flag_texts)
                expected += (expected.empty() ? "" : ", ") + std::string(text.word);
            throw InputError("unknown flag \"" + printable(word) + "\", expected one of " + expected);
        }
        begin = end + 1;
    }
    return flags;
}

std::string flag_sentence(Flag flag) {
    for (const FlagText& text : flag_texts)
        if (text.flag == flag)
            return std::string(text.sentence);
    return {};
}

const std::vector<Flag>& all_flags() {
    static const std::vector<Flag> flags = [] {
        std::vector<Flag> list;
        for (const FlagText& text : flag_texts)
            list.push_back(text.flag);
        return list;
    }();
    return flags;
}

} // namespace skampi
