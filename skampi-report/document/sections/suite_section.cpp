#include "document/sections/suite_section.hpp"

#include "analysis/comparison.hpp"
#include "drawing/box_plot.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "skalib/refinement.hpp"
#include "words/error_statement.hpp"
#include "words/meaning.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace skampi {

namespace {

std::string joined_arguments(const Curve& curve, const std::vector<std::int64_t>& arguments) {
    constexpr std::size_t most = 6;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < arguments.size() && i < most; ++i)
        texts.push_back(argument_text(curve, arguments[i]));
    if (arguments.size() > most)
        return fmt::format("{}, ...", fmt::join(texts, ", "));
    return enumeration(texts);
}

void add_end_facts(const Curve& curve, const StoredMeasurement& point, std::vector<Fact>& facts) {
    const Measurement& measurement = point.measurement;
    const std::string at = argument_text(curve, measurement.argument);
    const double moved = messages(curve, measurement);
    const std::string error = error_statement(point, curve.units.time).numbers;
    facts.push_back({fmt::format("{} at {}", time_word(curve), at),
                     value_text(measurement, curve.units.time) + (error.empty() ? "" : " (" + error + ")")});
    const double bytes = bytes_moved(curve, measurement);
    if (bytes > 0 && measurement.value_s > 0 && curve.suite().varied == Varied::message_length)
        facts.push_back({fmt::format("Bandwidth at {}", at),
                         format_bandwidth(bytes / measurement.value_s, 4, curve.units.bandwidth)});
    // Worth saying where more are under way than one in each direction.
    if (moved > 2 && measurement.value_s > 0)
        facts.push_back({fmt::format("Message rate at {}", at), format_rate(moved / measurement.value_s)});
}

/// What straight lines between the points miss by where they are worst, as refinement estimates it
/// (SKaLib 3.3.2); empty where too few points tell.
std::string interpolation_text(const Curve& curve) {
    const auto usable = [](const StoredMeasurement& point) {
        return std::isfinite(point.measurement.value_s) &&
               std::isfinite(point.measurement.standard_error_s) &&
               !has(point.measurement.flags, Flag::wrong_result);
    };
    if (std::ranges::count_if(curve.points, usable) < 3)
        return {};
    // Its first pass is made of the ends alone: whatever was measured between them is a refinement.
    const std::int64_t last = curve.points.back().measurement.argument;
    skalib::Refinement line({.scale = curve.suite().arguments.scale,
                             .start = curve.points.front().measurement.argument,
                             .end = last,
                             .stepwidth = static_cast<double>(last) + 2});
    for (const StoredMeasurement& point : curve.points)
        if (usable(point))
            line.add(point.measurement.argument, point.measurement.value_s,
                     std::max(0.0, point.measurement.standard_error_s));
        else
            line.exclude(point.measurement.argument);
    const std::optional<skalib::SegmentError> worst = line.worst_segment();
    if (!worst || !std::isfinite(worst->key))
        return {};
    if (worst->key == 0)
        return "within the errors of the values";
    return fmt::format("about {} off at most ({} to {})", format_percent(worst->key),
                       argument_text(curve, worst->begin), argument_text(curve, worst->end));
}

