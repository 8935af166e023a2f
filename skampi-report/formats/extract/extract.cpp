#include "formats/extract/extract.hpp"

#include "analysis/curve_model.hpp"
#include "document/sections/suite_tables.hpp"
#include "drawing/plot.hpp"
#include "drawing/plot_points.hpp"
#include "formats/text/plain_text.hpp"
#include "model/quantity.hpp"
#include "words/error_statement.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/scratch_directory.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

/// A suite with its subject.
struct Chosen {
    const Subject* subject;
    const Curve* curve;
};

std::vector<Chosen> chosen_by(const Extract& extract, const std::vector<Subject>& subjects) {
    std::vector<Chosen> chosen;
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves)
            if (suite_selected(curve.suite().name, {extract.pattern}))
                chosen.push_back({&subject, &curve});
    const char* const option = extract.kind == Extract::Kind::plot ? "--plot" : "--table";
    if (chosen.empty())
        throw InputError(fmt::format("{} {}: means no suite, expected a name or pattern such as 'MPI_Bcast*'",
                                     option, printable(extract.pattern)));
    return chosen;
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
    return shortened(subject + (subject.empty() || suite.empty() ? "" : ": ") + suite, 40);
}

Figure figure_of(const std::vector<Chosen>& chosen, const std::string& pattern) {
    constexpr std::size_t most = 7; // colours
    std::vector<const Curve*> curves;
    std::vector<std::string> labels;
    for (const Chosen& each : chosen) {
        if (!drawable(*each.curve))
            throw InputError(fmt::format("--plot {}: {} has no two values to draw, expected a suite that has",
                                         printable(pattern), printable(title_of(*each.curve))));
        if (each.curve->suite().varied != chosen.front().curve->suite().varied)
            throw InputError(
                fmt::format("--plot {}: {} and {} are over different things, expected suites of one "
                            "kind",
                            printable(pattern), printable(title_of(*chosen.front().curve)),
                            printable(title_of(*each.curve))));
        curves.push_back(each.curve);
        labels.push_back(label_of(each, chosen));
    }
    if (curves.size() > most)
        throw InputError(fmt::format("--plot {}: means {} curves, expected at most {}", printable(pattern),
                                     curves.size(), most));
    return curves.size() == 1 ? suite_figure("plot", *curves.front(), curve_model(*curves.front()))
                              : overlay_figure("plot", curves, labels);
}

Table table_of(const std::vector<Chosen>& chosen) {
    Table all;
    for (const Chosen& each : chosen) {
        Table table = values_table(*each.curve);
        const bool flagged = table.header.back() == "flags";
        if (const std::string label = label_of(each, chosen); !label.empty()) {
            table.header.insert(table.header.begin(), "suite");
            table.columns.insert(table.columns.begin(), ColumnKind::text);
            for (auto& row : table.rows)
                row.insert(row.begin(), label);
        }
        if (!flagged && !all.header.empty() && all.header.back() == "flags")
            for (auto& row : table.rows)
                row.emplace_back();
        if (all.header.empty() || table.header.size() > all.header.size()) {
            all.header = table.header;
            all.columns = table.columns;
        }
        std::ranges::move(table.rows, std::back_inserter(all.rows));
    }
    for (auto& row : all.rows)
        row.resize(all.header.size());
    return all;
}

/// RFC 4180.
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

/// Numbers in bytes and seconds, with full precision.
std::string values_csv(const std::vector<Chosen>& chosen) {
    std::string text = "database,suite,argument,time_s,low_s,high_s,bandwidth_bytes_per_s,flags\n";
    for (const auto& [subject, curve] : chosen)
        for (const StoredMeasurement& point : curve->points) {
            const Measurement& measurement = point.measurement;
            const ValueError error = value_error(point);
            const double bytes = bytes_moved(*curve, measurement);
            const auto known = [](const std::optional<double>& value) {
                return value ? fmt::format("{}", *value) : std::string();
            };
            text += fmt::format(
                "{},{},{},{},{},{},{},{}\n", csv_field(subject->label), csv_field(title_of(*curve)),
                measurement.argument, measurement.value_s, known(error.low), known(error.high),
                bytes > 0 && measurement.value_s > 0 ? fmt::format("{}", bytes / measurement.value_s) : "",
                csv_field(flag_text(measurement.flags)));
        }
    return text;
}

