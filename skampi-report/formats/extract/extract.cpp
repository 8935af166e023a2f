// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/extract/extract.hpp"

#include "analysis/finding_names.hpp"
#include "analysis/models/curve_model.hpp"
#include "document/sections/single_measurements.hpp"
#include "document/sections/suite_tables.hpp"
#include "drawing/distribution_figure.hpp"
#include "drawing/plot.hpp"
#include "drawing/plot_points.hpp"
#include "formats/text/plain_text.hpp"
#include "formats/text/terminal.hpp"
#include "launches/copy_bound.hpp"
#include "launches/launches_left_out.hpp"
#include "launches/read_subjects.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

/// A suite with its subject.
struct Chosen {
    const Subject* subject;
    const Curve* curve;
};

/// By their names, or if none is called so by their operations' ("MPI_Bcast" of the suite MPI_Bcast-length).
std::vector<Chosen> chosen_by(const Extract& extract, const std::vector<Subject>& subjects) {
    std::vector<Chosen> all;
    for (const std::string& pattern : extract.patterns) {
        const auto add_where = [&](const auto& name_of) {
            bool any = false;
            for (const Subject& subject : subjects)
                for (const Curve& curve : subject.curves)
                    if (suite_selected(name_of(curve.suite()), {pattern})) {
                        any = true;
                        if (std::ranges::find(all, &curve, &Chosen::curve) == all.end())
                            all.push_back({&subject, &curve});
                    }
            return any;
        };
        if (!add_where([](const Suite& suite) { return suite.name; }) &&
            !add_where([](const Suite& suite) { return suite.operation.name; }))
            require_suite(suite_names(subjects), pattern,
                          extract.kind == Extract::Kind::plot ? "--plot " : "--table ");
    }
    return all;
}

/// Suites of several databases are called by these, of one by their names.
std::string label_of(const Chosen& each, const std::vector<Chosen>& all) {
    const auto differs = [&](auto&& key) {
        return std::ranges::any_of(all, [&](const Chosen& other) { return key(other) != key(all.front()); });
    };
    const std::string subject =
        differs([](const Chosen& one) { return one.subject; }) ? each.subject->label : "";
    const std::string suite =
        differs([](const Chosen& one) { return title_of(*one.curve); }) ? title_of(*each.curve) : "";
    return shortened_name(subject + (subject.empty() || suite.empty() ? "" : ": ") + suite, 40);
}

constexpr std::size_t most_curves = 7;    // colours
constexpr double article_text_cm = 12.14; // of LaTeX's article on A4 paper, or letter, at 10 pt

/// What is asked for, and where it comes from.
struct Request {
    const Extract& extract;
    const std::vector<Chosen>& chosen;
    const SingleTimesOf& single_times_of;

    /// "--plot MPI_Bcast"
    [[nodiscard]] std::string said() const {
        return printable(fmt::format("--plot {}", fmt::join(extract.patterns, " --plot ")));
    }
};

