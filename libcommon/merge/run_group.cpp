#include "merge/run_group.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "base/utf8.hpp"
#include "merge/merge_suite.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace skampi {
namespace {

/// The fact of a merged run all of whose runs count as ended, none of them with a time.
constexpr const char* ended_when_unknown = "ended";

// Words in what a merged run says of one of its runs, in their order: text_of() writes, told_by() reads them.
constexpr std::string_view words_before_run = "run ";
constexpr std::string_view words_before_file = " from ";
constexpr std::string_view words_before_start = ", started ";
constexpr std::string_view words_before_first_start = ", in a merged run whose first started ";
constexpr std::string_view words_before_launch = ", launch ";
constexpr std::string_view words_before_share = ", measuring share ";
constexpr std::string_view words_before_end = ", ended ";
constexpr std::string_view words_behind_kind = ": what it does not tell of the run is unknown";
constexpr std::string_view words_of_unended = ", not ended";

/// Of a run that was read from a file that is no database, now or when it was merged, the kind of file; empty
/// of others.
std::string imported_from(const SourceRun& source) {
    if (source.origin != Origin::csv)
        return source.imported_from;
    const auto read_from = source.run.facts.find(fact_read_from);
    return read_from == source.run.facts.end() ? "result CSV" : read_from->second;
}
bool was_imported(const SourceRun& source) {
    return source.origin == Origin::csv || !source.imported_from.empty();
}

std::string text_of(const SourceRun& source) {
    const Run& run = source.run;
    std::string text = fmt::format("{}{}{}{}", words_before_run, run.uuid, words_before_file, source.file);
    if (!run.started_utc.empty())
        text.append(source.own_start ? words_before_start : words_before_first_start).append(run.started_utc);
    if (run.launch > 0)
        text.append(words_before_launch).append(std::to_string(run.launch));
    if (run.measuring_share > 0)
        text.append(words_before_share).append(number_text(run.measuring_share));
    if (const std::string kind = imported_from(source); !kind.empty())
        return text.append(", ").append(kind).append(words_behind_kind);
    if (!has_ended(run))
        return text.append(words_of_unended);
    if (source.own_end && !run.ended_utc.empty())
        text.append(words_before_end).append(run.ended_utc);
    return text;
}

/// Takes what stands behind the last such words, and them, off a text; nothing where it is not as it should
/// be.
std::string taken_off(std::string& text, std::string_view words, bool (*is_right)(std::string_view)) {
    const std::size_t at = text.rfind(words);
    if (at == std::string::npos || !is_right(std::string_view(text).substr(at + words.size())))
        return {};
    const std::string rest = text.substr(at + words.size());
    text.erase(at);
    return rest;
}

bool is_time(std::string_view text) {
    return utc_seconds(std::string(text)).has_value();
}
bool is_number(std::string_view text) {
    return integer_from(text).has_value();
}
bool is_share(std::string_view text) {
    return real_from(text).has_value();
}
bool is_any(std::string_view) {
    return true;
}

/// From the end of the text, as the file in it may have any name.
/// @return uuid, which is empty where the text is none of text_of()
std::pair<std::string, ToldSource> told_by(std::string text) {
    ToldSource told;
    if (text.ends_with(words_behind_kind)) {
        text.erase(text.size() - words_behind_kind.size());
        told.imported_from = taken_off(text, ", ", is_any);
    } else if (text.ends_with(words_of_unended)) {
        text.erase(text.size() - words_of_unended.size());
    } else {
        told.ended_utc = taken_off(text, words_before_end, is_time);
    }
    if (const std::string share = taken_off(text, words_before_share, is_share); !share.empty())
        told.measuring_share = *real_from(share);
    if (const std::string launch = taken_off(text, words_before_launch, is_number); !launch.empty())
        told.launch = static_cast<int>(*integer_from(launch));
    told.started_utc = taken_off(text, words_before_start, is_time);
    if (told.started_utc.empty()) {
        told.started_utc = taken_off(text, words_before_first_start, is_time);
        told.own_start = told.started_utc.empty();
    }
    const std::size_t file_at = text.find(words_before_file);
    if (!text.starts_with(words_before_run) || file_at == std::string::npos)
        return {};
    return {text.substr(words_before_run.size(), file_at - words_before_run.size()), std::move(told)};
}

/// RFC 9562, version 8: 122 bits of our own making.
std::string uuid_of(const std::vector<SourceRun>& runs, const MergeWay& way) {
    std::set<std::string> uuids;
    for (const SourceRun& source : runs)
        uuids.insert(source.run.uuid);
    Fnv1a first;
    Fnv1a second(0x84222325CBF29CE4u);
    const auto add = [&](std::string_view text) {
        for (Fnv1a* hash : {&first, &second})
            hash->add(text).add("\xFF"); // ends the text: "ab" "c" is not "a" "bc"
    };
    for (const std::string& uuid : uuids)
        add(uuid);
    add(grid_name(way.grid));
    add(value_name(way.value));
    add(weights_name(way.weights));
    if (!way.modes)
        add("no modes");
    const std::uint64_t high = first.value();
    const std::uint64_t low = second.value();
    return fmt::format("{:08x}-{:04x}-8{:03x}-{:x}{:03x}-{:012x}", high >> 32, (high >> 16) & 0xFFFF,
                       high & 0xFFF, 8 + (low >> 62), (low >> 48) & 0xFFF, low & 0xFFFFFFFFFFFF);
}

/// A text that all runs agree on of which anything is known, or that they do not.
template <typename Member>
std::string common(const std::vector<SourceRun>& runs, Member member) {
    const std::string* first = nullptr;
    for (const SourceRun& source : runs) {
        const std::string& own = source.run.*member;
        if (was_imported(source) && own.empty())
            continue;
        if (first == nullptr)
            first = &own;
        else if (own != *first)
            return differs_between_runs;
    }
    return first == nullptr ? std::string() : *first;
}

/// The settings of all runs: those they agree on as they are, the others in words.
std::map<std::string, std::string> merged_settings(const std::vector<SourceRun>& runs) {
    std::map<std::string, std::string> settings;
    for (const SourceRun& source : runs)
        settings.insert(source.run.settings.begin(), source.run.settings.end());
    for (auto& [name, value] : settings)
        for (const SourceRun& source : runs) {
            const auto own = source.run.settings.find(name);
            if (!was_imported(source) && (own == source.run.settings.end() || own->second != value)) {
                value = differs_between_runs;
                break;
            }
        }
    return settings;
}

/// Where each rank was: one entry for each place, with the number of runs that had it there.
std::vector<RankFacts> merged_ranks(const std::vector<SourceRun>& runs) {
    std::map<std::tuple<int, std::string, std::string>, int> places;
    std::set<std::pair<std::size_t, std::int64_t>> read;
    for (const SourceRun& source : runs) {
        // Runs from one merged run have all of its ranks in common.
        if (source.origin == Origin::merged && !read.insert({source.input, source.stored}).second)
            continue;
        for (const RankFacts& rank : source.run.rank_facts)
            places[{rank.rank, rank.processor, rank.cpus_allowed}] += rank.runs;
    }
    std::vector<RankFacts> ranks;
    for (const auto& [place, count] : places) {
        RankFacts& rank = ranks.emplace_back();
        std::tie(rank.rank, rank.processor, rank.cpus_allowed) = place;
        rank.runs = count;
    }
    return ranks;
}

/// What several runs say of one thing, in words that are read again when they are merged once more. Of many
/// texts the first ones, sorted: they are the same, whatever was merged with what before.
struct DifferingFact {
    std::set<std::string> texts;
    bool and_more = false;
    bool unknown_of_some = false;

