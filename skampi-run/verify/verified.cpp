#include "verify/verified.hpp"

#include "base/text.hpp"
#include "model/quantity.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace skampi {
namespace {

using Json = nlohmann::json;

constexpr const char* tuned_variant = "tuned";

VerifiedRatio ratio_of(const Json& each) {
    VerifiedRatio ratio;
    ratio.ratio = each.at("ratio").get<double>();
    if (each.at("low").is_number() && each.at("high").is_number()) {
        ratio.low = each["low"].get<double>();
        ratio.high = each["high"].get<double>();
    }
    return ratio;
}

bool has_state(const Json& statement, const char* state) {
    const Json& states = statement.at("state");
    return std::ranges::find(states, state) != states.end();
}

/// Of all lengths, or of a class of them, which is news where it differs otherwise.
/// @pre that of all lengths comes first
void add_statement(const Json& statement, VerifiedSuite& suite) {
    const VerifiedRatio ratio = ratio_of(statement);
    const bool equal = has_state(statement, "equal");
    if (statement.at("sizes").is_null()) {
        suite.pooled = ratio;
        suite.equal = equal;
        suite.open = has_state(statement, "open");
        suite.rounds = statement.at("rounds").get<std::size_t>();
    } else if (!equal &&
               ((ratio.slower() && !suite.pooled.slower()) || (ratio.faster() && !suite.pooled.faster()))) {
        suite.parts.push_back({statement["sizes"].get<std::string>(), 0, 0, ratio});
    }
}

/// @param machine_state none = any
VerifiedSuite& suite_in(VerifiedFile& file, const std::string& name,
                        const std::optional<std::string>& machine_state = std::nullopt) {
    const auto found = std::ranges::find_if(file.suites, [&](const VerifiedSuite& suite) {
        return suite.name == name && (!machine_state || suite.machine_state == *machine_state);
    });
    if (found != file.suites.end())
        return *found;
    file.suites.emplace_back();
    file.suites.back().name = name;
    file.suites.back().machine_state = machine_state.value_or("");
    return file.suites.back();
}

VerifiedFile file_in(const Json& turns) {
    VerifiedFile file;
    file.margin = turns.value("margin", 0.0);
    file.rounds = turns.value("rounds", std::size_t{0});
    const auto suite_of = [&](const Json& each) -> VerifiedSuite& {
        const auto state = each.find("machine_state");
        const bool of_one = state != each.end() && state->is_string();
        return suite_in(file, each.at("suite").get<std::string>(),
                        of_one ? state->get<std::string>() : std::string());
    };
    for (const Json& statement : turns.at("statements"))
        if (statement.at("variant") == tuned_variant)
            add_statement(statement, suite_of(statement));
    for (const Json& range : turns.at("ranges"))
        if (const VerifiedRatio ratio = ratio_of(range);
            range.at("variant") == tuned_variant && ratio.differs())
            suite_of(range).parts.push_back(
                {"", range.at("from").get<std::int64_t>(), range.at("to").get<std::int64_t>(), ratio});
    for (const Json& worst : turns.at("worst"))
        if (worst.at("variant") == tuned_variant) {
            VerifiedSuite& suite = suite_of(worst);
            suite.worst_bytes = worst.at("from").get<std::int64_t>();
            suite.worst = ratio_of(worst);
        }
    return file;
}

const VerifySuite* planned_as(const std::string& name, const std::vector<VerifySuite>& planned) {
    const auto found = std::ranges::find(planned, name, &VerifySuite::name);
    return found == planned.end() ? nullptr : &*found;
}

/// "18 % faster (15 to 21 %)", "no difference found (1.2 % faster to 3.0 % slower)"
std::string ratio_text(const VerifiedRatio& ratio) {
    if (!ratio.judged())
        return slower_text(ratio.ratio) + ", not judged: too few rounds";
    return ratio.differs() ? fmt::format("{} ({})", slower_text(ratio.ratio),
                                         slower_interval(ratio.ratio, *ratio.low, *ratio.high))
                           : fmt::format("no difference found ({} to {})", slower_text(*ratio.low),
                                         slower_text(*ratio.high));
}

/// " in the slower state of the machine"; mostly empty
std::string machine_state_text(const VerifiedSuite& suite) {
    return suite.machine_state.empty()
               ? std::string()
               : fmt::format(" in the {} state of the machine", printable(suite.machine_state));
}

std::string pooled_text(const VerifiedSuite& suite, const VerifiedFile& file) {
    if (suite.rounds == 0)
        return "not judged: no round has both times";
    std::string text = suite.equal && !suite.pooled.differs()
                           ? fmt::format("equal within {}", format_percent(file.margin))
                           : ratio_text(suite.pooled);
    if (suite.equal && suite.pooled.differs())
        text += fmt::format(", less than the margin of {}", format_percent(file.margin));
    if (suite.pooled.judged())
        text += suite.rounds < file.rounds ? fmt::format(", {} of {} rounds", suite.rounds, file.rounds)
                                           : ", " + count_of(suite.rounds, "round");
    return text;
}

/// " from 4 KiB to 16 KiB", " from 8 KiB on", " at 1 KiB"; empty = all
std::string lengths_text(const TunedRegion& region) {
    const bool without_end = region.bytes_high >= longest_tuned_bytes;
    if (without_end)
        return region.bytes_low <= 1 ? std::string() : " from " + format_length(region.bytes_low) + " on";
    if (region.bytes_low == region.bytes_high)
        return " at " + format_length(region.bytes_low);
    return fmt::format(" from {} to {}", format_length(region.bytes_low), format_length(region.bytes_high));
}

/// " at 4347 bytes", " for small messages"
std::string part_text(const VerifiedSuite::Part& part) {
    if (part.to == 0)
        return fmt::format(" for {} messages", printable(part.sizes));
    return part.from == part.to ? fmt::format(" at {} bytes", part.from)
                                : fmt::format(" from {} to {} bytes", part.from, part.to);
}

/// " at 8192 bytes", " at 5 lengths from 8192 to 15000 bytes"
std::string places_text(const std::set<std::int64_t>& lengths) {
    return lengths.size() == 1 ? fmt::format(" at {} bytes", *lengths.begin())
                               : fmt::format(" at {} lengths from {} to {} bytes", lengths.size(),
                                             *lengths.begin(), *lengths.rbegin());
}

/// @param place "MPI_Alltoall from 4 KiB to 16 KiB with the file"
void add_faults_text(const VerifyFaults& faults, const std::string& place, bool over_lengths,
                     std::string& text) {
    if (!faults.wrong_at.empty())
        text += fmt::format("{}: wrong data{}\n", place,
                            over_lengths ? places_text(faults.wrong_at) : std::string());
    if (!faults.failure.empty())
        text += fmt::format("{}: failed: {}\n", place, printable(faults.failure));
}

/// @param known the suite as it was planned; null = another plan was measured
void add_faults_text(const VerifiedSuite& suite, const VerifySuite* known, std::string& text) {
    std::string name = printable(suite.name);
    if (known)
        name = known->region.operation +
               (known->control
                    ? lengths_text({known->region.operation, known->first, known->last}) + " (control)"
                    : lengths_text(known->region));
    const bool over_lengths = known && known->last > 0;
    add_faults_text(suite.with_file, name + " with the file", over_lengths, text);
    add_faults_text(suite.without_file, name + " without the file", over_lengths, text);
}

/// @param name of the operation, or of a suite that was not planned
void add_lines(const VerifiedSuite& suite, const std::string& name, const std::string& lengths,
               const VerifiedFile& file, std::string& text) {
    const std::string state = machine_state_text(suite);
    text += fmt::format("{}{}{}: {}", name, lengths, state, pooled_text(suite, file));
    if (suite.worst_bytes && suite.worst.differs())
        text += fmt::format("; worst length {} bytes: {}", *suite.worst_bytes, ratio_text(suite.worst));
    text += "\n";
    for (const VerifiedSuite::Part& part : suite.parts)
        text += fmt::format("{}{}{}: {}\n", name, part_text(part), state, ratio_text(part.ratio));
}

/// The largest difference, as a share, that is not excluded; none = something is not judged.
std::optional<double> excluded_above(const std::vector<const VerifiedSuite*>& controls) {
    double farthest = 0;
    for (const VerifiedSuite* each : controls) {
        if (!each->pooled.judged())
            return std::nullopt;
        farthest = std::max(
            {farthest, std::fabs(std::log(*each->pooled.low)), std::fabs(std::log(*each->pooled.high))});
    }
    return std::expm1(farthest);
}

/// What lengths without a rule say of an operation. @return whether they differ
bool add_control(const std::string& operation, const std::vector<const VerifiedSuite*>& controls,
                 const std::vector<VerifySuite>& planned, std::string& text) {
    bool differs = false;
    for (const VerifiedSuite* each : controls) {
        const VerifySuite& suite = *planned_as(each->name, planned);
        if (!each->equal && each->pooled.differs()) {
            text += fmt::format("{}{}{} (control): {}\n", operation,
                                lengths_text({operation, suite.first, suite.last}), machine_state_text(*each),
                                ratio_text(each->pooled));
            differs = true;
        }
        for (const VerifiedSuite::Part& part : each->parts) {
            text += fmt::format("{}{}{} (control): {}\n", operation, part_text(part),
                                machine_state_text(*each), ratio_text(part.ratio));
            differs = true;
        }
    }
    constexpr double telling = 0.5; // more excludes nothing that anybody fears
    const std::optional<double> bound = excluded_above(controls);
    if (!differs)
        text += fmt::format("{} elsewhere (control): {}\n", operation,
                            !bound             ? std::string("not judged: too few rounds")
                            : *bound > telling ? std::string("open: the rounds differ too much")
                                               : "no difference above " + format_percent(*bound));
    return differs;
}

VerifyFaults faults_of(const Database& database, const StoredSuite& suite) {
    VerifyFaults faults;
    if (suite.state == SuiteState::failed)
        faults.failure = suite.reason;
    for (const StoredMeasurement& point : database.measurements(suite.id))
        if (has(point.measurement.flags, Flag::wrong_result))
            faults.wrong_at.insert(point.measurement.argument);
    return faults;
}

/// The regions of rules whose suites are so.
template <typename Predicate>
std::vector<TunedRegion> regions_where(const VerifiedFile& file, const std::vector<VerifySuite>& planned,
                                       Predicate is_so) {
    std::vector<TunedRegion> regions;
    for (const VerifiedSuite& suite : file.suites)
        if (const VerifySuite* const known = planned_as(suite.name, planned);
            known && !known->control && std::invoke(is_so, suite) &&
            std::ranges::find(regions, known->region) == regions.end())
            regions.push_back(known->region);
    return regions;
}

} // namespace