/// @param alone the quantity of the only panel; none = all panels
Figure curves_figure(const Request& request, std::optional<AxisQuantity> alone = std::nullopt) {
    const std::vector<Chosen>& chosen = request.chosen;
    std::vector<const Curve*> curves;
    std::vector<std::string> labels;
    for (const Chosen& each : chosen) {
        if (!drawable(*each.curve))
            throw InputError(fmt::format("{}: {} has no two values to draw, expected a suite that has",
                                         request.said(), printable(title_of(*each.curve))));
        if (each.curve->suite().varied != chosen.front().curve->suite().varied)
            throw InputError(fmt::format(
                "{}: {} and {} are over different things, expected suites of one kind", request.said(),
                printable(title_of(*chosen.front().curve)), printable(title_of(*each.curve))));
        curves.push_back(each.curve);
        labels.push_back(label_of(each, chosen));
    }
    if (curves.size() > most_curves)
        throw InputError(fmt::format("{}: means {} curves, expected at most {}", request.said(),
                                     curves.size(), most_curves));
    const Curve& first = *curves.front();
    const bool of_lengths = first.suite().varied == Varied::message_length;
    Figure figure = curves.size() > 1 && of_lengths && alone == AxisQuantity::bandwidth
                        ? bandwidths_figure("plot", curves, labels)
                    : curves.size() > 1 ? overlay_figure("plot", curves, labels)
                                        : suite_figure("plot", first, curve_model(first),
                                                       copy_bound(*chosen.front().subject, first));
    if (curves.size() == 1)
        leave_out_quartiles_behind_launches(figure);
    if (!alone)
        return figure;
    std::erase_if(figure.panels, [&](const Panel& panel) {
        return panel.y.quantity != *alone ||
               std::ranges::all_of(panel.layers, [](const Layer& layer) { return layer.points.empty(); });
    });
    if (figure.panels.empty())
        throw InputError(fmt::format("{}: --kind bandwidth is for suites that are varied over message "
                                     "lengths and have a bandwidth",
                                     request.said()));
    figure.columns = 1;
    figure.width_cm = 11;
    return figure;
}

/// Places of at most `most` arguments, ascending: of many the powers of two, and of these the ends and some
/// between.
std::vector<std::size_t> some_of(const std::vector<std::int64_t>& arguments, std::size_t most) {
    std::vector<std::size_t> places, powers;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        places.push_back(i);
        if (arguments[i] > 0 && std::has_single_bit(static_cast<std::uint64_t>(arguments[i])))
            powers.push_back(i);
    }
    if (places.size() <= most)
        return places;
    if (powers.size() >= most)
        places = std::move(powers);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < most; ++i)
        chosen.push_back(places[most == 1 ? places.size() / 2 : i * (places.size() - 1) / (most - 1)]);
    return chosen;
}

Figure boxes_figure(const Request& request) {
    if (request.chosen.size() > 1)
        throw InputError(
            fmt::format("{}: --kind box shows one suite, found {}", request.said(), request.chosen.size()));
    const Curve& curve = *request.chosen.front().curve;
    std::vector<const StoredMeasurement*> points = points_with_quartiles(curve);
    if (points.empty())
        throw InputError(
            fmt::format("{}: --kind box: the file has no quartiles of single measurements", request.said()));
    std::vector<BoxRow> rows;
    std::vector<std::int64_t> arguments;
    for (const StoredMeasurement* point : points)
        arguments.push_back(point->measurement.argument);
    for (const std::size_t place : some_of(arguments, most_box_rows))
        rows.push_back(box_row(curve, *points[place]));
    return share_box_figure("plot", std::move(rows));
}

Figure shares_figure(const Request& request) {
    const std::vector<Chosen>& chosen = request.chosen;
    if (chosen.size() > most_curves)
        throw InputError(fmt::format("{}: means {} suites, expected at most {}", request.said(),
                                     chosen.size(), most_curves));
    std::vector<Distribution> distributions;
    for (const Chosen& each : chosen) {
        std::vector<SingleTimes> all = request.single_times_of(*each.subject, *each.curve);
        const std::string suite = label_of(each, chosen);
        std::vector<std::int64_t> arguments;
        for (const SingleTimes& times : all)
            arguments.push_back(times.argument);
        for (const std::size_t place : some_of(arguments, most_curves / chosen.size())) {
            SingleTimes& times = all[place];
            const std::string at = each.curve->suite().varied == Varied::none
                                       ? std::string()
                                       : argument_text(*each.curve, times.argument);
            std::string label = suite + (suite.empty() || at.empty() ? "" : ", ") + at;
            label += fmt::format("{}{} measurements", label.empty() ? "" : ": ",
                                 format_count(times.times_s.size()));
            distributions.push_back({std::move(label), std::move(times.times_s)});
        }
    }
    if (distributions.empty())
        throw InputError(
            fmt::format("{}: --kind ecdf: the file holds no single measurements (it is merged, or "
                        "Samples = summary), expected a database of skampi-run",
                        request.said()));
    return distribution_figure("plot", distributions, chosen.front().curve->units);
}

