// SPDX-License-Identifier: GPL-2.0-or-later
#include "make_report.hpp"

#include "analysis/history/history.hpp"
#include "analysis/history/history_gate.hpp"
#include "contest/algorithm_groups.hpp"
#include "contest/gate.hpp"
#include "formats/data/algorithms_json.hpp"
#include "formats/data/contest_json.hpp"
#include "formats/data/junit.hpp"
#include "formats/data/wait_state_data.hpp"
#include "formats/text/terminal.hpp"
#include "history/history_data.hpp"
#include "history/history_document.hpp"
#include "history/history_record.hpp"
#include "launches/session_launches.hpp"
#include "links/link_gate.hpp"
#include "links/link_words.hpp"
#include "links/links_report.hpp"
#include "wait_states/wait_state_document.hpp"
#include "wait_states/wait_states.hpp"
#include "words/algorithm_words.hpp"
#include "words/contest_words.hpp"
#include "words/contract_words.hpp"
#include "words/doubt_words.hpp"
#include "words/history_words.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <optional>

namespace skampi {
namespace {

class HistorySource : public ReportSource {
public:
    explicit HistorySource(const Options& options)
        : title_(options.title)
        , history_(read_history(options.databases, options.suites)) {}

    Document document(Medium medium) override {
        return build_history_document(history_, title_, medium != Medium::pages && medium != Medium::paper);
    }
    std::string csv(std::size_t /*most_bytes*/) override { return history_csv(history_); }
    std::string json() override { return history_json(history_); }

    [[nodiscard]] const History& history() const { return history_; }

private:
    const std::string& title_;
    History history_;
};

/// A line for each.
std::vector<std::string> conversion_losses(const cube::ConversionLosses& losses) {
    std::vector<std::string> lines;
    const auto add = [&](std::size_t count, const char* what, const char* happened) {
        if (count > 0)
            lines.push_back(fmt::format("{} {}", count_of(static_cast<std::int64_t>(count), what), happened));
    };
    add(losses.numbered_patterns, "pattern",
        "without a metric id: the ids written are the places in the file, from 0, not those of a CUBE file");
    add(losses.instances, "severe instance",
        "left out: this dialect needs a rank or a marker, or finite times");
    add(losses.patterns_not_finite, "pattern", "with values that are not finite: only the count is written");
    return lines;
}

class WaitStateSource : public ReportSource {
public:
    explicit WaitStateSource(const Options& options)
        : title_(options.title)
        , files_(read_wait_states(options.databases))
        , comparisons_(compare_all(files_, options.has_baseline)) {}

    Document document(Medium /*medium*/) override {
        return build_wait_state_document(files_, comparisons_, title_);
    }
    std::string csv(std::size_t /*most_bytes*/) override { return wait_state_csv(files_); }
    std::string json() override { return wait_state_json(files_, comparisons_); }
    ReportText cube_statistics(cube::Dialect dialect) override {
        if (files_.size() > 1)
            throw InputError(fmt::format("{}: a statistics file is made of one, found {}, expected one",
                                         printable(files_.front().path), files_.size()));
        const cube::ConvertedStatistics made = cube::converted(files_.front().read.file, dialect);
        return {write_statistics(made.file), 0, conversion_losses(made.losses)};
    }