/// What was asked for: the paper's appendix B without the results.
FactList suite_setup(const Curve& curve) {
    const Suite& suite = curve.suite();
    FactList list;
    std::vector<Fact>& facts = list.facts;
    facts.push_back(
        {"Pattern", fmt::format("{}, {}", pattern_name(suite.operation.pattern), varied_text(suite.varied))});
    facts.push_back({"x axis scale", scale_text(suite.arguments.scale)});
    const Measurement& first = curve.points.front().measurement;
    const Measurement& last = curve.points.back().measurement;
    facts.push_back({"Argument range", fmt::format("{} - {}", argument_text(curve, first.argument),
                                                   argument_text(curve, last.argument))});
    std::vector<std::string> defaults;
    if (suite.varied != Varied::nodes)
        defaults.push_back(count_of(first.ranks > 0 ? first.ranks : suite.ranks, "node") + " (ranks)");
    if (suite.varied != Varied::message_length && first.message_bytes > 0)
        defaults.push_back("message length " + format_bytes(first.message_bytes));
    if (suite.operation.pattern == Pattern::master_worker && suite.varied != Varied::chunks &&
        first.chunks > 0)
        defaults.push_back(count_of(first.chunks, "chunk"));
    if (!defaults.empty())
        facts.push_back({"Default values", enumeration(defaults)});
    if (const std::string parameters = parameters_text(curve); !parameters.empty())
        facts.push_back({"Called with", parameters});
    facts.push_back({"Max. allowed standard error", format_percent(suite.repetition.max_relative_error)});
    const bool overhead = std::ranges::any_of(
        curve.points, [](const StoredMeasurement& point) { return point.measurement.overhead_s > 0; });
    facts.push_back({"Value", value_formed(suite) + (suite.absolute ? ", overhead kept in"
                                                     : overhead     ? ", overhead subtracted"
                                                                    : "")});
    if (suite.operation.pattern == Pattern::collective)
        facts.push_back({"Start of the ranks", start_text(suite.synchronization)});
    if (const std::string text = partner_text(curve); !text.empty())
        facts.push_back({"Partner", text});
    if (const std::string text = joining_text(curve); !text.empty())
        facts.push_back({"Ranks join", text});
    if (first.message_bytes > 0 || last.message_bytes > 0)
        facts.push_back({"Buffers", buffers_text(suite.buffers)});
    return list;
}

void add_flag_facts(const Curve& curve, std::vector<Fact>& facts) {
    for (const Flag flag : all_flags()) {
        std::vector<std::int64_t> arguments;
        for (const StoredMeasurement& point : curve.points)
            if (has(point.measurement.flags, flag))
                arguments.push_back(point.measurement.argument);
        if (arguments.empty())
            continue;
        std::string name = flag_text(static_cast<Flags>(flag));
        name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
        // Of nearly all it says nothing where they are.
        const bool most = 2 * arguments.size() > curve.points.size() && curve.points.size() > 6;
        facts.push_back({name, fmt::format("{} of {}{}", arguments.size(),
                                           count_of(static_cast<std::int64_t>(curve.points.size()), "point"),
                                           most ? "" : ": " + joined_arguments(curve, arguments))});
    }
}

/// What the errors of a curve's values are, where its points rest on different numbers of launches for all of
/// them.
std::string errors_of(const Curve& curve) {
    int fewest = std::numeric_limits<int>::max();
    int most = 0;
    const StoredMeasurement* with_most = nullptr;
    bool intervals = false;
    bool ranges = false;
    double least_level = 100; // in percent
    double most_level = 0;
    for (const StoredMeasurement& point : curve.points) {
        if (!point.merge || point.merge->runs < 1)
            continue;
        fewest = std::min(fewest, point.merge->runs);
        if (point.merge->runs > most) {
            most = point.merge->runs;
            with_most = &point;
        }
        const bool has_interval =
            point.merge->runs >= static_cast<int>(launches_needed) && point.merge->interval_confidence > 0;
        (has_interval ? intervals : ranges) = true;
        if (has_interval) {
            least_level = std::min(least_level, 100 * point.merge->interval_confidence);
            most_level = std::max(most_level, 100 * point.merge->interval_confidence);
        }
    }
    constexpr double same_level = 0.05; // what is written has a decimal
    const bool levels_differ = intervals && most_level - least_level > same_level;
    if (with_most == nullptr || (fewest == most && !levels_differ))
        return error_statement(curve.points.back()).kind;
    const std::string count = fewest == most ? count_of(most, "launch", "launches")
                                             : fmt::format("{} to {} launches", fewest, most);
    if (with_most->merge->value_kind == "min")
        return fmt::format("range of {}; the smallest has no interval", count);
    if (!intervals)
        return fmt::format("range of {}; {} needed for an interval", count, launches_needed);
    const std::string kind = with_most->merge->value_kind.empty() ? "median" : with_most->merge->value_kind;
    return fmt::format("{}{:.3g} % interval of the {} of {}{}",
                       levels_differ ? fmt::format("{:.3g} to ", least_level) : "", most_level, kind, count,
                       ranges ? fmt::format("; of fewer than {} their range", launches_needed) : "");
}

