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
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

constexpr auto time_units = std::to_array<std::pair<std::string_view, TimeUnit>>({
    {"auto", TimeUnit::automatic},
    {"ns", TimeUnit::nanoseconds},
    {"us", TimeUnit::microseconds},
    {"ms", TimeUnit::milliseconds},
    {"s", TimeUnit::seconds},
});
constexpr auto bandwidth_units = std::to_array<std::pair<std::string_view, BandwidthUnit>>({
    {"auto", BandwidthUnit::automatic},
    {"MB/s", BandwidthUnit::megabytes},
    {"MiB/s", BandwidthUnit::mebibytes},
    {"GB/s", BandwidthUnit::gigabytes},
});

/// The row of a table that begins with the word; its end where there is none.
auto row_of(const auto& table, std::string_view word) {
    return std::ranges::find_if(table, [&](const auto& row) { return row.first == word; });
}

/// Between what is meant and what it is called: names of suites may hold anything else.
constexpr std::string_view named = " -> ";

/// What stands at one place of a file.
struct Piece {
    std::string_view text;
    std::size_t offset = 0;
};

Piece trimmed(Piece piece) {
    constexpr std::string_view blanks = " \t\r\v\f";
    const std::size_t first = std::min(piece.text.find_first_not_of(blanks), piece.text.size());
    piece.text.remove_prefix(first);
    piece.offset += first;
    piece.text = piece.text.substr(0, piece.text.find_last_not_of(blanks) + 1);
    return piece;
}

/// Both sides of the first sign; the second has no text where there is none.
std::pair<Piece, Piece> split(Piece line, std::string_view sign) {
    const std::size_t at = line.text.find(sign);
    if (at == std::string_view::npos)
        return {trimmed(line), {{}, line.offset + line.text.size()}};
    return {trimmed({line.text.substr(0, at), line.offset}),
            trimmed({line.text.substr(at + sign.size()), line.offset + at + sign.size()})};
}

/// Reads line by line; a section begins with its name in brackets.
class Reader {
public:
    Reader(const std::string& name, const std::string& text, const std::vector<std::string>& chapters)
        : source_(name, text)
        , chapters_(chapters) {}

    Content read() {
        const std::string_view text = source_.text();
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            Piece line = trimmed({text.substr(begin, end - begin), begin});
            begin = end + 1;
            if (!line.text.empty() && line.text.front() != '#')
                read_line(line);
        }
        end_section();
        return std::move(content_);
    }