    void add(const std::string& text) {
        if (!text.starts_with(before)) {
            texts.insert(text);
            return;
        }
        for (std::size_t at = before.size(); at <= text.size();) {
            const std::size_t end = std::min(text.find(between, at), text.size());
            const std::string part = text.substr(at, end - at);
            at = end + between.size();
            if (part.starts_with(unknown))
                unknown_of_some = true;
            else if (part.starts_with("and ") && part.ends_with(more))
                and_more = true; // earlier versions said how many
            else
                texts.insert(part);
        }
    }
    [[nodiscard]] std::string text() const {
        constexpr std::size_t most_shown = 3;
        if (texts.size() == 1 && !and_more && !unknown_of_some)
            return *texts.begin();
        std::string told;
        std::size_t shown = 0;
        for (const std::string& each : texts)
            if (++shown <= most_shown)
                told.append(told.empty() ? before : between).append(each);
        if (and_more || texts.size() > most_shown)
            told.append(between).append("and ").append(more);
        if (unknown_of_some)
            told.append(between).append(unknown).append("some");
        return told;
    }

private:
    static constexpr std::string_view before = "differs between the runs: ";
    static constexpr std::string_view between = " | ";
    static constexpr std::string_view more = "more";
    static constexpr std::string_view unknown = "not known of ";
};

/// Of a run that is no database's it is not known what it does not tell.
std::map<std::string, std::string> merged_facts(const std::vector<SourceRun>& runs) {
    std::map<std::string, DifferingFact> found;
    for (const SourceRun& source : runs)
        for (const auto& [name, text] : source.run.facts)
            found[name].add(text);
    std::map<std::string, std::string> facts;
    for (auto& [name, fact] : found) {
        if (is_source_fact(name) || name == ended_when_unknown || name == fact_merged_group ||
            name == fact_read_from || name == fact_merged_by_force)
            continue; // of an input alone: our own take their place
        fact.unknown_of_some =
            fact.unknown_of_some || std::ranges::any_of(runs, [&name = name](const SourceRun& source) {
                return !was_imported(source) && !source.run.facts.contains(name);
            });
        facts[name] = fact.text();
    }
    return facts;
}

/// What is known of a run's series.
Series series_of(const SourceRun& source) {
    Series series(source.run);
    if (!was_imported(source))
        return series;
    // What a CSV says nothing of is unknown, and not empty; and it may hold some of the run's suites only,
    // none of them with all ranks.
    series.forget("ranks");
    for (const auto& [field, member] :
         {std::pair("machine", &Run::machine), std::pair("variant", &Run::variant)})
        if ((source.run.*member).empty())
            series.forget(field);
    return series;
}

} // namespace