bool VerifiedSuite::slower_somewhere() const {
    return (pooled.slower() && !equal) ||
           std::ranges::any_of(parts, [](const Part& part) { return part.ratio.slower(); });
}

bool VerifiedFile::slower_somewhere() const {
    return std::ranges::any_of(suites, &VerifiedSuite::slower_somewhere);
}

bool VerifiedFile::faster_somewhere() const {
    return std::ranges::any_of(
        suites, [](const VerifiedSuite& suite) { return suite.pooled.faster() && !suite.equal; });
}

bool VerifiedFile::faulty_somewhere() const {
    return std::ranges::any_of(suites, [](const VerifiedSuite& suite) { return suite.with_file.any(); });
}

bool VerifiedFile::judged(const std::vector<VerifySuite>& planned) const {
    return std::ranges::any_of(suites, [&](const VerifiedSuite& suite) {
        const VerifySuite* const known = planned_as(suite.name, planned);
        return suite.pooled.judged() && (!known || !known->control);
    });
}

std::optional<VerifiedFile> parse_verified(const std::string& turns) {
    const Json json = Json::parse(turns, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    try {
        return file_in(json);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

void add_faults(const Database& database, VerifiedFile& file) {
    const std::vector<Session> sessions = database.sessions();
    if (sessions.empty())
        return;
    std::map<std::string, int> places; // of suites in the plan
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        if (run.session_place.session != sessions.back().uuid)
            continue;
        for (const StoredSuite& each : database.suites(id)) {
            places.emplace(each.suite.name, static_cast<int>(places.size()));
            VerifyFaults faults = faults_of(database, each);
            if (!faults.any())
                continue;
            VerifiedSuite& suite = suite_in(file, each.suite.name);
            VerifyFaults& known = run.variant == tuned_variant ? suite.with_file : suite.without_file;
            known.wrong_at.merge(faults.wrong_at);
            if (!faults.failure.empty())
                known.failure = faults.failure;
        }
    }
    std::ranges::stable_sort(file.suites, {}, [&](const VerifiedSuite& suite) { return places[suite.name]; });
}

std::string verified_text(const VerifiedFile& file, const std::vector<VerifySuite>& planned) {
    std::string text;
    for (const VerifiedSuite& suite : file.suites)
        add_faults_text(suite, planned_as(suite.name, planned), text);
    std::vector<std::pair<std::string, std::vector<const VerifiedSuite*>>> controls; // by operation
    for (const VerifiedSuite& suite : file.suites) {
        if (suite.rounds == 0 && (suite.with_file.any() || suite.without_file.any()))
            continue; // there is nothing to compare, and what went wrong is said
        const VerifySuite* const known = planned_as(suite.name, planned);
        if (!known || !known->control) {
            add_lines(suite, known ? known->region.operation : printable(suite.name),
                      known ? lengths_text(known->region) : std::string(), file, text);
            continue;
        }
        if (controls.empty() || controls.back().first != known->region.operation)
            controls.emplace_back(known->region.operation, std::vector<const VerifiedSuite*>{});
        controls.back().second.push_back(&suite);
    }
    bool differs = false;
    for (const auto& [operation, suites] : controls)
        differs = add_control(operation, suites, planned, text) || differs;
    if (differs)
        text +=
            "The file has no rule for the lengths of a control: something else than its rules differs between "
            "the two variants, and it may be in what is said of the rules, too.\n";
    return text;
}

std::vector<TunedRegion> slower_regions(const VerifiedFile& file, const std::vector<VerifySuite>& planned) {
    return regions_where(file, planned, &VerifiedSuite::slower_somewhere);
}

std::vector<TunedRegion> faulty_regions(const VerifiedFile& file, const std::vector<VerifySuite>& planned) {
    return regions_where(file, planned, [](const VerifiedSuite& suite) { return suite.with_file.any(); });
}

} // namespace skampi