Figure figure_shown(const Request& request) {
    switch (request.extract.shows) {
    case Extract::Shows::curves:
        break;
    case Extract::Shows::time:
        return curves_figure(request, AxisQuantity::time);
    case Extract::Shows::bandwidth:
        return curves_figure(request, AxisQuantity::bandwidth);
    case Extract::Shows::boxes:
        return boxes_figure(request);
    case Extract::Shows::shares:
        return shares_figure(request);
    }
    return curves_figure(request);
}

/// In the width that is asked for: panels that would be narrow stand below one another.
Figure figure_of(const Request& request) {
    constexpr double narrow_cm = 6;
    Figure figure = figure_shown(request);
    figure.width_cm = request.extract.width_cm.value_or(figure.width_cm);
    if (figure.columns > 1 && figure.width_cm < narrow_cm * figure.columns) {
        figure.height_cm *= figure.columns;
        figure.columns = 1;
    }
    return figure;
}

std::vector<std::string> notes_of(const std::vector<Chosen>& chosen, const Table& table) {
    std::vector<const Curve*> curves;
    for (const Chosen& each : chosen)
        curves.push_back(each.curve);
    return values_notes(curves, table.header);
}

void leave_out_column(Table& table, std::size_t column) {
    const auto erase = [column](auto& list) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(column));
    };
    erase(table.header);
    erase(table.columns);
    for (auto& row : table.rows)
        erase(row);
}

/// Whether adjusted values of several databases are those of different states of the machine: side by side a
/// reader would compare them.
bool of_several_references(const std::vector<Chosen>& chosen) {
    std::set<std::pair<std::string, double>> references; // as they are shown
    for (const Chosen& each : chosen)
        if (const SuiteMerge& merge = each.curve->stored.merge; merge.reference.probe_s > 0)
            references.emplace(format_time(merge.reference.probe_s), merge.adjustment.share);
    return references.size() > 1 && std::ranges::any_of(chosen, [&](const Chosen& each) {
               return each.subject != chosen.front().subject;
           });
}

Table table_of(const std::vector<Chosen>& chosen) {
    Table all;
    for (const Chosen& each : chosen) {
        Table table = values_table(*each.curve);
        table.header.insert(table.header.begin(), "suite");
        table.columns.insert(table.columns.begin(), ColumnKind::text);
        for (auto& row : table.rows)
            row.insert(row.begin(), label_of(each, chosen));
        if (all.header.empty())
            all = std::move(table);
        else {
            for (std::size_t column = 0; column < all.header.size(); ++column)
                if (all.header[column] != table.header[column])
                    all.header[column] = column == 1 ? "at" : "error"; // of different kinds
            std::ranges::move(table.rows, std::back_inserter(all.rows));
        }
    }
    if (label_of(chosen.front(), chosen).empty()) // the only one
        leave_out_column(all, 0);
    leave_out_empty_columns(all);
    if (const auto adjusted = std::ranges::find(all.header, "adjusted");
        adjusted != all.header.end() && of_several_references(chosen))
        leave_out_column(all, static_cast<std::size_t>(adjusted - all.header.begin()));
    all.title.clear();
    all.by_importance.clear();
    return all;
}