std::string markdown_table(Table table) {
    Document document;
    Section section;
    section.blocks.push_back(std::move(table));
    document.sections.push_back(std::move(section));
    const std::string text = markdown(document, {});
    return text.substr(text.find("\n| ") + 1);
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
    Written (*write)(const std::vector<Chosen>& chosen, const std::string& pattern, const Destination& to);
};

Written written(const Destination& to, const std::string& text, std::size_t figures) {
    write_file(to.output, text);
    return {figures, 0, {}};
}

constexpr auto extract_rows = std::to_array<ExtractRow>({
    {Extract::Kind::plot, ".svg",
     [](const auto& chosen, const auto& pattern, const auto& to) {
         return draw(figure_of(chosen, pattern), PlotTarget::svg, ".svg", to);
     }},
    {Extract::Kind::plot, ".png",
     [](const auto& chosen, const auto& pattern, const auto& to) {
         return draw(figure_of(chosen, pattern), PlotTarget::png, ".png", to);
     }},
    {Extract::Kind::plot, ".pdf",
     [](const auto& chosen, const auto& pattern, const auto& to) {
         return draw(figure_of(chosen, pattern), PlotTarget::pdf, ".pdf", to);
     }},
    {Extract::Kind::plot, ".tex",
     [](const auto& chosen, const auto& pattern, const auto& to) {
         return written(to, pgfplots_text(figure_of(chosen, pattern)), 1);
     }},
    {Extract::Kind::plot, ".csv",
     [](const auto& chosen, const auto& pattern, const auto& to) {
         return written(to, plot_csv(figure_of(chosen, pattern)), 1);
     }},
    {Extract::Kind::table, ".tex",
     [](const auto& chosen, const auto& /*pattern*/, const auto& to) {
         return written(to, booktabs_text(table_of(chosen)), 0);
     }},
    {Extract::Kind::table, ".csv",
     [](const auto& chosen, const auto& /*pattern*/, const auto& to) {
         return written(to, values_csv(chosen), 0);
     }},
    {Extract::Kind::table, ".md",
     [](const auto& chosen, const auto& /*pattern*/, const auto& to) {
         return written(to, markdown_table(table_of(chosen)), 0);
     }},
});

/// LaTeX as somebody would write it: without places to break long words at, and without an empty group behind
/// each command.
std::string latex_words(const std::string& text) {
    std::string latex = for_latex(text);
    constexpr std::string_view breaks = "\\allowbreak{}";
    for (std::size_t at = 0; (at = latex.find(breaks, at)) != std::string::npos;)
        latex.erase(at, breaks.size());
    for (std::size_t at = 0; (at = latex.find("{}", at)) != std::string::npos;) {
        const char next = at + 2 < latex.size() ? latex[at + 2] : '\0';
        latex.replace(at, 2,
                      next == ' '                                           ? "\\"
                      : std::isalpha(static_cast<unsigned char>(next)) != 0 ? " "
                                                                            : "");
    }
    return latex;
}

std::string pgfplots_axis(const char* name, const Axis& axis) {
    std::string ticks, labels;
    for (const Tick& tick : axis.ticks) {
        ticks += fmt::format("{}{:.10g}", ticks.empty() ? "" : ",", tick.at);
        labels += fmt::format("{}{{{}}}", labels.empty() ? "" : ",", latex_words(tick.label));
    }
    return fmt::format("  {0}mode={1}, {0}min={2:.10g}, {0}max={3:.10g}, {0}label={{{4}}},\n"
                       "  {0}tick={{{5}}}, {0}ticklabels={{{6}}},\n",
                       name, axis.log ? "log" : "normal", axis.low, axis.high, latex_words(axis.title), ticks,
                       labels);
}