private:
    enum class Part { report, chapters, suites, units, comparison };

    void read_line(Piece line) {
        if (line.text.front() == '[') {
            begin_section(line);
            return;
        }
        switch (part_) {
        case Part::report:
            read_setting(line);
            break;
        case Part::chapters:
            read_chapter(line);
            break;
        case Part::suites: {
            const auto [glob, title] = split(line, named);
            refuse_again(content_.suites, &Content::Suites::glob, glob);
            content_.suites.push_back(
                {std::string(glob.text), std::string(title.text), source_.place(line.offset)});
            break;
        }
        case Part::units:
            read_units(line);
            break;
        case Part::comparison:
            read_curve(line);
            break;
        }
    }

    void begin_section(Piece line) {
        end_section();
        if (line.text.back() != ']')
            source_.fail(line.offset, fmt::format("found {}, expected a ] at the end of the line",
                                                  skampi::quoted(line.text)));
        const Piece inside = trimmed({line.text.substr(1, line.text.size() - 2), line.offset + 1});
        const auto [word, title] = split(inside, " ");
        if (word.text == "chapters" && title.text.empty()) {
            if (chapters_chosen_)
                source_.fail(line.offset, "found [chapters] again, expected it once");
            chapters_chosen_ = true;
            part_ = Part::chapters;
            section_at_ = line.offset;
        } else if (word.text == "suites" && title.text.empty()) {
            part_ = Part::suites;
        } else if (word.text == "units" && title.text.empty()) {
            part_ = Part::units;
        } else if (word.text == "comparison" && !title.text.empty()) {
            part_ = Part::comparison;
            section_at_ = line.offset;
            refuse_again(content_.comparisons, &Content::Comparison::title, title);
            content_.comparisons.push_back({std::string(title.text), {}});
        } else {
            source_.fail(line.offset,
                         fmt::format("found {}, expected [chapters], [suites], [units] or [comparison TITLE]",
                                     skampi::quoted(line.text)));
        }
    }

    /// @throws InputError where one of the rows is of this name
    template <typename Row>
    void refuse_again(const std::vector<Row>& rows, std::string Row::*name, Piece found) const {
        if (std::ranges::find(rows, found.text, name) != rows.end())
            source_.fail(found.offset,
                         fmt::format("found {} again, expected it once", skampi::quoted(found.text)));
    }

    void read_setting(Piece line) {
        const auto [key, value] = split(line, "=");
        if (!settings_.insert(key.text).second)
            source_.fail(key.offset,
                         fmt::format("found {} again, expected it once", skampi::quoted(key.text)));
        const auto one_of = [&, &key = key, &value = value](std::initializer_list<std::string_view> words) {
            const auto found = std::ranges::find(words, value.text);
            if (found == words.end())
                source_.fail(value.offset,
                             fmt::format("found {} for {}, expected {}", skampi::quoted(value.text), key.text,
                                         fmt::join(words, " or ")));
            return found - words.begin();
        };
        if (key.text == "title" && value.text.empty())
            source_.fail(value.offset, "found nothing for title, expected words, or no such line");
        if (key.text == "title")
            content_.title = value.text;
        else if (key.text == "paper")
            content_.paper = one_of({"a4", "letter"}) == 0 ? Paper::a4 : Paper::letter;
        else if (key.text == "round_trips")
            content_.half_round_trips = one_of({"whole", "half"}) == 1;
        else if (key.text == "times")
            content_.units.time = time_units[one_of({"auto", "ns", "us", "ms", "s"})].second;
        else if (key.text == "bandwidths")
            content_.units.bandwidth = bandwidth_units[one_of({"auto", "MB/s", "MiB/s", "GB/s"})].second;
        else
            source_.fail(key.offset,
                         fmt::format("found {}, expected title = ..., paper = ..., round_trips = ..., "
                                     "times = ..., bandwidths = ..., or a section in brackets",
                                     skampi::quoted(line.text)));
    }

    void read_chapter(Piece line) {
        if (!chapters_.empty() && std::ranges::find(chapters_, line.text) == chapters_.end())
            source_.fail(line.offset, fmt::format("found the chapter {}, expected one of {}",
                                                  skampi::quoted(line.text), fmt::join(chapters_, ", ")));
        if (std::ranges::find(content_.chapters, line.text) != content_.chapters.end())
            source_.fail(line.offset, fmt::format("found the chapter {} again, expected each once",
                                                  skampi::quoted(line.text)));
        content_.chapters.emplace_back(line.text);
    }

    void read_units(Piece line) {
        auto [glob, words] = split(line, named);
        refuse_again(content_.suite_units, &Content::SuiteUnits::glob, glob);
        Content::SuiteUnits chosen{std::string(glob.text), {}, {}, source_.place(line.offset)};
        do {
            const auto [word, others] = split(words, ",");
            const auto* const time = row_of(time_units, word.text);
            const auto* const bandwidth = row_of(bandwidth_units, word.text);
            if (time == time_units.end() && bandwidth == bandwidth_units.end())
                source_.fail(
                    word.offset,
                    fmt::format("found {}, expected SUITE -> UNIT, or SUITE -> UNIT, UNIT, of ns, us, "
                                "ms, s, MB/s, MiB/s, GB/s, auto",
                                skampi::quoted(word.text)));
            if (time != time_units.end())
                chosen.time = time->second;
            if (bandwidth != bandwidth_units.end())
                chosen.bandwidth = bandwidth->second;
            words = others;
        } while (!words.text.empty());
        content_.suite_units.push_back(std::move(chosen));
    }

    void read_curve(Piece line) {
        const auto [which, label] = split(line, named);
        // A database's name may hold a colon, a suite's may, too: the sign between them stands alone.
        const auto [before, behind] = split(which, " : ");
        const bool one = which.text.find(" : ") == std::string_view::npos;
        const Piece suite = one ? before : behind;
        if (suite.text.empty() || which.text.ends_with(" :"))
            source_.fail(line.offset,
                         fmt::format("found {}, expected DATABASE : SUITE, or SUITE alone, where wanted with "
                                     "-> LABEL behind",
                                     skampi::quoted(line.text)));
        const std::string database(one ? std::string_view() : before.text);
        std::vector<Content::Which>& curves = content_.comparisons.back().curves;
        if (std::ranges::any_of(curves, [&](const Content::Which& each) {
                return each.database == database && each.suite == suite.text;
            }))
            source_.fail(line.offset, fmt::format("found {} again, expected each suite once in a comparison",
                                                  skampi::quoted(which.text)));
        curves.push_back({database, std::string(suite.text), std::string(label.text),
                          source_.place(which.offset), source_.place(suite.offset)});
    }

    void end_section() {
        constexpr std::size_t least = 2;
        constexpr std::size_t most = 8; // colours that can be told apart
        if (part_ == Part::chapters && content_.chapters.empty())
            source_.fail(section_at_,
                         "found no chapter below [chapters], expected one or more, or no such section");
        if (part_ != Part::comparison)
            return;
        if (const std::size_t count = content_.comparisons.back().curves.size();
            count < least || count > most)
            source_.fail(section_at_, fmt::format("found a comparison of {} suite{}, expected {} to {} "
                                                  "lines DATABASE : SUITE below it",
                                                  count, count == 1 ? "" : "s", least, most));
    }

    SourceText source_;
    const std::vector<std::string>& chapters_; ///< those there are
    Content content_;
    std::set<std::string_view> settings_; ///< that were read
    bool chapters_chosen_ = false;
    Part part_ = Part::report;
    std::size_t section_at_ = 0; ///< of the section that is being read
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
        require_suite(subjects, choice.glob, choice.place + ": ");
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
        require_suite(subjects, choice.glob, choice.place + ": ");
    for (Subject& subject : subjects)
        for (Curve& curve : subject.curves) {
            curve.units = content.units;
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
            // What the clock tells of a round trip it tells of its half twice as well: values are as far
            // from its step, and from the block that resolves it, as they were.
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