/// Numbers in bytes and seconds, with full precision; the last are of the single measurements, where the file
/// holds them.
std::string values_csv(const Request& request) {
    std::string text =
        "database,suite,ranks,argument,value_s,low,high,error,interval_confidence,launches,bandwidth,"
        "flags,median_s,p95_s,p99_s,other_state_s\n";
    for (const auto& [subject, curve] : request.chosen) {
        std::map<std::int64_t, std::vector<double>> single;
        for (SingleTimes& times : request.single_times_of(*subject, *curve))
            single[times.argument] = std::move(times.times_s);
        for (const StoredMeasurement& point : curve->points) {
            const Measurement& measurement = point.measurement;
            const ValueError error = value_error(point);
            const double bytes = bytes_moved(*curve, measurement);
            const auto known = [](const std::optional<double>& value) {
                return value ? fmt::format("{}", *value) : std::string();
            };
            const auto number = [](double value) {
                return std::isnan(value) ? std::string() : fmt::format("{}", value);
            };
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},{},{}", for_csv(subject->label), for_csv(title_of(*curve)),
                measurement.ranks, measurement.argument, number(measurement.value_s), known(error.low),
                known(error.high), to_text(error.kind), error.confidence, point.merge ? point.merge->runs : 1,
                bytes > 0 && measurement.value_s > 0 ? fmt::format("{}", bytes / measurement.value_s) : "",
                for_csv(flag_words(measurement.flags)), number(measurement.summary.median));
            const auto times = single.find(measurement.argument);
            for (const double share : {0.95, 0.99})
                text +=
                    times == single.end() ? "," : fmt::format(",{}", skalib::quantile(times->second, share));
            const ModeValue* const other = most_common_other_mode(measurement);
            text += other ? fmt::format(",{}\n", other->value_s) : ",\n";
        }
    }
    return text;
}

Document document_of(const Request& request) {
    Table table = table_of(request.chosen);
    Section section;
    for (const std::string& note : notes_of(request.chosen, table))
        section.blocks.push_back(Paragraph{note, Tone::plain});
    section.blocks.insert(section.blocks.begin(), std::move(table));
    Document document;
    document.sections.push_back(std::move(section));
    return document;
}

/// A drawing that gnuplot makes.
Written draw(const Figure& figure, PlotTarget target, const char* ending, const Destination& to) {
    OutputFile file(to.output);
    const ScratchDirectory scratch;
    const std::vector<Figure> figures{figure};
    check_plots(run_all(prepare_plots(figures, target, scratch.path(), to.jobs), to.jobs), figures, target,
                scratch.path());
    file.write(file_text(std::string(scratch.path()) + "/" + figure.id + ending));
    file.commit();
    return {1, 0, {}};
}

struct ExtractRow {
    Extract::Kind kind;
    const char* ending;
    bool is_text; ///< can go to standard output
    Written (*write)(const Request& request, const Destination& to);
};

Written written(const Destination& to, const std::string& text, std::size_t figures) {
    if (to.output.empty())
        write_standard_output(text);
    else
        write_file(to.output, text);
    return {figures, 0, {}};
}

Written write_latex_table(const Request& request, const Destination& to) {
    Table table = table_of(request.chosen);
    const std::vector<std::string> left_out =
        request.extract.all_columns ? std::vector<std::string>()
                                    : fit_width(table, request.extract.width_cm.value_or(article_text_cm));
    const std::vector<std::string> notes = notes_of(request.chosen, table);
    Written done = written(to, booktabs_text(table, notes), 0);
    if (!left_out.empty())
        done.notes.push_back(
            fmt::format("--table: without {}, which would be wider than the text; --full or a name "
                        "that ends in .md has all columns, one in .csv all numbers",
                        enumeration(left_out)));
    return done;
}

