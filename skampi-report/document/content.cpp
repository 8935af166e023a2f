// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/content.hpp"

#include "launches/read_subjects.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "spec/source_text.hpp"
#include "spec/text_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

template <typename Value>
using Words = std::vector<std::pair<std::string_view, Value>>;
const Words<TimeUnit> time_units{{"auto", TimeUnit::automatic},
                                 {"ns", TimeUnit::nanoseconds},
                                 {"us", TimeUnit::microseconds},
                                 {"ms", TimeUnit::milliseconds},
                                 {"s", TimeUnit::seconds}};
const Words<BandwidthUnit> bandwidth_units{{"auto", BandwidthUnit::automatic},
                                           {"MB/s", BandwidthUnit::megabytes},
                                           {"MiB/s", BandwidthUnit::mebibytes},
                                           {"GB/s", BandwidthUnit::gigabytes}};
const Words<Paper> papers{{"a4", Paper::a4}, {"letter", Paper::letter}};
const Words<bool> round_trips{{"whole", false}, {"half", true}};

template <typename Value>
std::optional<Value> value_of(const Words<Value>& words, std::string_view word) {
    const auto found = std::ranges::find(words, word, &std::pair<std::string_view, Value>::first);
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

/// The sign between a glob and its title: names of suites may hold anything else.
constexpr std::string_view named = " -> ";

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\v\f";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Both sides of the first sign; the second is the end of the line where there is none.
std::pair<std::string_view, std::string_view> split(std::string_view line, std::string_view sign) {
    const std::size_t at = std::min(line.find(sign), line.size());
    return {trimmed(line.substr(0, at)), trimmed(line.substr(std::min(at + sign.size(), line.size())))};
}

/// Reads line by line; a section begins with its name in brackets. All pieces are views of the text, by which
/// their places are known.
class Reader {
public:
    Reader(const std::string& name, const std::string& text, const std::vector<std::string>& chapters)
        : source_(name, text)
        , chapters_(chapters) {}

    Content read() {
        const std::string_view text = source_.text();
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string_view line = trimmed(text.substr(begin, end - begin));
            begin = end + 1;
            if (!line.empty() && line.front() != '#')
                read_line(line);
        }
        end_section();
        return std::move(content_);
    }

private:
    [[nodiscard]] std::size_t offset(std::string_view piece) const {
        return static_cast<std::size_t>(piece.data() - source_.text().data());
    }
    [[nodiscard]] std::string place(std::string_view piece) const { return source_.place(offset(piece)); }
    [[noreturn]] void fail(std::string_view at, const std::string& message) const {
        source_.fail(offset(at), message);
    }
    /// @throws InputError where it stood before in a section of this name
    void once(std::string_view found) {
        if (!known_.emplace(section_, found).second)
            fail(found, fmt::format("found {} again, expected it once", quoted(found)));
    }

    void read_line(std::string_view line) {
        if (line.front() == '[')
            begin_section(line);
        else if (section_.empty())
            read_setting(line);
        else if (section_ == "chapters")
            read_chapter(line);
        else if (section_ == "suites") {
            const auto [glob, title] = split(line, named);
            once(glob);
            content_.suites.push_back({std::string(glob), std::string(title), place(line)});
        } else if (section_ == "units")
            read_units(line);
        else if (section_ == "columns")
            read_column(line);
        else
            read_curve(line);
    }

    void begin_section(std::string_view line) {
        end_section();
        if (line.back() != ']')
            fail(line, fmt::format("found {}, expected a ] at the end of the line", quoted(line)));
        const auto [word, title] = split(trimmed(line.substr(1, line.size() - 2)), " ");
        const bool compares = word == "comparison" && !title.empty();
        constexpr std::array<std::string_view, 4> sections{"chapters", "suites", "units", "columns"};
        if (!compares && (!title.empty() || std::ranges::find(sections, word) == sections.end()))
            fail(line,
                 fmt::format(
                     "found {}, expected [chapters], [suites], [units], [columns] or [comparison TITLE]",
                     quoted(line)));
        section_ = {};
        if (compares || word == "chapters")
            once(line);
        if (compares)
            content_.comparisons.push_back({std::string(title), {}});
        section_ = compares ? line : word; // each comparison is a section of its own
        section_line_ = line;
    }

    template <typename Value>
    Value one_of(const Words<Value>& words, std::string_view key, std::string_view found) const {
        const std::optional<Value> value = value_of(words, found);
        std::vector<std::string_view> known;
        for (const auto& [word, meaning] : words)
            known.push_back(word);
        if (!value)
            fail(found,
                 fmt::format("found {} for {}, expected {}", quoted(found), key, fmt::join(known, " or ")));
        return *value;
    }

    void read_setting(std::string_view line) {
        const auto [key, value] = split(line, "=");
        once(key);
        if (key == "title" && value.empty())
            fail(value, "found nothing for title, expected words, or no such line");
        if (key == "title")
            content_.title = value;
        else if (key == "paper")
            content_.paper = one_of(papers, key, value);
        else if (key == "round_trips")
            content_.half_round_trips = one_of(round_trips, key, value);
        else if (key == "times")
            content_.units.time = one_of(time_units, key, value);
        else if (key == "bandwidths")
            content_.units.bandwidth = one_of(bandwidth_units, key, value);
        else
            fail(key, fmt::format("found {}, expected title = ..., paper = ..., round_trips = ..., "
                                  "times = ..., bandwidths = ..., or a section in brackets",
                                  quoted(line)));
    }

    void read_chapter(std::string_view line) {
        if (!chapters_.empty() && std::ranges::find(chapters_, line) == chapters_.end())
            fail(line, fmt::format("found the chapter {}, expected one of {}", quoted(line),
                                   fmt::join(chapters_, ", ")));
        once(line);
        content_.chapters.emplace_back(line);
    }

    void read_column(std::string_view line) {
        if (line != "bus")
            fail(line, fmt::format("found the column {}, expected bus", quoted(line)));
        once(line);
        content_.bus_column = true;
    }

    void read_units(std::string_view line) {
        auto [glob, words] = split(line, named);
        once(glob);
        Content::SuiteUnits chosen{std::string(glob), {}, {}, place(line)};
        do {
            const auto [word, others] = split(words, ",");
            const auto time = value_of(time_units, word);
            const auto bandwidth = value_of(bandwidth_units, word);
            if (!time && !bandwidth)
                fail(word, fmt::format("found {}, expected SUITE -> UNIT, or SUITE -> UNIT, UNIT, of ns, us, "
                                       "ms, s, MB/s, MiB/s, GB/s, auto",
                                       quoted(word)));
            chosen.time = time ? time : chosen.time;
            chosen.bandwidth = bandwidth ? bandwidth : chosen.bandwidth;
            words = others;
        } while (!words.empty());
        content_.suite_units.push_back(std::move(chosen));
    }

    void read_curve(std::string_view line) {
        const auto [which, label] = split(line, named);
        // A database's name may hold a colon, a suite's may, too: the sign between them stands alone.
        const auto [before, behind] = split(which, " : ");
        const bool one = which.find(" : ") == std::string_view::npos;
        const std::string_view suite = one ? before : behind;
        if (suite.empty() || which.ends_with(" :"))
            fail(line, fmt::format("found {}, expected DATABASE : SUITE, or SUITE alone, where wanted with "
                                   "-> LABEL behind",
                                   quoted(line)));
        once(which);
        content_.comparisons.back().curves.push_back({one ? "" : std::string(before), std::string(suite),
                                                      std::string(label), place(which), place(suite)});
    }

    void end_section() const {
        constexpr std::size_t least = 2;
        constexpr std::size_t most = 8; // colours that can be distinguished
        if (section_ == "chapters" && content_.chapters.empty())
            fail(section_line_,
                 "found no chapter below [chapters], expected one or more, or no such section");
        if (!section_.starts_with('['))
            return;
        if (const std::size_t count = content_.comparisons.back().curves.size();
            count < least || count > most)
            fail(section_line_, fmt::format("found a comparison of {} suite{}, expected {} to {} "
                                            "lines DATABASE : SUITE below it",
                                            count, count == 1 ? "" : "s", least, most));
    }

    SourceText source_;
    const std::vector<std::string>& chapters_; ///< those there are
    Content content_;
    std::string_view section_;      ///< "suites"; of a comparison its whole line
    std::string_view section_line_; ///< in which it begins
    std::set<std::pair<std::string_view, std::string_view>> known_; ///< what stood in each section
};