/// States of the machine: times and shares.
void add_mode_facts(const Curve& curve, std::vector<Fact>& facts) {
    std::vector<std::string> points;
    std::size_t count = 0;
    std::int64_t without_values = 0;
    bool merged = false;
    for (const StoredMeasurement& point : curve.points) {
        if (point.measurement.modes.size() < 2) {
            without_values += has(point.measurement.flags, Flag::several_modes) ? 1 : 0;
            merged = merged || point.merge;
            continue;
        }
        ++count;
        constexpr std::size_t most = 2;
        if (points.size() == most)
            continue;
        std::vector<std::string> modes;
        for (const ModeValue& mode : point.measurement.modes)
            modes.push_back(fmt::format(
                "{} ({:.0f} %{}{})", format_measured(mode.value_s, 3, curve.units.time), 100 * mode.share,
                point.merge ? " of the launches" : "", mode.mode == point.measurement.mode ? ", shown" : ""));
        points.push_back(fmt::format("at {}: {}", argument_text(curve, point.measurement.argument),
                                     fmt::join(modes, ", ")));
    }
    if (count > 0)
        facts.push_back({"Modes", fmt::format("{}{}", fmt::join(points, "; "),
                                              count > points.size()
                                                  ? fmt::format("; and at {} more", count - points.size())
                                                  : "")});
    if (without_values > 0)
        facts.push_back(
            {count > 0 ? "Other modes" : "Modes",
             fmt::format("at {} no value of their own: {}", count_of(without_values, "point"),
                         merged ? "single launches were in another one, or saw it change while they measured"
                                : "it changed while they were measured")});
}

/// What came out.
FactList suite_facts(const Curve& curve) {
    FactList list;
    std::vector<Fact>& facts = list.facts;
    add_end_facts(curve, curve.points.front(), facts);
    if (curve.points.size() > 1)
        add_end_facts(curve, curve.points.back(), facts);
    facts.push_back({"Error", errors_of(curve)});
    const auto between = [&](const StoredMeasurement& point) {
        return fmt::format("{} at {}",
                           point.merge->runs > 1
                               ? "± " + format_time(point.merge->between_runs_error_s, 2, curve.units.time)
                               : "unknown (one launch)",
                           argument_text(curve, point.measurement.argument));
    };
    if (curve.points.front().merge && curve.points.back().merge &&
        std::max(curve.points.front().merge->runs, curve.points.back().merge->runs) > 1)
        facts.push_back({"Between launches",
                         fmt::format("{}, {}", between(curve.points.front()), between(curve.points.back()))});
    if (const std::string text = interpolation_text(curve); !text.empty())
        facts.push_back({"Straight lines", text});
    const std::int64_t single = curve.single_measurements();
    facts.push_back(
        {"Measurements",
         fmt::format("{} from {} single measurement{}{}", curve.points.size(), format_count(single),
                     single == 1 ? "" : "s",
                     curve.unfinished > 0 ? fmt::format("; {} more not finished", curve.unfinished) : "")});
    if (curve.stored.state != SuiteState::finished)
        facts.push_back({"State", fmt::format("{}{}{}", to_text(curve.stored.state),
                                              curve.stored.reason.empty() ? "" : ": ",
                                              shortened(curve.stored.reason, 200))});
    add_flag_facts(curve, facts);
    add_mode_facts(curve, facts);
    return list;
}