std::vector<std::string> RunGroup::differences(const SourceRun& run) const {
    return known_.differences(series_of(run));
}

void RunGroup::take_in(const SourceRun& run) {
    known_.learn(series_of(run));
}

std::vector<MergeGroup> grouped_by(const std::string& key, std::vector<SourceRun> runs) {
    if (key.empty())
        return {{"", std::move(runs)}};
    const std::string wanted = key == "library" ? "mpi_library" : key;
    bool is_field = false;
    const auto text_of = [&](const Run& run) {
        std::string text;
        for_each_field(run, [&](const Field& field, const auto& value) {
            if (wanted == field.name && (field.is(in_series) || wanted == "host")) {
                is_field = true;
                text = field_text(value);
            }
        });
        if (const auto setting = run.settings.find(wanted); !is_field && setting != run.settings.end())
            text = setting->second;
        return text;
    };
    const auto by_size = [](const std::string& a, const std::string& b) {
        const auto number_a = real_from(a);
        const auto number_b = real_from(b);
        return number_a && number_b && *number_a != *number_b ? *number_a < *number_b : a < b;
    };
    std::map<std::string, std::vector<SourceRun>, decltype(by_size)> groups(by_size);
    bool is_setting = false;
    for (SourceRun& source : runs) {
        is_setting = is_setting || source.run.settings.contains(wanted);
        const std::string text = text_of(source.run);
        groups[text].push_back(std::move(source));
    }
    if (!is_field && !is_setting) {
        std::string expected;
        const Run any;
        for_each_field(any, [&](const Field& field, const auto&) {
            if (field.is(in_series))
                expected += std::string(field.name) + ", ";
        });
        throw InputError("--by " + printable(key) + ": found no such key, expected " + expected +
                         "host, library, or the name of a setting that a run has");
    }
    std::vector<MergeGroup> found;
    for (auto& [text, members] : groups)
        found.push_back({key + " = " + (text.empty() ? "(none)" : text), std::move(members)});
    return found;
}