void halve(double& time_s) {
    time_s /= 2;
}

void halve_times(Measurement& m) {
    skalib::Summary& s = m.summary;
    for (double* const time_s : {&m.value_s,
                                 &m.standard_error_s,
                                 &m.overhead_s,
                                 &m.overhead_error_s,
                                 &m.adjusted_s,
                                 &m.alone_s,
                                 &m.computation_s,
                                 &m.messages,
                                 &s.mean_all,
                                 &s.standard_error_all,
                                 &s.cut_mean,
                                 &s.cut_standard_error,
                                 &s.lower,
                                 &s.minimum,
                                 &s.quartile25,
                                 &s.median,
                                 &s.quartile75,
                                 &s.maximum,
                                 &s.lower_standard_error,
                                 &s.median_standard_error,
                                 &s.minimum_standard_error})
        halve(*time_s);
    for (ModeValue& mode : m.modes)
        for (double* const time_s : {&mode.value_s, &mode.interval_low_s, &mode.interval_high_s})
            halve(*time_s);
    for (NodeTime& node : m.node_times)
        for (double* const time_s : {&node.value_s, &node.standard_error_s})
            halve(*time_s);
}

void halve_times(MergeFacts& facts) {
    for (double* const time_s :
         {&facts.minimum_s, &facts.maximum_s, &facts.mad_s, &facts.between_runs_error_s,
          &facts.interval_low_s, &facts.interval_high_s, &facts.adjusted_low_s, &facts.adjusted_high_s})
        halve(*time_s);
}