std::string growth_sentence(const GrowthModel& model, TimeUnit unit) {
    // An algorithm that changes with the ranks grows like none of them.
    constexpr double worst_that_fits = 0.25;
    if (model.worst_error > worst_that_fits)
        return fmt::format(
            "No growth with the number of ranks p fits from {} to {}: the nearest, t(p) = {}, misses by up to {}.",
            model.first, model.last, model.text(unit), format_percent(model.worst_error));
    return fmt::format(
        "Growth with the number of ranks p, from {} to {}: t(p) = {} (± standard error; worst {}).{}{}",
        model.first, model.last, model.text(unit), format_percent(model.worst_error),
        model.has_negative_constant() ? " A constant below 0 is no time." : "",
        model.alike.empty() ? "" : " These points do not tell it from " + forms_text(model.alike) + ".");
}

/// How much of a nonblocking operation the computation hid, at most a dozen arguments.
Table overlap_table(const Curve& curve) {
    constexpr std::size_t most = 12;
    Table table;
    table.title = "Overlap of the operation with computation of equal length";
    table.header = {"at", "alone", "computation", "together", "overlap"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number};
    const std::size_t rows = std::min(most, curve.points.size());
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t i = rows == 1 ? 0 : row * (curve.points.size() - 1) / (rows - 1);
        const Measurement& m = curve.points[i].measurement;
        if (m.alone_s > 0)
            table.rows.push_back({argument_text(curve, m.argument),
                                  format_measured(m.alone_s, 4, curve.units.time),
                                  format_measured(m.computation_s, 4, curve.units.time),
                                  format_measured(m.value_s, 4, curve.units.time),
                                  m.value_s > 0 ? format_percent(overlap(m)) : "not known"});
    }
    return table;
}

Table model_table(const Curve& curve, const CostModel& model) {
    Table table;
    const bool bytes = curve.suite().varied == Varied::message_length;
    table.title = bytes ? "Fitted cost model t(m) = a + b m" : "Fitted cost model t(n) = a + b n";
    if (std::ranges::any_of(model.segments, [](const CostSegment& segment) { return segment.alpha_s < 0; }))
        table.title += " (a below 0 is no time)";
    const double step = bytes ? 1024 : 1;
    table.header = {"from", "to", "a", bytes ? "b per KiB" : "b per step", "worst"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number};
    for (const CostSegment& segment : model.segments)
        table.rows.push_back(
            {argument_text(curve, segment.first), argument_text(curve, segment.last),
             coefficient_text(segment.alpha_s, segment.alpha_error_s, curve.units.time),
             coefficient_text(step * segment.beta_s, step * segment.beta_error_s, curve.units.time),
             format_percent(segment.worst_error)});
    return table;
}

/// What a jump is as a rule, where that can be said from afar.
std::string likely_cause(const Curve& curve, const CostJump& jump) {
    const Suite& suite = curve.suite();
    if (suite.varied == Varied::nodes)
        return "another algorithm";
    if (suite.varied != Varied::message_length)
        return "";
    if (suite.operation.pattern == Pattern::collective)
        return "algorithm or segments";
    if (suite.operation.pattern == Pattern::simple)
        return "cache or buffer full";
    return jump.time_s > 0 ? "eager limit" : "fewer copies";
}

Table jumps_table(const Curve& curve, const CostModel& model) {
    Table table;
    table.header = {"jump from", "to", "by", "share", "as a rule"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::text};
    for (const CostJump& jump : model.jumps) {
        const char* sign = jump.time_s > 0 ? "+" : "";
        table.rows.push_back({argument_text(curve, jump.after), argument_text(curve, jump.before),
                              sign + format_time(jump.time_s, 3, curve.units.time),
                              sign + format_percent(jump.share), likely_cause(curve, jump)});
    }
    if (std::ranges::all_of(table.rows, [](const auto& row) { return row.back().empty(); })) {
        table.header.pop_back();
        table.columns.pop_back();
        for (auto& row : table.rows)
            row.pop_back();
    }
    return table;
}