std::string difference_table(const std::vector<SourceRun>& runs) {
    std::map<std::string, std::map<std::string, std::vector<std::string>>> files; // by thing, then text
    std::set<std::string> settings;
    std::vector<Series> all;
    for (const SourceRun& source : runs) {
        all.push_back(series_of(source));
        for (const auto& [name, text] : all.back().known())
            if (name.starts_with("setting "))
                settings.insert(name);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::map<std::string, std::string> known = all[i].known();
        if (runs[i].run.ranks > 0) // those of a part of a run differ from nothing, and tell people something
            known.try_emplace("number of ranks", std::to_string(runs[i].run.ranks));
        if (all[i].knows_settings())
            for (const std::string& name : settings)
                known.try_emplace(name, "unset");
        for (const auto& [name, text] : known) {
            std::vector<std::string>& with_it = files[name][text];
            if (std::ranges::find(with_it, runs[i].file) == with_it.end())
                with_it.push_back(runs[i].file);
        }
    }
    std::string table;
    for (const auto& [name, texts] : files)
        if (texts.size() > 1)
            table += name + "\n" + files_by_text(texts);
    return table;
}

std::string files_by_text(const std::map<std::string, std::vector<std::string>>& files) {
    constexpr std::size_t most_named = 3;
    constexpr std::size_t most_characters = 100;
    std::string table;
    for (const auto& [text, with_it] : files) {
        const std::string whole = printable(text);
        const std::string_view begin = first_characters(whole, most_characters);
        table += "    " + (text.empty() ? "(none)" : std::string(begin)) +
                 (begin.size() < whole.size() ? "..." : "") + "  in ";
        for (std::size_t i = 0; i < std::min(with_it.size(), most_named); ++i)
            table += (i > 0 ? ", " : "") + printable(with_it[i]);
        if (with_it.size() > most_named)
            table += fmt::format(" and {} more", with_it.size() - most_named);
        table += "\n";
    }
    return table;
}

namespace {

// Of the fact fact_merged_by_force, which add_force() writes and differences_in() reads.
constexpr std::string_view between_differences = "; ";
constexpr std::string_view and_more = "; and more";

std::vector<std::string> differences_in(std::string_view although) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at <= although.size();) {
        const std::size_t end = std::min(although.find(between_differences, at), although.size());
        found.emplace_back(although.substr(at, end - at));
        at = end + between_differences.size();
    }
    return found;
}

} // namespace

void add_force(Run& merged, const std::string& difference) {
    constexpr std::size_t longest = 4000; // of a thousand runs, each may differ
    std::string& although = merged.facts[fact_merged_by_force];
    if (although.ends_with(and_more))
        return;
    if (although.empty())
        although = difference;
    else if (although.size() + difference.size() <= longest)
        although.append(between_differences).append(difference);
    else
        although += and_more;
}

bool is_imported(const Run& run) {
    return run.facts.contains(fact_read_from);
}

bool has_ended(const Run& run) {
    return !run.ended_utc.empty() || is_imported(run) || run.facts.contains(ended_when_unknown);
}

std::vector<SourceRun> in_canonical_order(std::vector<SourceRun> runs, std::vector<std::string>& notes) {
    const auto known = [](const SourceRun& source) {
        // The last ones only make the choice independent of the order given.
        return std::tuple(source.run.uuid, source.origin, source.run.ended_utc.empty(), -source.points,
                          source.file, source.input, source.stored);
    };
    std::sort(runs.begin(), runs.end(),
              [&](const SourceRun& a, const SourceRun& b) { return known(a) < known(b); });
    std::vector<SourceRun> once;
    for (SourceRun& source : runs) {
        if (!once.empty() && once.back().run.uuid == source.run.uuid)
            notes.push_back(fmt::format("run {} is in {} and in {}: taken once, from the former",
                                        printable(source.run.uuid), printable(once.back().file),
                                        printable(source.file)));
        else
            once.push_back(std::move(source));
    }
    const auto age = [](const SourceRun& source) {
        const bool is_known = source.own_start && !source.run.started_utc.empty();
        return std::tuple(!is_known, source.run.started_utc, source.run.launch, source.run.uuid);
    };
    std::sort(once.begin(), once.end(),
              [&](const SourceRun& a, const SourceRun& b) { return age(a) < age(b); });
    return once;
}