constexpr auto extract_rows = std::to_array<ExtractRow>({
    {Extract::Kind::plot, ".svg", false,
     [](const auto& request, const auto& to) {
         return draw(figure_of(request), PlotTarget::svg, ".svg", to);
     }},
    {Extract::Kind::plot, ".png", false,
     [](const auto& request, const auto& to) {
         return draw(figure_of(request), PlotTarget::png, ".png", to);
     }},
    {Extract::Kind::plot, ".pdf", false,
     [](const auto& request, const auto& to) {
         return draw(figure_of(request), PlotTarget::pdf, ".pdf", to);
     }},
    {Extract::Kind::plot, ".csv", true,
     [](const auto& request, const auto& to) { return written(to, plot_csv(figure_of(request)), 1); }},
    {Extract::Kind::table, ".tex", true,
     [](const auto& request, const auto& to) { return write_latex_table(request, to); }},
    {Extract::Kind::table, ".csv", true,
     [](const auto& request, const auto& to) { return written(to, values_csv(request), 0); }},
    {Extract::Kind::table, ".md", true,
     [](const auto& request, const auto& to) {
         const std::string text = markdown(document_of(request), {});
         return written(to, text.substr(text.find("\n| ") + 1), 0);
     }},
    {Extract::Kind::table, ".txt", true,
     [](const auto& request, const auto& to) {
         return written(to, plain_text(document_of(request), {}, style_of_output(to.output)), 0);
     }},
});

constexpr auto kinds_of_plots = std::to_array<PlotKind>({
    {"curves", Extract::Shows::curves},
    {"time", Extract::Shows::time},
    {"bandwidth", Extract::Shows::bandwidth},
    {"box", Extract::Shows::boxes},
    {"ecdf", Extract::Shows::shares},
});

/// LaTeX as somebody would write it: without places to break long words at, and with empty groups only
/// between characters that would be drawn as one.
std::string latex_words(const std::string& text) {
    std::string latex = for_latex(text);
    constexpr std::string_view breaks = "\\allowbreak{}";
    for (std::size_t at = 0; (at = latex.find(breaks, at)) != std::string::npos;)
        latex.erase(at, breaks.size());
    for (std::size_t at = 0; (at = latex.find("{}", at)) != std::string::npos;) {
        const char next = at + 2 < latex.size() ? latex[at + 2] : '\0';
        const bool of_command = at > 0 && std::isalpha(static_cast<unsigned char>(latex[at - 1])) != 0;
        const bool of_word = of_command && std::isalpha(static_cast<unsigned char>(next)) != 0;
        const bool ligature = !of_command && at > 0 && latex[at - 1] == next;
        latex.replace(at, 2, of_command && next == ' ' ? "\\" : of_word ? " " : ligature ? "{}" : "");
        at += ligature ? 2 : 0;
    }
    return latex;
}

} // namespace

std::string endings_of(Extract::Kind kind) {
    std::vector<std::string> endings;
    for (const ExtractRow& row : extract_rows)
        if (row.kind == kind)
            endings.emplace_back(row.ending);
    return fmt::format("{}", fmt::join(endings, ", "));
}

std::string ending_on_standard_output(Extract::Kind kind, const std::string& format) {
    const std::string ending = format.empty() && kind == Extract::Kind::table
                                   ? ".txt"
                                   : "." + format.substr(format.starts_with('.') ? 1 : 0);
    std::vector<std::string> texts;
    for (const ExtractRow& row : extract_rows)
        if (row.kind == kind && row.is_text)
            texts.emplace_back(row.ending);
    if (std::ranges::find(texts, ending) == texts.end())
        throw InputError(fmt::format(
            "{}: does not go to standard output as {}, expected --format with one of {}, or -o "
            "with a name that ends in one of {}",
            kind == Extract::Kind::table ? "--table" : "--plot",
            format.empty() ? "a drawing" : printable(format), fmt::join(texts, ", "), endings_of(kind)));
    return ending;
}

std::span<const PlotKind> plot_kinds() {
    return kinds_of_plots;
}

Written write_extract(const Extract& extract, const std::vector<Subject>& subjects,
                      const SingleTimesOf& single_times_of, const Destination& to) {
    const auto* const row = std::ranges::find_if(extract_rows, [&](const ExtractRow& each) {
        return each.kind == extract.kind &&
               (extract.ending.empty() ? to.output.ends_with(each.ending) : extract.ending == each.ending);
    });
    if (row == extract_rows.end())
        throw InputError(fmt::format("{}: expected -o with a name that ends in one of {}",
                                     extract.kind == Extract::Kind::plot ? "--plot" : "--table",
                                     endings_of(extract.kind)));
    std::vector<Subject> thinned;
    if (extract.multiple_of > 1) {
        thinned = subjects;
        for (Subject& subject : thinned)
            for (Curve& curve : subject.curves)
                std::erase_if(curve.points, [&](const StoredMeasurement& point) {
                    return point.measurement.argument % extract.multiple_of != 0;
                });
    }
    const std::vector<Chosen> chosen = chosen_by(extract, extract.multiple_of > 1 ? thinned : subjects);
    return row->write({extract, chosen, single_times_of}, to);
}