/// On all points of a suite without a time above zero; empty where there is none.
std::string without_time_text(const Curve& curve) {
    Flags flags = 0;
    std::int64_t points = 0;
    std::int64_t below = 0;
    for (const StoredMeasurement& point : curve.points) {
        if (above_zero(point.measurement))
            continue;
        flags |= point.measurement.flags;
        ++points;
        below += has_value(point.measurement) ? 1 : 0;
    }
    if (points == 0)
        return {};
    const std::string words = flag_text(flags);
    return fmt::format("no value at {}{}{}", count_of(points, "argument"),
                       below > 0 ? fmt::format(", {} below what can be measured", below) : "",
                       words.empty() ? "" : ": " + words);
}

std::optional<std::string> node_times_sentence(const Curve& curve) {
    const StoredMeasurement* last = nullptr;
    for (const StoredMeasurement& point : curve.points)
        if (!point.measurement.node_times.empty())
            last = &point;
    if (!last)
        return std::nullopt;
    std::vector<NodeTime> times = last->measurement.node_times;
    constexpr std::size_t most = 8;
    std::vector<std::string> texts;
    const auto say = [&](const char* word, const NodeTime& time) {
        // Of one single measurement there is no error, not one of 0 s.
        texts.push_back(
            fmt::format("{}rank {} {}{}", word, time.rank, format_measured(time.value_s, 4, curve.units.time),
                        time.value_s > 0 && time.standard_error_s > 0
                            ? " (± " + format_time(time.standard_error_s, 2, curve.units.time) + ")"
                            : ""));
    };
    if (times.size() <= most) {
        for (const NodeTime& time : times)
            say("", time);
    } else {
        const auto without = static_cast<std::int64_t>(
            std::erase_if(times, [](const NodeTime& time) { return !std::isfinite(time.value_s); }));
        std::ranges::stable_sort(times, {}, &NodeTime::value_s);
        if (!times.empty()) {
            say("fastest ", times.front());
            say("median ", times[times.size() / 2]);
            say("slowest ", times.back());
        }
        if (without > 0)
            texts.push_back(fmt::format("{} without a value", count_of(without, "rank")));
    }
    return fmt::format("Node times at {}: {}.", argument_text(curve, last->measurement.argument),
                       fmt::join(texts, ", "));
}

} // namespace

std::optional<Paragraph> flag_summary(const Curve& curve) {
    std::vector<std::string> counts;
    for (const Flag flag : all_flags()) {
        const auto count = std::ranges::count_if(
            curve.points, [&](const StoredMeasurement& point) { return has(point.measurement.flags, flag); });
        if (count > 0)
            counts.push_back(fmt::format("{} {}", count, flag_text(static_cast<Flags>(flag))));
    }
    if (counts.empty())
        return std::nullopt;
    return Paragraph{fmt::format("Of {}: {}.",
                                 count_of(static_cast<std::int64_t>(curve.points.size()), "point"),
                                 enumeration(counts)),
                     Tone::warning};
}