Run merged_run(const std::vector<SourceRun>& runs, const MergeWay& way, bool forced) {
    // What is not said of all here is that of the first one of which anything is known.
    const auto known = std::ranges::find_if_not(runs, [](const SourceRun& run) { return was_imported(run); });
    Run merged = known == runs.end() ? runs.front().run : known->run;
    merged.uuid = uuid_of(runs, way);
    merged.kind = "merged";
    merged.launch = 0;
    merged.tool_version = SKAMPI_VERSION;
    for (const auto member :
         {&Run::plan_hash, &Run::mpi_library, &Run::machine, &Run::variant, &Run::host, &Run::placement,
          &Run::binding, &Run::launcher, &Run::user, &Run::node, &Run::network, &Run::comment})
        merged.*member = common(runs, member);
    if (merged.plan_hash == differs_between_runs) // else one text stands for the plan of all
        merged.parameter_file = merged.parameter_text = differs_between_runs;
    merged.merged_runs = static_cast<int>(runs.size());
    merged.rank_facts = merged_ranks(runs);
    merged.settings = merged_settings(runs);
    merged.facts = merged_facts(runs);
    merged.started_utc.clear();
    merged.ended_utc.clear();

    double shares = 0;
    int with_share = 0;
    std::vector<std::string> differing;
    int number = 0;
    bool ended = true;
    RunGroup group;
    for (const SourceRun& source : runs) {
        const Run& run = source.run;
        ended = ended && (was_imported(source) || has_ended(run));
        merged.ranks = std::max(merged.ranks, run.ranks);
        merged.clock_resolution_s = std::max(merged.clock_resolution_s, run.clock_resolution_s);
        merged.clock_cost_s = std::max(merged.clock_cost_s, run.clock_cost_s);
        if (merged.started_utc.empty() || (!run.started_utc.empty() && run.started_utc < merged.started_utc))
            merged.started_utc = run.started_utc;
        merged.ended_utc = std::max(merged.ended_utc, run.ended_utc);
        if (run.measuring_share > 0) {
            shares += run.measuring_share;
            ++with_share;
        }
        std::vector<std::string> found = group.differences(source);
        if (const auto before = run.facts.find(fact_merged_by_force); before != run.facts.end())
            for (std::string& difference : differences_in(before->second)) // of a merged input
                found.push_back(std::move(difference));
        for (std::string& difference : found)
            if (std::ranges::find(differing, difference) == differing.end())
                differing.push_back(std::move(difference));
        group.take_in(source);

        merged.facts[fmt::format("source {:04}", ++number)] = text_of(source);
    }
    if (!ended)
        merged.ended_utc.clear();
    else if (merged.ended_utc.empty())
        merged.facts[ended_when_unknown] = "yes, its runs do not tell when";
    // Adjusted values refer to the state that each suite's facts tell.
    for (const auto member : {&Run::reference_probe_s, &Run::lowest_probe_s, &Run::highest_probe_s,
                              &Run::reference_clock_hz, &Run::reference_core_throughput})
        merged.*member = 0;
    merged.measuring_share = with_share > 0 ? shares / with_share : 0;
    merged.facts["merged by"] = "skampi-merge " + way_text(way) + (forced ? " --force" : "");
    for (const std::string& difference : differing)
        add_force(merged, difference);
    return merged;
}

bool is_source_fact(std::string_view name) {
    return name.starts_with("source ");
}

std::map<std::string, ToldSource> told_sources(const Run& merged) {
    std::map<std::string, ToldSource> told;
    for (const auto& [name, text] : merged.facts)
        if (is_source_fact(name))
            told.insert(told_by(text));
    told.erase(""); // in other words than text_of() has
    const bool of_earlier_version =
        std::ranges::all_of(told, [](const auto& each) { return each.second.measuring_share == 0; });
    if (of_earlier_version)
        for (auto& [uuid, source] : told)
            source.measuring_share = merged.measuring_share;
    return told;
}

bool is_merged_uuid(std::string_view uuid) {
    return uuid.size() == 36 && uuid[14] == '8';
}

} // namespace skampi
