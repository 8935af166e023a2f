// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/run_group.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "base/utf8.hpp"
#include "merge/merge_suite.hpp"
#include "model/field_text.hpp"
#include "model/launch_time.hpp"
#include "model/quantity.hpp"
#include "model/run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace skampi {
namespace {

/// Fact of a merged run all of whose runs count as ended, none of them with a time.
constexpr const char* ended_when_unknown = "ended";
/// The command that merged.
constexpr const char* fact_merged_by = "merged by";

/// The kind of file that a run was imported from, now or when it was merged; empty = it came from a database.
std::string imported_from(const SourceRun& source) {
    if (source.origin != Origin::csv)
        return source.imported_from;
    const auto read_from = source.run.facts.find(fact_read_from);
    return read_from == source.run.facts.end() ? "result CSV" : read_from->second;
}
bool was_imported(const SourceRun& source) {
    return source.origin == Origin::csv || !source.imported_from.empty();
}

MergedSource merged_source(const SourceRun& source) {
    const Run& run = source.run;
    const std::string imported = imported_from(source);
    const bool end_known = imported.empty() && has_ended(run) && source.own_end;
    return {run.uuid,
            source.file,
            run.started_utc,
            source.own_start || run.started_utc.empty(),
            run.launch,
            run.measuring_share,
            end_known ? run.ended_utc : "",
            imported,
            run.user,
            run.node,
            run.network};
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

/// The text that all runs with a known text share, or differs_between_runs.
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

/// The texts of one part of the description, each with the number of its launches.
std::map<std::string, int> launches_by_text(const std::vector<SourceRun>& runs, std::string Run::*part) {
    std::map<std::string, int> launches;
    for (const SourceRun& source : runs)
        if (const std::string& own = source.run.*part; !was_imported(source) || !own.empty())
            ++launches[own];
    return launches;
}

/// "NET2 (2 launches), NETXYZ (1)", the text of most launches first; a text that all have, as it is.
std::string text_with_launches(const std::map<std::string, int>& launches) {
    if (launches.size() < 2)
        return launches.empty() ? std::string() : launches.begin()->first;
    std::vector<std::pair<std::string, int>> texts(launches.begin(), launches.end());
    std::ranges::stable_sort(texts, std::ranges::greater(), &std::pair<std::string, int>::second);
    constexpr std::size_t most = 4;
    constexpr std::size_t most_characters = 200;
    std::vector<std::string> parts;
    for (const auto& [text, count] : std::span(texts).first(std::min(texts.size(), most)))
        parts.push_back(
            fmt::format("{} ({})", text.empty() ? "none given" : shortened(text, most_characters),
                        parts.empty() ? count_of(count, "launch", "launches") : std::to_string(count)));
    if (texts.size() > most)
        parts.push_back(fmt::format("{} more", texts.size() - most));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// The settings of all runs, those that differ as differs_between_runs.
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
        // The runs of a merged run share its ranks.
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

/// The known facts of all runs' hosts; 0 where they differ.
HostSizes merged_host_sizes(const std::vector<SourceRun>& runs) {
    std::optional<HostSizes> merged;
    const auto keep_common = [&](const HostSizes& own, auto member) {
        if (own.*member != (*merged).*member)
            (*merged).*member = 0;
    };
    for (const SourceRun& source : runs) {
        if (was_imported(source))
            continue; // not known
        const HostSizes& own = source.run.host_sizes;
        if (!merged)
            merged = own;
        for (const auto member : {&HostSizes::hardware_threads, &HostSizes::cores})
            keep_common(own, member);
        for (const auto member : {&HostSizes::l1_bytes, &HostSizes::l2_bytes, &HostSizes::l3_bytes})
            keep_common(own, member);
    }
    return merged.value_or(HostSizes{});
}

/// The sum of a ledger count over all runs; empty where a run's count is no number.
std::string sum_of_counts(const std::vector<SourceRun>& runs, const std::string& name) {
    std::int64_t sum = 0;
    for (const SourceRun& source : runs)
        if (const auto fact = source.run.facts.find(name); fact != source.run.facts.end()) {
            const std::optional<std::int64_t> count = integer_from(fact->second);
            if (!count)
                return {};
            sum += *count;
        }
    return std::to_string(sum);
}

/// The texts of one fact in several runs.
struct FactTexts {
    std::set<std::string> texts;
    std::size_t runs = 0; ///< that have it
    bool more_values = false;
    bool unknown_of_some = false;
};

DifferingFact fact_that_differs(const std::string& name, const FactTexts& found) {
    DifferingFact fact{
        .name = name, .more_values = found.more_values, .unknown_of_some = found.unknown_of_some};
    for (const std::string& text : found.texts)
        if (static_cast<std::size_t>(fact.values) < fact.value.size())
            fact.value[static_cast<std::size_t>(fact.values++)] = text;
        else
            fact.more_values = true;
    return fact;
}

/// Takes over the facts that all runs have with one text, and what differs. A fact that an imported run lacks
/// is unknown, not absent.
void merge_facts(const std::vector<SourceRun>& runs, Run& merged) {
    std::map<std::string, FactTexts> all;
    std::size_t not_imported = 0;
    for (const SourceRun& source : runs) {
        const std::size_t counts = was_imported(source) ? 0 : 1;
        not_imported += counts;
        for (const auto& [name, text] : source.run.facts) {
            all[name].texts.insert(text);
            all[name].runs += counts;
        }
        for (const DifferingFact& fact : source.run.differing_facts) {
            FactTexts& known = all[fact.name];
            known.texts.insert(fact.value.begin(), fact.value.begin() + fact.values);
            known.runs += counts;
            known.more_values = known.more_values || fact.more_values;
            known.unknown_of_some = known.unknown_of_some || fact.unknown_of_some;
        }
    }
    merged.facts.clear();
    merged.differing_facts.clear();
    for (auto& [name, found] : all) {
        if (name == ended_when_unknown || name == fact_merged_group || name == fact_read_from ||
            name == fact_merged_by)
            continue; // facts of the input file; the merged run has its own
        found.unknown_of_some = found.unknown_of_some || found.runs < not_imported;
        if (std::string sum = name.starts_with(ledger_prefix) ? sum_of_counts(runs, name) : ""; !sum.empty())
            merged.facts[name] = std::move(sum);
        else if (found.texts.size() == 1 && !found.more_values && !found.unknown_of_some)
            merged.facts[name] = *found.texts.begin();
        else
            merged.differing_facts.push_back(fact_that_differs(name, found));
    }
}

/// The known part of a run's series.
Series series_of(const SourceRun& source) {
    Series series(source.run);
    if (!was_imported(source))
        return series;
    // What a CSV lacks is unknown, not empty. It may hold only some of the run's suites, none with all ranks.
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
        throw InputError("--by " + printable(key) + ": found an unknown key, expected " + expected +
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
    std::map<std::string, std::string> plans; // the digits of a hash explain nothing
    for (const SourceRun& source : runs) {
        plans.try_emplace(source.run.plan_hash, fmt::format("plan {}", plans.size() + 1));
        all.push_back(series_of(source));
        for (const auto& [name, text] : all.back().known())
            if (name.starts_with("setting "))
                settings.insert(name);
    }
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::map<std::string, std::string> known = all[i].known();
        if (runs[i].run.ranks > 0) // also of an imported run, which may differ in it
            known.try_emplace("number of ranks", std::to_string(runs[i].run.ranks));
        if (all[i].has_settings())
            for (const std::string& name : settings)
                known.try_emplace(name, "unset");
        for (const auto& [name, text] : known) {
            std::vector<std::string>& with_it = files[name][name.starts_with("plan (") ? plans[text] : text];
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

void add_force(Run& merged, const std::string& difference) {
    if (ForcedDifference made{difference};
        std::ranges::find(merged.forced_differences, made) == merged.forced_differences.end())
        merged.forced_differences.push_back(std::move(made));
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
            notes.push_back(fmt::format("run {} is in {} and {}: used once, from the first",
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

bool of_one_session(const std::vector<SourceRun>& runs) {
    std::vector<LaunchTime> times;
    for (const SourceRun& source : runs) {
        const std::optional<double> begin_s = utc_seconds(source.run.started_utc);
        if (!source.own_start || !begin_s || is_simulated(source.run))
            return false;
        const double end_s = source.own_end ? utc_seconds(source.run.ended_utc).value_or(*begin_s) : *begin_s;
        times.push_back({*begin_s, std::max(*begin_s, end_s)});
    }
    return times.size() > 1 && launches_in_time(std::move(times)).of_one_session();
}

Run merged_run(const std::vector<SourceRun>& runs, const MergeWay& way, bool forced) {
    // Fields that are not merged below are those of the first run that is not imported.
    const auto known = std::ranges::find_if_not(runs, [](const SourceRun& run) { return was_imported(run); });
    Run merged = known == runs.end() ? runs.front().run : known->run;
    merged.uuid = uuid_of(runs, way);
    merged.kind = "merged";
    merged.launch = 0;
    merged.tool_version = SKAMPI_VERSION;
    for (const auto member : {&Run::plan_hash, &Run::mpi_library, &Run::machine, &Run::variant, &Run::host,
                              &Run::placement, &Run::binding, &Run::launcher, &Run::comment})
        merged.*member = common(runs, member);
    for (const DescriptionPart& part : description_parts)
        merged.*part.text = text_with_launches(launches_by_text(runs, part.text));
    if (merged.plan_hash == differs_between_runs) // else one text stands for the plan of all
        merged.parameter_file = merged.parameter_text = differs_between_runs;
    merged.merged_runs = static_cast<int>(runs.size());
    merged.rank_facts = merged_ranks(runs);
    merged.session_place = {};
    merged.host_sizes = merged_host_sizes(runs);
    merged.merged_grid = grid_name(way.grid);
    merged.settings = merged_settings(runs);
    merge_facts(runs, merged);
    merged.started_utc.clear();
    merged.ended_utc.clear();

    double shares = 0;
    int with_share = 0;
    merged.sources.clear();
    merged.forced_differences.clear();
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
        for (const std::string& difference : group.differences(source))
            add_force(merged, difference);
        for (const ForcedDifference& difference : run.forced_differences) // of a merged input
            add_force(merged, difference.text);
        group.take_in(source);

        merged.sources.push_back(merged_source(source));
    }
    if (!ended)
        merged.ended_utc.clear();
    else if (merged.ended_utc.empty())
        merged.facts[ended_when_unknown] = "yes, at an unknown time";
    for (const auto member : {&Run::lowest_probe_s, &Run::highest_probe_s, &Run::reference_core_throughput})
        merged.*member = 0;
    // Other files may take it over; the suites store what their adjusted values refer to.
    const auto with_reference = std::ranges::find_if(runs, [](const SourceRun& source) {
        return source.run.reference_probe_s > 0 || source.run.reference_core_speed > 0;
    });
    merged.reference_probe_s = with_reference == runs.end() ? 0 : with_reference->run.reference_probe_s;
    merged.reference_core_speed = with_reference == runs.end() ? 0 : with_reference->run.reference_core_speed;
    merged.measuring_share = with_share > 0 ? shares / with_share : 0;
    merged.facts[fact_merged_by] = "skampi-merge " + way_text(way) + (forced ? " --force" : "");
    return merged;
}

std::vector<std::string> differing_descriptions(const std::vector<SourceRun>& runs) {
    std::vector<std::string> found;
    for (const DescriptionPart& part : description_parts)
        if (const auto launches = launches_by_text(runs, part.text); launches.size() > 1)
            found.push_back(fmt::format("{}: {}", part.section, printable(text_with_launches(launches))));
    return found;
}

std::map<std::string, MergedSource> merged_sources(const Run& merged) {
    std::map<std::string, MergedSource> sources;
    for (const MergedSource& source : merged.sources)
        sources.emplace(source.uuid, source);
    return sources;
}

bool is_merged_uuid(std::string_view uuid) {
    return uuid.size() == 36 && uuid[14] == '8';
}

} // namespace skampi