Section suite_section(const Curve& curve, const std::string& figure_id) {
    Section section;
    section.title = suite_heading(curve);
    section.blocks.push_back(Paragraph{what_is_measured(curve), Tone::plain});
    const CostModel model = curve_model(curve);

    Figure figure = suite_figure(figure_id, curve, model);
    std::string caption = time_caption(curve);
    if (figure.panels.size() > 1)
        caption += (caption.find(' ') == std::string::npos ? " and " : ", and ") + bandwidth_caption(curve);
    caption += ". ";
    const auto any_merged = [&curve](auto&& is_so) {
        return std::any_of(curve.points.begin(), curve.points.end(), [&](const StoredMeasurement& point) {
            return point.merge && is_so(*point.merge);
        });
    };
    if (any_merged([](const MergeFacts& merge) {
            return merge.runs >= static_cast<int>(launches_needed) && merge.interval_confidence > 0;
        }))
        caption += "Error bars: interval between launches.";
    else if (any_merged([](const MergeFacts&) { return true; }))
        caption += "Error bars: range of the launches.";
    else
        caption += "Error bars: repeatability within this run.";
    std::int64_t hidden = 0;
    for (const StoredMeasurement& point : curve.points)
        hidden += above_zero(point.measurement) ? 0 : 1;
    if (hidden > 0)
        caption += fmt::format(" {} not drawn: no value above zero.", count_of(hidden, "point"));
    section.blocks.push_back(FigureBlock{std::move(figure), caption});

    std::vector<std::string> notes;
    if (std::optional<std::string> nodes = node_times_sentence(curve))
        notes.push_back(std::move(*nodes));
    if (!curve.stored.facts.empty()) {
        std::vector<std::string> recorded;
        for (const auto& [name, value] : curve.stored.facts)
            if (name != fact_interpolation_error && name != fact_interpolation_worst) // said in better words
                recorded.push_back(shortened(name, 40) + " " + shortened(value, 100));
        if (!recorded.empty())
            notes.push_back(fmt::format("Recorded: {}.", fmt::join(recorded, "; ")));
    }
    if (const std::optional<GrowthModel> growth = curve_growth(curve))
        notes.push_back(growth_sentence(*growth, curve.units.time));
    FactsAndTable facts{suite_facts(curve), {}, std::move(notes), suite_setup(curve)};
    if (curve.points.front().measurement.alone_s > 0)
        facts.table = overlap_table(curve);
    else if (!model.segments.empty())
        facts.table = model_table(curve, model);
    if (!model.jumps.empty())
        facts.below = jumps_table(curve, model);
    section.blocks.push_back(std::move(facts));
    return section;
}

std::vector<Block> single_measurements_blocks(const Curve& curve, FigureNames& names) {
    std::vector<const StoredMeasurement*> points;
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.summary.count > 1 && above_zero(point.measurement))
            points.push_back(&point);
    if (points.empty())
        return {};
    constexpr std::size_t most = 12;
    const std::size_t count = std::min(most, points.size());
    std::vector<BoxRow> rows;
    Table table;
    table.header = {"at", "single", "smallest", "quartile", "median", "quartile", "largest", "mean"};
    table.columns.assign(table.header.size(), ColumnKind::number);
    for (std::size_t row = 0; row < count; ++row) {
        const StoredMeasurement& point = *points[count == 1 ? 0 : row * (points.size() - 1) / (count - 1)];
        const skalib::Summary& summary = point.measurement.summary;
        rows.push_back({argument_text(curve, point.measurement.argument),
                        {Box{summary.minimum, summary.median, summary.maximum, summary.mean_all,
                             summary.quartile25, summary.quartile75}}});
        std::vector<std::string> cells{rows.back().name, format_count(summary.count)};
        for (const double time_s : {summary.minimum, summary.quartile25, summary.median, summary.quartile75,
                                    summary.maximum, summary.mean_all})
            cells.push_back(format_measured(time_s, 4, curve.units.time));
        table.rows.push_back(std::move(cells));
    }
    const bool merged = points.front()->merge.has_value();
    FigureBlock block{
        share_box_figure(names.next(), rows),
        fmt::format(
            "Single measurements at {} of {}{}, by the median of each: quartiles, median (bar), mean "
            "(cross), and lines from the smallest to the largest, which go on where they meet the edge.",
            count, count_of(static_cast<std::int64_t>(curve.points.size()), "argument"),
            merged
                ? "; smallest, largest, mean and how many there are of all launches, quartiles and median of those whose value is shown"
                : "")};
    block.in_characters = box_characters(rows, {""}, curve.units.time);
    return {std::move(block), std::move(table)};
}

