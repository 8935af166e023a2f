// SPDX-License-Identifier: GPL-2.0-or-later
#include "runs/run_source.hpp"

#include "contest/links_contract.hpp"
#include "document/sections/build_document.hpp"
#include "document/sections/first_page.hpp"
#include "document/sections/section_kinds.hpp"
#include "formats/data/csv.hpp"
#include "formats/data/json.hpp"
#include "launches/one_reference.hpp"
#include "launches/session_launches.hpp"
#include "links/links_report.hpp"
#include "merge/references.hpp"
#include "spec/text_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace skampi {

namespace {

/// @param subjects of one database  @param why one is needed
/// @throws InputError where there are several
void refuse_several_runs(const std::vector<Subject>& subjects, const char* why) {
    if (subjects.size() < 2)
        return;
    std::vector<std::string> runs;
    for (const Subject& subject : subjects)
        runs.push_back(printable(subject.group.empty() ? subject.run->uuid : subject.group));
    throw InputError(fmt::format("{}: {}, found {}, expected --run with one of them",
                                 printable(subjects.front().path), why, fmt::join(runs, ", ")));
}

/// The others against the first.
Content::Comparison comparison_of(const std::vector<std::string>& suites) {
    Content::Comparison comparison;
    for (const std::string& suite : suites)
        comparison.curves.push_back(
            {.database = {}, .suite = suite, .label = {}, .place = "--versus", .suite_place = "--versus"});
    comparison.title =
        fmt::format("{} against {}", fmt::join(suites.begin() + 1, suites.end(), ", "), suites.front());
    return comparison;
}

} // namespace

RunSource::RunSource(const RunOptions& options)
    : options_(options)
    , content_(options.content.empty() ? Content{} : read_content(options.content, chapter_names())) {
    if (!options.versus.empty())
        content_.comparisons.insert(content_.comparisons.begin(), comparison_of(options.versus));
    if (!options.contract.empty())
        contract_ = parse_contract(read_text_file(options.contract), options.contract);
    for (const std::string& path : options.databases)
        if (!options.contract.empty() && has_links(path))
            links_.push_back(path);
        else
            databases_.push_back(Database::open(path));
    require_runs(databases_, options.runs);
    if (!options.compares && databases_.size() == 1 && options.runs.empty() &&
        !databases_.front().sessions().empty())
        read_turns();
    if (!turns_ && databases_.size() == 1 && options.runs.empty())
        algorithms_ = find_algorithms(databases_.front(), {.gain = options.gain});
}

Document RunSource::document(Medium medium) {
    if (databases_.empty()) {
        Document document = LinksSource(links_, options_.title).document(medium);
        add_contract(promises(), document.cover);
        return document;
    }
    const std::vector<Subject>& shown = this->shown();
    DocumentOptions wanted{options_.title,
                           options_.has_baseline,
                           options_.box_plots,
                           content_,
                           {},
                           adapted_.empty() ? &comparisons() : nullptr,
                           turns(),
                           algorithms_.get()};
    if (!promises().empty())
        wanted.contract = &promises();
    if (options_.box_plots)
        wanted.single_times_of = single_times_of();
    const bool in_full = options_.full || options_.box_plots;
    const Room room = medium == Medium::paper                 ? (in_full ? Room::book : Room::pages)
                      : medium != Medium::terminal || in_full ? Room::everything
                      : options_.suites.empty()               ? Room::screen
                                                              : Room::suites;
    Document document = build_document(shown, wanted, room);
    if (!links_.empty()) { // without maps, whose names belong to the other figures
        Document links = LinksSource(links_, {}).document(Medium::terminal);
        Section section{.title = links.cover.title, .blocks = {}, .subsections = std::move(links.sections)};
        section.blocks.emplace_back(Paragraph{links.cover.answer.text});
        for (const std::string& line : links.cover.remarks) // what is slow stands in the tables
            section.blocks.emplace_back(Paragraph{line});
        document.sections.push_back(std::move(section));
    }
    return document;
}

const std::vector<Subject>& RunSource::shown() {
    if (adapted_.empty() && (content_.half_round_trips || content_.bus_column ||
                             !(content_.units == Units{}) || !content_.suite_units.empty())) {
        adapted_ = subjects();
        if (content_.half_round_trips)
            halve_round_trips(adapted_);
        choose_units(content_, adapted_);
    }
    return adapted_.empty() ? subjects() : adapted_;
}

SingleTimesOf RunSource::single_times_of() {
    return [this](const Subject& subject, const Curve& curve) {
        const auto database = std::ranges::find(databases_, subject.path, &Database::path);
        return database == databases_.end() ? std::vector<SingleTimes>{}
                                            : single_times(*database, subject, curve);
    };
}