/// In the order of the choices, each suite where it is first meant.
/// @param acted gets the choices that a suite stands for
/// @throws InputError where a title is no longer that of one suite
void arrange(const std::vector<Content::Suites>& choices, Subject& subject,
             std::set<const Content::Suites*>& acted) {
    std::vector<bool> taken(subject.curves.size());
    std::vector<Curve> arranged;
    std::map<std::string, std::string> names; // by title
    for (const Content::Suites& choice : choices)
        for (std::size_t i = 0; i < subject.curves.size(); ++i) {
            const std::string& name = subject.curves[i].suite().name;
            if (taken[i] || !suite_selected(name, {choice.glob}))
                continue;
            taken[i] = true;
            acted.insert(&choice);
            const auto [former, is_first] = names.emplace(choice.title.empty() ? name : choice.title, name);
            if (!is_first && (!choice.title.empty() || former->first != former->second))
                throw InputError(fmt::format("{}: found the title {} for {} and for {}, expected one of its "
                                             "own for each suite",
                                             choice.place, skampi::quoted(former->first),
                                             printable(former->second), printable(name)));
            arranged.push_back(std::move(subject.curves[i]));
            arranged.back().title = choice.title;
        }
    subject.suites_left_out += static_cast<int>(std::ranges::count(taken, false));
    subject.curves = std::move(arranged);
}

const Subject& subject_of(const Content::Which& which, const std::vector<Subject>& subjects) {
    if (which.database.empty())
        return subjects.front();
    const auto is_meant = [&](const Subject& subject) {
        const auto is_file = [&](const std::string& path) {
            return path == which.database || std::filesystem::path(path).filename() == which.database;
        };
        return subject.label == which.database || is_file(subject.path) ||
               std::ranges::any_of(subject.other_parts, is_file);
    };
    if (const auto count = std::ranges::count_if(subjects, is_meant); count != 1) {
        std::string given;
        for (const Subject& subject : subjects)
            given += (given.empty() ? "" : ", ") + printable(subject.path);
        throw InputError(fmt::format("{}: found {}, which is {} of the databases given, expected one of {}",
                                     which.place, skampi::quoted(which.database), count, given));
    }
    return *std::ranges::find_if(subjects, is_meant);
}

