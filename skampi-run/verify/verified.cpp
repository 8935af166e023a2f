// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verify/verified.hpp"

#include "base/text.hpp"
#include "host/environment.hpp"
#include "model/quantity.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace skampi {
namespace {

const std::string& name_of(const SuiteContest& suite) {
    return suite.reference->suite().name;
}

const VerifySuite* planned_as(const std::string& name, const VerifiedFile& file) {
    const auto found = std::ranges::find(file.planned, name, &VerifySuite::name);
    return found == file.planned.end() ? nullptr : &*found;
}

/// A difference that is not known to be within the margin.
bool matters(const Statement& statement, double margin) {
    return statement.different() && std::max(statement.high, 1 / statement.low) > 1 + margin;
}

bool is_slower_somewhere(const SuiteContest& suite, double margin) {
    return std::ranges::any_of(suite.statements, [&](const Statement& each) {
        return each.place.kind != Place::Kind::point && each.verdict == Verdict::slower &&
               matters(each, margin);
    });
}

bool is_faster(const SuiteContest& suite) {
    return suite.whole() && suite.whole()->verdict == Verdict::faster;
}

/// There is nothing to compare, and what went wrong is said.
bool is_only_faulty(const SuiteContest& suite, const VerifiedFile& file) {
    return !suite.whole() &&
           std::ranges::find(file.faults, name_of(suite), &VerifyFault::suite) != file.faults.end();
}

/// Classes of lengths and ranges that differ otherwise than all lengths together.
std::vector<const Statement*> differing_parts(const SuiteContest& suite, double margin) {
    std::vector<const Statement*> parts;
    for (const Statement& each : suite.statements) {
        const Statement& whole = *suite.whole();
        const bool apart = each.low > whole.high || each.high < whole.low;
        if ((each.place.kind == Place::Kind::size || each.place.kind == Place::Kind::range) &&
            (apart || (each.verdict != whole.verdict && matters(each, margin))))
            parts.push_back(&each);
    }
    return parts;
}

/// "18 % faster (15 to 21 %)", "no difference found (1.2 % faster to 3.0 % slower)"
std::string finding_text(const Statement& statement, double margin) {
    if (statement.ratio != statement.ratio)
        return "not judged: no round has both times";
    if (!statement.judged())
        return slower_text(statement.ratio) + ", not judged: too few rounds";
    if (statement.verdict == Verdict::equal)
        return fmt::format("equal within {}", format_percent(margin));
    if (!statement.different())
        return fmt::format("{} ({} to {})", statement.none_found() ? "no difference found" : "unknown",
                           slower_text(statement.low), slower_text(statement.high));
    return fmt::format("{} ({}){}", slower_text(statement.ratio),
                       slower_interval(statement.ratio, statement.low, statement.high),
                       matters(statement, margin) ? ""
                                                  : ", less than the margin of " + format_percent(margin));
}

/// " in the slower state of the machine"; mostly empty
std::string machine_state_text(const SuiteContest& suite) {
    return suite.state
               ? fmt::format(" in the {} state of the machine", suite.state->slower ? "slower" : "faster")
               : std::string();
}

/// " at 4347 bytes", " for small messages"
std::string part_text(const Place& place) {
    if (place.kind == Place::Kind::size)
        return place.size() == MessageSize::small    ? " for small messages"
               : place.size() == MessageSize::medium ? " for medium messages"
                                                     : " for large messages";
    return place.from == place.to ? fmt::format(" at {} bytes", place.from)
                                  : fmt::format(" from {} to {} bytes", place.from, place.to);
}

/// " at 8192 bytes", " at 5 lengths from 8192 to 15000 bytes"
std::string places_text(const std::set<std::int64_t>& lengths) {
    return lengths.size() == 1 ? fmt::format(" at {} bytes", *lengths.begin())
                               : fmt::format(" at {} lengths from {} to {} bytes", lengths.size(),
                                             *lengths.begin(), *lengths.rbegin());
}

std::string suite_text(const std::string& suite, const VerifiedFile& file) {
    const VerifySuite* const known = planned_as(suite, file);
    return known ? region_text(known->region) : printable(suite);
}

void add_fault(const VerifyFault& fault, const VerifiedFile& file, std::string& text) {
    const VerifySuite* const known = planned_as(fault.suite, file);
    const std::string place =
        fmt::format("{} {} the file", suite_text(fault.suite, file), fault.with_file ? "with" : "without");
    if (!fault.wrong_at.empty())
        text += fmt::format("{}: wrong data{}\n", place,
                            known && known->last > 0 ? places_text(fault.wrong_at) : std::string());
    if (!fault.failure.empty())
        text += fmt::format("{}: failed: {}\n", place, printable(fault.failure));
}

void add_whole(const SuiteContest& suite, const VerifiedFile& file, std::string& text) {
    const Statement none;
    const Statement& whole = suite.whole() ? *suite.whole() : none;
    const auto all = static_cast<std::size_t>(file.session.look.rounds);
    text += fmt::format("{}{}: {}", suite_text(name_of(suite), file), machine_state_text(suite),
                        finding_text(whole, file.contest().rule.margin));
    if (whole.judged())
        text += whole.reference < all ? fmt::format(", {} of {} rounds", whole.reference, all)
                                      : ", " + count_of(whole.reference, "round");
    text += "\n";
}

void add_parts(const SuiteContest& suite, const VerifiedFile& file, std::string& text) {
    const double margin = file.contest().rule.margin;
    const VerifySuite* const known = planned_as(name_of(suite), file);
    const std::string name = known ? known->region.operation : printable(name_of(suite));
    for (const Statement* const part : differing_parts(suite, margin))
        text += fmt::format("{}{}{}: {}\n", name, part_text(part->place), machine_state_text(suite),
                            finding_text(*part, margin));
}

std::string fact_of(const Run& run, std::string_view kind, const std::string& name) {
    const auto found = run.facts.find(std::string(kind) + name);
    return found == run.facts.end() ? std::string() : found->second;
}

bool has_in_environment(const Run& run, const std::string& name, const std::string& value) {
    return std::ranges::any_of(run.settings, [&](const auto& setting) {
        return (setting.first == name || setting.first == control_variable_of(name)) &&
               setting.second == value;
    });
}

/// The regions whose suites are so, by name.
template <typename Predicate>
std::vector<TunedRegion> regions_where(const VerifiedFile& file, Predicate is_so) {
    std::vector<TunedRegion> regions;
    for (const VerifySuite& each : file.planned)
        if (is_so(each.name))
            regions.push_back(each.region);
    return regions;
}

} // namespace