/// How a series is drawn; empty = it is not.
std::string pgfplots_style(LayerStyle style) {
    switch (style) {
    case LayerStyle::error_points:
        return "mark=*, mark size=1pt, error bars/.cd, y dir=both, y explicit";
    case LayerStyle::line:
    case LayerStyle::median:
        return "no marks";
    case LayerStyle::faint_line:
        return "no marks, very thin, gray";
    case LayerStyle::model:
        return "no marks, dashed";
    case LayerStyle::open_points:
        return "only marks, mark=o";
    case LayerStyle::large_points:
        return "only marks, mark=*";
    default:
        return {};
    }
}

} // namespace

std::string endings_of(Extract::Kind kind) {
    std::vector<std::string> endings;
    for (const ExtractRow& row : extract_rows)
        if (row.kind == kind)
            endings.emplace_back(row.ending);
    return fmt::format("{}", fmt::join(endings, ", "));
}

Written write_extract(const Extract& extract, const std::vector<Subject>& subjects, const Destination& to) {
    const auto* const row = std::ranges::find_if(extract_rows, [&](const ExtractRow& each) {
        return each.kind == extract.kind && to.output.ends_with(each.ending);
    });
    if (row == extract_rows.end())
        throw InputError(fmt::format("{}: expected -o with a name that ends in one of {}",
                                     extract.kind == Extract::Kind::plot ? "--plot" : "--table",
                                     endings_of(extract.kind)));
    return row->write(chosen_by(extract, subjects), extract.pattern, to);
}

std::string pgfplots_text(const Figure& figure) {
    std::string text =
        "% Made by skampi-report. In the preamble: \\usepackage{pgfplots} \\pgfplotsset{compat=1.16}\n";
    for (const Panel& panel : figure.panels) {
        text += "\\begin{tikzpicture}\n\\begin{axis}[\n" + pgfplots_axis("x", panel.x) +
                pgfplots_axis("y", panel.y) + "  unbounded coords=jump, legend style={font=\\small},\n]\n";
        for (const Layer& layer : panel.layers) {
            const std::string style = pgfplots_style(layer.style);
            if (style.empty() || layer.points.empty())
                continue;
            text +=
                "\\addplot+[" + style + (layer.label.empty() ? ", forget plot" : "") +
                "] table[x=x, y=y, y error minus=minus, y error plus=plus, row sep=newline] {\nx y minus plus\n";
            for (const PlotPoint& point : layer.points) {
                const bool bar = layer.style == LayerStyle::error_points;
                if (point.gap_before)
                    text += fmt::format("{:.10g} nan 0 0\n", point.x);
                text += fmt::format("{:.10g} {:.10g} {:.6g} {:.6g}\n", point.x, point.y,
                                    bar ? std::max(0.0, point.y - point.low) : 0,
                                    bar ? std::max(0.0, point.high - point.y) : 0);
            }
            text += "};\n";
            if (!layer.label.empty())
                text += "\\addlegendentry{" + latex_words(layer.label) + "}\n";
        }
        text += "\\end{axis}\n\\end{tikzpicture}\n";
    }
    return text;
}

std::string plot_csv(const Figure& figure) {
    std::string text = "panel,series,x,y,low,high\n";
    for (const Panel& panel : figure.panels)
        for (const Layer& layer : panel.layers)
            for (const PlotPoint& point : layer.points) {
                const bool zero = panel.x.zero_at && point.x == *panel.x.zero_at;
                text +=
                    fmt::format("{},{},{:.10g},{},{},{}\n",
                                csv_field(panel.y.title.empty() ? panel.title : panel.y.title),
                                csv_field(layer.label), zero ? 0 : point.x, point.y, point.low, point.high);
            }
    return text;
}

std::string booktabs_text(const Table& table) {
    std::string columns;
    for (const ColumnKind column : table.columns)
        columns += column == ColumnKind::number ? 'r' : 'l';
    const auto row = [](const std::vector<std::string>& cells) {
        std::string line;
        for (const std::string& cell : cells)
            line += (&cell == &cells.front() ? "" : " & ") + latex_words(cell);
        return line + " \\\\\n";
    };
    std::string text = "% Made by skampi-report. In the preamble: \\usepackage{booktabs}\n\\begin{tabular}{" +
                       columns + "}\n\\toprule\n" + row(table.header) + "\\midrule\n";
    for (const auto& cells : table.rows)
        text += row(cells);
    return text + "\\bottomrule\n\\end{tabular}\n";
}

} // namespace skampi