const Curve& curve_of(const Content::Which& which, const Subject& subject) {
    const Curve* found = nullptr;
    for (const Curve& curve : subject.curves) {
        if (curve.suite().name == which.suite) // a name may look like a pattern that means others, too
            return curve;
        if (!suite_selected(curve.suite().name, {which.suite}))
            continue;
        if (found != nullptr)
            throw InputError(fmt::format("{}: found {}, which means {} and {} in {}, expected one suite",
                                         which.suite_place, skampi::quoted(which.suite),
                                         printable(found->suite().name), printable(curve.suite().name),
                                         printable(subject.path)));
        found = &curve;
    }
    if (found == nullptr)
        throw InputError(fmt::format("{}: found {}, which is no suite shown of {}, expected one of those",
                                     which.suite_place, skampi::quoted(which.suite),
                                     printable(subject.path)));
    return *found;
}

} // namespace

Content parse_content(const std::string& name, const std::string& text,
                      const std::vector<std::string>& chapters) {
    return Reader(name, text, chapters).read();
}

Content read_content(const std::string& path, const std::vector<std::string>& chapters) {
    return parse_content(path, read_text_file(path), chapters);
}

void arrange_suites(const Content& content, std::vector<Subject>& subjects) {
    if (content.suites.empty())
        return;
    for (const Content::Suites& choice : content.suites)
        require_suite(suite_names(subjects), choice.glob, choice.place + ": ");
    std::set<const Content::Suites*> acted;
    for (Subject& subject : subjects)
        arrange(content.suites, subject, acted);
    // A pattern may say "and all others", of which there happen to be none.
    const auto means_one = [&](const Content::Suites& choice) {
        return !choice.title.empty() || std::ranges::any_of(subjects, [&](const Subject& subject) {
            return std::ranges::any_of(subject.curves,
                                       [&](const Curve& curve) { return curve.suite().name == choice.glob; });
        });
    };
    for (const Content::Suites& choice : content.suites)
        if (!acted.contains(&choice) && means_one(choice))
            throw InputError(
                fmt::format("{}: found {}, which a line above means already, expected each suite "
                            "once",
                            choice.place, skampi::quoted(choice.glob)));
}

void choose_units(const Content& content, std::vector<Subject>& subjects) {
    for (const Content::SuiteUnits& choice : content.suite_units)
        require_suite(suite_names(subjects), choice.glob, choice.place + ": ");
    for (Subject& subject : subjects)
        for (Curve& curve : subject.curves) {
            curve.units = content.units;
            curve.bus_column = content.bus_column;
            for (const Content::SuiteUnits& choice : content.suite_units) {
                if (!suite_selected(curve.suite().name, {choice.glob}))
                    continue;
                curve.units.time = choice.time.value_or(curve.units.time);
                curve.units.bandwidth = choice.bandwidth.value_or(curve.units.bandwidth);
            }
        }
}

void halve_round_trips(std::vector<Subject>& subjects) {
    for (Subject& subject : subjects)
        for (Curve& curve : subject.curves) {
            if (meaning_of(curve) != Meaning::round_trip || curve.halved)
                continue;
            curve.halved = true;
            for (StoredMeasurement& point : curve.points) {
                halve_times(point.measurement);
                if (point.merge)
                    halve_times(*point.merge);
            }
            for (auto& [uuid, launch] : curve.launches)
                for (LaunchValues* const values : {&launch.values, &launch.others})
                    for (auto& [argument, value_s] : *values)
                        halve(value_s);
            // The clock resolves half a round trip twice as well: values are as far from its step, and from
            // the block that resolves it, as before.
            halve(curve.clock_resolution_s);
            halve(curve.clock_cost_s);
        }
}

std::vector<const Curve*> curves_of(const Content::Comparison& comparison,
                                    const std::vector<Subject>& subjects) {
    std::vector<const Curve*> curves;
    for (const Content::Which& which : comparison.curves)
        curves.push_back(&curve_of(which, subject_of(which, subjects)));
    return curves;
}

} // namespace skampi