std::string plot_csv(const Figure& figure) {
    std::string text = "panel,series,x,y,low,high\n";
    for (const Panel& panel : figure.panels)
        for (const Layer& layer : panel.layers)
            for (const PlotPoint& point : layer.points) {
                const bool zero = panel.x.zero_at && point.x == *panel.x.zero_at;
                text += fmt::format("{},{},{:.10g},{},{},{}\n",
                                    for_csv(panel.y.title.empty() ? panel.title : panel.y.title),
                                    for_csv(layer.label), zero ? 0 : point.x, point.y, point.low, point.high);
            }
    return text;
}

namespace {

/// The width of a column's text in points, roughly: a character of 10 pt Computer Modern has 5.
double width_pt(const Table& table, std::size_t column) {
    constexpr double character_pt = 5;
    std::size_t most = character_count(table.header[column]);
    for (const auto& row : table.rows)
        most = std::max(most, character_count(row[column]));
    return character_pt * static_cast<double>(most);
}

/// Whether it fits text of that width at 10 pt.
bool fits(const Table& table, double text_cm) {
    constexpr double pt_per_cm = 72.27 / 2.54;
    constexpr double between_pt = 12;
    double all_pt = 0;
    for (std::size_t column = 0; column < table.header.size(); ++column)
        all_pt += width_pt(table, column) + between_pt;
    return all_pt <= text_cm * pt_per_cm;
}

} // namespace

std::vector<std::string> fit_width(Table& table, double text_cm) {
    std::vector<std::string> left_out;
    for (const char* const column : {"adjusted", "bus bandwidth", "bandwidth", "other state", "flags"}) {
        const auto found = std::ranges::find(table.header, column);
        if (found == table.header.end() || fits(table, text_cm))
            continue;
        leave_out_column(table, static_cast<std::size_t>(found - table.header.begin()));
        left_out.emplace_back(column);
    }
    return left_out;
}

std::string booktabs_text(const Table& table, const std::vector<std::string>& notes) {
    std::string columns;
    for (const ColumnKind column : table.columns)
        columns += column == ColumnKind::number ? 'r' : 'l';
    const auto row = [](const std::vector<std::string>& cells) {
        std::string line;
        for (const std::string& cell : cells)
            line += (&cell == &cells.front() ? "" : " & ") + latex_words(cell);
        return line + " \\\\\n";
    };
    constexpr std::size_t most_on_page = 40;
    const bool is_long = table.rows.size() > most_on_page;
    const char* const kind = is_long ? "longtable" : "tabular";
    std::string text = fmt::format("% Made by skampi-report. In the preamble: \\usepackage{{booktabs{}}}{}\n"
                                   "\\begin{{{}}}{{{}}}\n\\toprule\n{}\\midrule\n{}",
                                   is_long ? ",longtable" : "",
                                   is_long ? "; neither in a table float nor in two columns" : "", kind,
                                   columns, row(table.header), is_long ? "\\endhead\n" : "");
    for (const auto& cells : table.rows)
        text += row(cells);
    text += fmt::format("\\bottomrule\n\\end{{{}}}\n", kind);
    if (notes.empty())
        return text;
    text += "\\par\\smallskip\n{\\footnotesize\\raggedright\n";
    for (const std::string& note : notes)
        text += latex_words(note) + "\n";
    return text + "\\par}\n";
}

} // namespace skampi