VerifiedFile::VerifiedFile(SessionLaunches measured, std::vector<VerifySuite> as_planned)
    : launches(std::move(measured))
    , session(judge_session(launches, look_due(launches)))
    , planned(std::move(as_planned)) {}

bool VerifiedFile::slower_somewhere() const {
    return std::ranges::any_of(contest().suites, [&](const SuiteContest& suite) {
        return is_slower_somewhere(suite, contest().rule.margin);
    });
}

bool VerifiedFile::faster_somewhere() const {
    return std::ranges::any_of(contest().suites, [&](const SuiteContest& suite) {
        return is_faster(suite) && matters(*suite.whole(), contest().rule.margin);
    });
}

bool VerifiedFile::faulty_somewhere() const {
    return std::ranges::any_of(faults, &VerifyFault::with_file);
}

bool VerifiedFile::judged() const {
    return std::ranges::any_of(contest().suites, [&](const SuiteContest& suite) {
        return suite.whole() && suite.whole()->judged();
    });
}

std::size_t VerifiedFile::open() const {
    return static_cast<std::size_t>(std::ranges::count_if(contest().suites, [&](const SuiteContest& suite) {
        return suite.whole() && suite.whole()->verdict == Verdict::open;
    }));
}

std::string why_not_read(const TuningUse& use, const SessionLaunches& launches) {
    const std::optional<Run>& usual = launches.variants.front().run;
    const std::optional<Run>& tuned = launches.variants.back().run;
    if (!tuned)
        return "no launch with it came to its end";
    for (const auto& [name, value] : use.settings) {
        if (!fact_of(*tuned, fact_setting_unknown, name).empty())
            return name + " is no variable of the library";
        const std::string held = fact_of(*tuned, fact_setting_read_back, name);
        const bool is_held =
            held == value || (held.empty() && has_in_environment(*tuned, name, value)) ||
            // a word, of which the library shows the number
            (!held.empty() && usual && held != fact_of(*usual, fact_setting_read_back, name));
        if (!is_held)
            return fmt::format("the library holds \"{}\" for {}, expected {}", held, name, printable(value));
    }
    return {};
}

std::vector<VerifyFault> faults_of_session(const Database& database, const Session& session) {
    std::map<std::string, std::size_t> places; // of suites in the plan
    std::map<std::pair<std::size_t, bool>, VerifyFault> found;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        if (run.session_place.session != session.uuid)
            continue;
        const bool with_file = run.variant == session.variants.back().name;
        for (const StoredSuite& suite : database.suites(id)) {
            const std::size_t place = places.emplace(suite.suite.name, places.size()).first->second;
            VerifyFault& fault = found[{place, !with_file}];
            fault.suite = suite.suite.name;
            fault.with_file = with_file;
            if (suite.state == SuiteState::failed)
                fault.failure = suite.reason;
            for (const StoredMeasurement& point : database.measurements(suite.id))
                if (has(point.measurement.flags, Flag::wrong_result))
                    fault.wrong_at.insert(point.measurement.argument);
        }
    }
    std::vector<VerifyFault> faults;
    for (auto& [key, fault] : found)
        if (!fault.wrong_at.empty() || !fault.failure.empty())
            faults.push_back(std::move(fault));
    return faults;
}

std::string verified_text(const VerifiedFile& file) {
    std::string text;
    for (const VerifyFault& fault : file.faults)
        add_fault(fault, file, text);
    for (const SuiteContest& suite : file.contest().suites)
        if (!is_only_faulty(suite, file)) {
            add_whole(suite, file, text);
            add_parts(suite, file, text);
        }
    return text;
}

std::vector<TunedRegion> VerifiedFile::slower() const {
    return regions_where(*this, [&](const std::string& name) {
        return std::ranges::any_of(contest().suites, [&](const SuiteContest& suite) {
            return name_of(suite) == name && is_slower_somewhere(suite, contest().rule.margin);
        });
    });
}

std::vector<TunedRegion> VerifiedFile::unconfirmed() const {
    return regions_where(*this, [&](const std::string& name) {
        std::size_t states = 0;
        std::size_t faster = 0;
        for (const SuiteContest& suite : contest().suites)
            if (name_of(suite) == name) {
                ++states;
                faster += is_faster(suite) ? 1 : 0;
            }
        return states == 0 || faster < states;
    });
}

std::vector<TunedRegion> VerifiedFile::faulty() const {
    return regions_where(*this, [&](const std::string& name) {
        return std::ranges::any_of(
            faults, [&](const VerifyFault& fault) { return fault.with_file && fault.suite == name; });
    });
}

} // namespace skampi