std::string RunSource::csv(std::size_t most_bytes) {
    return options_.raw ? result_csv(databases_, options_.suites, options_.runs, most_bytes)
                        : shown_csv(subjects(), most_bytes);
}

std::string RunSource::json() {
    return json_report(subjects(), comparisons(), turns(), algorithms_.get(), promises());
}

const std::vector<Contest>& RunSource::comparisons() {
    if (!comparisons_)
        comparisons_ = judge_subjects(subjects(), options_.has_baseline);
    return *comparisons_;
}

const std::vector<PromiseFinding>& RunSource::promises() {
    if (promises_)
        return *promises_;
    promises_ = check_contract(contract_, subjects(), options_.contract);
    const auto judge_links = [&](const LinkInput& input, const std::string& path) {
        std::ranges::move(check_links_contract(contract_, input, path), std::back_inserter(*promises_));
    };
    for (const std::string& path : links_)
        judge_links(read_links(path).back().input, path);
    if (links_.empty())
        judge_links({}, options_.databases.front());
    std::ranges::stable_sort(*promises_, {}, [](const PromiseFinding& each) { return each.promise->line; });
    return *promises_;
}

const std::vector<Subject>& RunSource::subjects() {
    if (subjects_.empty() && !databases_.empty())
        read();
    return subjects_;
}

const Subject& RunSource::only_subject(const char* ending) {
    const std::string why = fmt::format("the form {} holds one run", ending);
    if (subjects().empty())
        throw InputError(why + ", expected a database of suites");
    if (subjects().size() > 1 && databases_.size() > 1)
        throw InputError(why + ", expected one database");
    refuse_several_runs(subjects(), why.c_str());
    return subjects().front();
}

const Database& RunSource::only_database() {
    if (databases_.size() != 1)
        throw InputError("this format is made of one database, expected one");
    return databases_.front();
}

/// Of the newest session, where two of its variants were launched.
void RunSource::read_turns() {
    session_ = read_session(databases_.front());
    const auto launched =
        std::ranges::count_if(session_->launches, [](const auto& of_variant) { return !of_variant.empty(); });
    if (launched < 2)
        return;
    turns_ = judge_session(*session_, look_due(*session_)); // the error is that of all suites, shown or not
    const auto is_left_out = [&](const std::string& suite) {
        return !suite_selected(suite, options_.suites);
    };
    std::erase_if(session_->starts, [&](const auto& starts) { return is_left_out(starts.first); });
    for (VariantContest& variant : turns_->variants) {
        std::erase_if(variant.contest.suites,
                      [&](const SuiteContest& suite) { return is_left_out(suite.reference->suite().name); });
        std::erase_if(variant.contest.only_in_subject,
                      [&](const Curve* curve) { return is_left_out(curve->suite().name); });
    }
}

/// A subject for each variant, of all its launches.
void RunSource::read_variants() {
    for (const Subject& variant : session_->variants)
        if (!variant.shown_runs.empty()) {
            subjects_.push_back(read_series(databases_.front(), variant.shown_runs));
            subjects_.back().group = variant.label;
        }
}

/// Of one file, unless runs are chosen or compared, or the format holds one run.
bool RunSource::shows_studies() const {
    return databases_.size() == 1 && !options_.compares && options_.runs.empty() &&
           options_.fail_if.empty() && !(options_.format && options_.format->of_one_run);
}

void RunSource::read() {
    if (turns_)
        read_variants();
    for (const Database& database : databases_) {
        if (turns_)
            break;
        std::vector<Subject> own = read_subjects(database, options_.runs);
        if (shows_studies() && own.size() == 1 && own.front().strangers > 0)
            if (std::vector<Subject> study = read_study(database); !study.empty())
                own = std::move(study);
        if (options_.has_baseline && &database == &databases_.back())
            refuse_several_runs(own, "one run is the baseline");
        if (!options_.fail_if.empty())
            refuse_several_runs(own, "--fail-if compares one run of each database");
        std::ranges::move(own, std::back_inserter(subjects_));
    }
    if (!options_.compares && !turns_)
        join_parts(subjects_);
    reduce_all();
    label_subjects(subjects_);
    select_suites(subjects_, options_.suites);
    arrange_suites(content_, subjects_);
}

/// The baseline is the first to be asked for a reference.
void RunSource::reduce_all() {
    const std::vector<Run> preferred =
        options_.reference.empty() ? std::vector<Run>{} : runs_with_reference(options_.reference);
    const auto baseline =
        options_.has_baseline && !subjects_.empty() ? std::prev(subjects_.end()) : subjects_.begin();
    std::rotate(subjects_.begin(), baseline, subjects_.end());
    reduce_to_one_reference(subjects_, preferred);
    std::rotate(subjects_.begin(), subjects_.begin() + (subjects_.end() - baseline), subjects_.end());
}

} // namespace skampi