    [[nodiscard]] const std::vector<WaitStates>& files() const { return files_; }

private:
    const std::string& title_;
    std::vector<WaitStates> files_;
    std::vector<WaitStateComparison> comparisons_;
};

std::vector<Gate> gates_of(const Options& options) {
    std::vector<Gate> gates;
    for (const std::string& text : options.fail_if)
        gates.push_back(parse_gate(text));
    return gates;
}

/// A database against itself would pass every gate, which no one wants.
/// @throws InputError
void refuse_gate_on_itself(const Options& options) {
    const std::string& reference =
        options.has_baseline ? options.databases.back() : options.databases.front();
    for (const std::string& each : options.databases) {
        std::error_code error;
        if (&each != &reference && std::filesystem::equivalent(each, reference, error))
            throw InputError(fmt::format("--fail-if: {} is the baseline, too, expected another database",
                                         printable(each)));
    }
}

/// @param outcome gets what did not pass, a line each, and what makes the gates doubtful
void check_comparison(RunSource& source, const Options& options, ReportOutcome& outcome) {
    const std::vector<Gate> gates = gates_of(options);
    const std::vector<GateResult> results = check_gates(gates, source.comparisons());
    if (options.junit)
        write_file(*options.junit, junit_report(results));
    outcome.failed = gate_lines(results, GateOutcome::failed);
    outcome.open = gate_lines(results, GateOutcome::open);
    outcome.warnings = gate_doubts(results);
}

/// Whether the inputs are Cube statistics files.
/// @throws InputError when some are and others are not
bool of_wait_states(const Options& options) {
    const std::string* statistics = nullptr;
    const std::string* other = nullptr;
    for (const std::string& path : options.databases)
        (cube::is_statistics_file(path) ? statistics : other) = &path;
    if (statistics != nullptr && other != nullptr)
        throw InputError(
            fmt::format("{} is a Cube statistics file and {} is not: wait states of a program and "
                        "measurements of SKaMPI have nothing to compare, expected files of one kind",
                        printable(*statistics), printable(*other)));
    return statistics != nullptr;
}

/// @throws InputError for the options that only databases have
void refuse_options_of_databases(const Options& options) {
    if (options.extract.kind != Extract::Kind::none)
        throw InputError("--plot, --table: are for databases, expected those alone");
    if (options.format->of_runs && !options.format->of_statistics)
        throw InputError(fmt::format(
            "{}: is made from a database, expected one of {} for Cube statistics files",
            printable(options.destination.output),
            endings_of([](const Format& format) { return !format.of_runs || format.of_statistics; })));
    const std::string given = !options.suites.empty()      ? "--suite " + options.suites.front()
                              : !options.runs.empty()      ? "--run " + options.runs.front()
                              : !options.content.empty()   ? "--content " + options.content
                              : !options.reference.empty() ? "--reference " + options.reference
                              : !options.fail_if.empty()   ? "--fail-if " + options.fail_if.front()
                              : !options.contract.empty()  ? "contract " + options.contract
                                                           : std::string();
    if (!given.empty())
        throw InputError(
            fmt::format("{}: is for databases, expected Cube statistics files alone", printable(given)));
}

ReportOutcome report_wait_states(const Options& options) {
    refuse_options_of_databases(options);
    WaitStateSource source(options);
    ReportOutcome outcome;
    for (const WaitStates& file : source.files()) {
        for (const cube::Problem& problem : file.read.problems)
            (problem.weight == cube::Problem::Weight::error ? outcome.written.missing : outcome.warnings)
                .push_back(to_text(problem, file.path));
        if (file.read.errors > 0 && file.read.errors + file.read.strange > file.read.problems.size())
            outcome.written.missing.push_back(
                fmt::format("{}: {} errors in all", printable(file.path), file.read.errors));
    }
    std::vector<std::string> unread = std::move(outcome.written.missing);
    outcome.written = write_report(*options.format, source, options.destination);
    std::vector<std::string>& missing = outcome.written.missing;
    missing.insert(missing.begin(), std::move_iterator(unread.begin()), std::move_iterator(unread.end()));
    return outcome;
}

ReportOutcome report_history(const Options& options) {
    HistorySource source(options);
    ReportOutcome outcome;
    const std::vector<HistoryFinding> findings =
        check_history(source.history(), options.fail_if, options.new_runs);
    const HistoryFinding* before = nullptr;
    for (const HistoryFinding& finding : findings) {
        (finding.fails ? outcome.failed : outcome.warnings).push_back(finding_line(finding, before));
        before = &finding;
    }
    outcome.written = write_report(*options.format, source, options.destination);
    return outcome;
}

ReportOutcome report_turns(const Options& options) {
    const SessionLaunches launches = read_session(Database::open(options.databases.front()), options.session);
    write_standard_output(session_json_text(judge_session(launches, look_due(launches))),
                          ExitStatus::impossible);
    return {};
}

/// The answer, a line for each operation and what else there is to know; not what to type next.
std::string algorithms_text(const AlgorithmFindings& found) {
    Section section{"Which algorithm", {}, {}};
    const std::string answer = algorithms_answer(found);
    section.blocks.emplace_back(Paragraph{answer});
    for (std::string& line : rule_lines(tuning_rules(found.winners), found.rule.gain))
        if (!answer.starts_with(line)) // of a single operation it is the answer
            section.blocks.emplace_back(Paragraph{std::move(line)});
    for (std::string& remark : algorithm_remarks(found))
        section.blocks.emplace_back(Paragraph{std::move(remark), Tone::remark});
    Document document;
    document.sections.push_back(std::move(section));
    return plain_text(document, {}, style_of_output({}));
}

ReportOutcome report_algorithms(const Options& options) {
    const Database database = Database::open(options.databases.front());
    const auto found = find_algorithms(database, {.gain = options.gain});
    if (options.in_words && !found)
        throw InputError(fmt::format("{}: holds no algorithms besides the default of the library, expected "
                                     "suites with Algorithm = all (skampi-run tune measures them)",
                                     printable(database.path())));
    write_standard_output(options.in_words ? algorithms_text(*found) : algorithms_json(found.get()),
                          ExitStatus::impossible);
    return {};
}

/// A plain report on pairs: of databases whose newest runs measured them.
bool is_of_links(const Options& options) {
    return options.extract.kind == Extract::Kind::none && !options.format->of_runs && options.runs.empty() &&
           std::ranges::all_of(options.databases, has_links);
}

ReportOutcome report_links(const Options& options) {
    const char* const given = !options.suites.empty()      ? "--suite, or a pattern of suites"
                              : !options.content.empty()   ? "--content"
                              : !options.reference.empty() ? "--reference"
                              : !options.versus.empty()    ? "--versus"
                              : options.raw                ? "--raw"
                                                           : nullptr;
    if (given)
        throw InputError(
            fmt::format("{}: is for suites, and {} holds pairs of nodes, expected its name alone", given,
                        printable(options.databases.front())));
    LinksSource source(options.databases, options.title);
    ReportOutcome outcome;
    const LinksShown& newest = source.shown().back();
    for (const std::string& text : options.fail_if) {
        LinkGateResult result = check_link_gate(parse_link_gate(text), newest.input);
        for (const std::string& line : result.failed)
            outcome.failed.push_back(text + ": " + line);
        for (const std::string& line : result.open)
            outcome.open.push_back(text + ": " + line);
    }
    if (options.bad_nodes) {
        if (std::ssize(newest.input.names) <= LinkLimits().least_partners)
            outcome.warnings.push_back("nodes are too few to call one slow");
        std::vector<std::string> names = bad_nodes(newest.input, newest.findings);
        for (std::string& name : names)
            name = printable(name);
        write_standard_output(fmt::format("{}\n", fmt::join(names, ",")), ExitStatus::impossible);
    } else
        outcome.written = write_report(*options.format, source, options.destination);
    return outcome;
}

ReportOutcome report_runs(const Options& options) {
    RunSource source(options);
    ReportOutcome outcome;
    if (!options.fail_if.empty()) {
        (void)source.subjects(); // what is wrong with them is said first
        refuse_gate_on_itself(options);
        check_comparison(source, options, outcome);
    }
    if (options.command == ReportCommand::accept) {
        const std::vector<PromiseFinding>& promises = source.promises();
        if (options.junit)
            write_file(*options.junit, junit_report(promises));
        outcome.failed = promise_lines(promises, GateOutcome::failed);
        outcome.open = promise_lines(promises, GateOutcome::open);
    }
    if (options.extract.kind == Extract::Kind::none) {
        outcome.written = write_report(*options.format, source, options.destination);
        return outcome;
    }
    outcome.written =
        write_extract(options.extract, source.shown(), source.single_times_of(), options.destination);
    for (const Subject& subject : source.shown()) // a plot or table alone does not say it
        if (std::string doubt = gravest_doubt_about({&subject}); !doubt.empty())
            outcome.warnings.push_back(std::move(doubt));
    return outcome;
}

} // namespace

std::vector<std::string> outputs(const Options& options) {
    if (options.command == ReportCommand::site)
        return site_folders(options.site.directory);
    const Destination& to = options.destination;
    std::vector<std::string> paths{to.output, options.junit.value_or("")};
    if (!to.output.empty() && options.format && options.format->beside)
        std::ranges::move(options.format->beside(to), std::back_inserter(paths));
    std::erase(paths, "");
    return paths;
}

std::vector<std::string> inputs(const Options& options) {
    std::vector<std::string> paths = options.databases;
    paths.insert(paths.end(), {options.content, options.config, options.contract, options.reference,
                               options.destination.base});
    return paths;
}

ReportOutcome make_report(const Options& options) {
    switch (options.command) {
    case ReportCommand::site:
        return {keep_site(options.site), {}, {}, {}};
    case ReportCommand::history:
        return report_history(options);
    case ReportCommand::turns:
        return report_turns(options);
    case ReportCommand::algorithms:
        return report_algorithms(options);
    case ReportCommand::links:
        return report_links(options);
    case ReportCommand::report:
    case ReportCommand::compare:
    case ReportCommand::accept:
        break;
    }
    if (of_wait_states(options))
        return report_wait_states(options);
    if (options.command == ReportCommand::report && is_of_links(options))
        return report_links(options);
    return report_runs(options);
}

} // namespace skampi