Table values_table(const Curve& curve, std::size_t most) {
    const auto bandwidth = [&](const StoredMeasurement& point) {
        const double bytes = bytes_moved(curve, point.measurement);
        return bytes > 0 && above_zero(point.measurement)
                   ? format_bandwidth(bytes / point.measurement.value_s, 4, curve.units.bandwidth)
                   : std::string();
    };
    const bool any_bandwidth = curve.suite().varied == Varied::message_length &&
                               std::ranges::any_of(curve.points, [&](const StoredMeasurement& point) {
                                   return !bandwidth(point).empty();
                               });
    const bool any_merged = std::ranges::any_of(
        curve.points, [](const StoredMeasurement& point) { return point.merge && point.merge->runs > 1; });
    Table table;
    // One notation for the whole column, and one that says every argument exactly.
    const bool in_bytes = curve.suite().varied == Varied::message_length &&
                          std::ranges::any_of(curve.points, [](const StoredMeasurement& point) {
                              constexpr std::int64_t longest = 9999;
                              return point.measurement.argument > longest &&
                                     format_bytes(point.measurement.argument).ends_with(" B");
                          });
    table.header = {in_bytes ? "bytes" : "at", "time", any_merged ? "launches" : "error"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number};
    if (any_bandwidth) {
        table.header.emplace_back("bandwidth");
        table.columns.push_back(ColumnKind::number);
    }
    table.header.emplace_back("flags");
    table.columns.push_back(ColumnKind::text);
    const std::size_t rows = most == 0 ? curve.points.size() : std::min(most, curve.points.size());
    if (rows < curve.points.size())
        table.title = fmt::format("{} of {} arguments", rows, curve.points.size());
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t i = rows == 1 ? 0 : row * (curve.points.size() - 1) / (rows - 1);
        const StoredMeasurement& point = curve.points[i];
        const std::string words = flag_text(point.measurement.flags);
        std::vector<std::string> cells{in_bytes ? std::to_string(point.measurement.argument)
                                                : argument_text(curve, point.measurement.argument),
                                       value_text(point.measurement, curve.units.time),
                                       error_statement(point, curve.units.time).numbers};
        if (any_bandwidth)
            cells.push_back(bandwidth(point));
        cells.push_back(words);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<Table> tables_without_plot(const std::vector<const Curve*>& curves) {
    Table values;
    values.header = {"suite", "at", "value", "error", "quartiles", "single", "remarks"};
    values.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::number, ColumnKind::prose,
                      ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    Table without;
    without.header = {"suite", "has no value"};
    without.columns = {ColumnKind::prose, ColumnKind::prose};
    for (const Curve* curve : curves) {
        const std::string name = shortened(title_of(*curve), 60);
        if (curve->points.empty()) {
            const std::string reason = shortened(curve->stored.reason, 200);
            without.rows.push_back({name, curve->stored.state == SuiteState::finished
                                              ? "finished without a point"
                                              : fmt::format("{}{}{}", to_text(curve->stored.state),
                                                            reason.empty() ? "" : ": ", reason)});
            continue;
        }
        const std::string missing = without_time_text(*curve);
        if (std::ranges::none_of(curve->points, [](const StoredMeasurement& point) {
                return above_zero(point.measurement);
            })) {
            without.rows.push_back({name, missing});
            continue;
        }
        if (!missing.empty())
            values.rows.push_back({name, "", "none", "", "", "", missing});
        for (const StoredMeasurement& point : curve->points) {
            const Measurement& measurement = point.measurement;
            if (!above_zero(measurement))
                continue;
            const skalib::Summary& summary = measurement.summary;
            std::string words = flag_text(measurement.flags);
            if (const std::string who = who_takes_part(*curve); !who.empty())
                words = words.empty() ? who : fmt::format("{}. {}", words, who);
            values.rows.push_back(
                {name,
                 curve->suite().varied == Varied::none ? "" : argument_text(*curve, measurement.argument),
                 value_text(measurement, curve->units.time), error_statement(point, curve->units.time).text(),
                 summary.count > 1
                     ? format_time_range(summary.quartile25, summary.quartile75, 3, curve->units.time)
                     : "",
                 std::to_string(summary.count), std::move(words)});
        }
    }
    std::vector<Table> tables;
    for (Table* table : {&values, &without})
        if (!table->rows.empty())
            tables.push_back(std::move(*table));
    return tables;
}

} // namespace skampi
