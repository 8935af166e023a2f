// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/extra_p.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/data/json_text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace skampi {

namespace {

using Coordinates = std::array<std::int64_t, 2>; ///< ranks, message length
constexpr std::array<const char*, 2> parameter_names{"p", "m"};

/// A suite, or those of one name in a study.
struct Region {
    std::string name;
    std::map<Coordinates, std::vector<double>> times_s; ///< of each launch
};

struct ExtraPData {
    std::vector<Region> regions;
    std::array<bool, 2> varies{}; ///< which parameters there are
    std::vector<std::string> missing;
    bool without_empty = false; ///< points of length 0 are left out, which has no logarithm
};

/// How many values a parameter has.
std::size_t values_of(const Region& region, std::size_t parameter) {
    std::set<std::int64_t> values;
    for (const auto& [coordinates, times_s] : region.times_s)
        values.insert(coordinates.at(parameter));
    return values.size();
}

void add_points(Region& region, const Curve& curve, ExtraPData& data) {
    std::size_t without_value = 0;
    for (const StoredMeasurement& point : curve.points) {
        const Measurement& m = point.measurement;
        if (!above_zero(m))
            ++without_value;
        else if (curve.suite().varied == Varied::message_length && m.message_bytes == 0)
            data.without_empty = true;
        else
            region.times_s.emplace(Coordinates{m.ranks, m.message_bytes}, times_of_launches(curve, m));
    }
    if (without_value > 0)
        data.missing.push_back(fmt::format("{}: {} without a time above zero left out",
                                           printable(curve.suite().name),
                                           count_of(static_cast<std::int64_t>(without_value), "point")));
}

ExtraPData extra_p_data(const std::vector<Subject>& subjects) {
    ExtraPData data;
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves) {
            const Varied varied = curve.suite().varied;
            if (varied != Varied::message_length && varied != Varied::nodes) {
                data.missing.push_back(
                    fmt::format("{}: left out, it varies neither ranks nor message lengths",
                                printable(curve.suite().name)));
                continue;
            }
            auto region = std::ranges::find(data.regions, curve.suite().name, &Region::name);
            if (region == data.regions.end())
                region = data.regions.insert(data.regions.end(), {curve.suite().name, {}});
            add_points(*region, curve, data);
        }
    std::erase_if(data.regions, [](const Region& region) { return region.times_s.empty(); });
    for (const Region& region : data.regions)
        for (const std::size_t parameter : {0U, 1U})
            data.varies.at(parameter) = data.varies.at(parameter) || values_of(region, parameter) > 1;
    if (!data.varies[0] && !data.varies[1])
        throw InputError("Extra-P models times over ranks or message lengths, found no suite in which one of "
                         "them has several values");
    return data;
}

/// What Extra-P cannot model, and its own rules of thumb.
std::vector<std::string> notes_of(const ExtraPData& data) {
    constexpr std::size_t needed = 5;
    std::vector<std::string> notes;
    if (data.without_empty)
        notes.emplace_back("without length 0, which has no logarithm");
    std::int64_t too_few = 0;
    for (const Region& region : data.regions) {
        std::size_t launches = needed;
        for (const auto& [coordinates, times_s] : region.times_s)
            launches = std::min(launches, times_s.size());
        const auto is_short = [&](std::size_t parameter) {
            return data.varies.at(parameter) && values_of(region, parameter) < needed;
        };
        too_few += launches < needed || is_short(0) || is_short(1) ? 1 : 0;
    }
    if (too_few > 0)
        notes.push_back(fmt::format("Extra-P asks for {0} values of a parameter and {0} launches: {1} of {2} "
                                    "suites have fewer",
                                    needed, too_few, data.regions.size()));
    return notes;
}

/// The coordinates of the parameters that vary.
std::vector<std::int64_t> shown(const ExtraPData& data, const Coordinates& coordinates) {
    std::vector<std::int64_t> values;
    for (const std::size_t parameter : {0U, 1U})
        if (data.varies.at(parameter))
            values.push_back(coordinates.at(parameter));
    return values;
}

/// Leaves the points that the suites have in common, of the suites that vary as the first one that varies
/// does.
void leave_common_points(ExtraPData& data) {
    const auto shape = [](const Region& region) {
        return std::pair(values_of(region, 0) > 1, values_of(region, 1) > 1);
    };
    const auto varies = [&](const Region& region) { return shape(region) != std::pair(false, false); };
    const auto first = std::ranges::find_if(data.regions, varies);
    if (first != data.regions.begin() && first != data.regions.end())
        std::rotate(data.regions.begin(), first, first + 1);
    const auto wanted = shape(data.regions.front());
    std::erase_if(data.regions, [&](const Region& region) {
        if (shape(region) == wanted)
            return false;
        data.missing.push_back(fmt::format("{}: left out, it varies something else than {}",
                                           printable(region.name), printable(data.regions.front().name)));
        return true;
    });
    data.varies = {wanted.first, wanted.second};
    for (Region& region : data.regions) { // what a suite does not vary is the same at all of its points
        std::map<Coordinates, std::vector<double>> points;
        for (auto& [coordinates, times_s] : region.times_s)
            points.emplace(Coordinates{wanted.first ? coordinates[0] : 0, wanted.second ? coordinates[1] : 0},
                           std::move(times_s));
        region.times_s = std::move(points);
    }
    std::map<Coordinates, std::size_t> holders;
    for (const Region& region : data.regions)
        for (const auto& [coordinates, times_s] : region.times_s)
            ++holders[coordinates];
    std::erase_if(holders, [&](const auto& each) { return each.second < data.regions.size(); });
    if (holders.empty())
        throw InputError(
            "the text format of Extra-P holds the points that all suites have, found none; expected "
            "fewer suites (--suite), or a name that ends in .extrap.jsonl, which has no such limit");
    for (Region& region : data.regions) {
        const std::size_t before = region.times_s.size();
        std::erase_if(region.times_s, [&](const auto& each) { return !holders.contains(each.first); });
        if (region.times_s.size() < before)
            data.missing.push_back(
                fmt::format("{}: {} left out, which other suites lack", printable(region.name),
                            count_of(static_cast<std::int64_t>(before - region.times_s.size()), "point")));
    }
}

} // namespace

ReportText extra_p_text(const std::vector<Subject>& subjects) {
    ExtraPData data = extra_p_data(subjects);
    leave_common_points(data);
    std::string text;
    for (const std::size_t parameter : {0U, 1U})
        if (data.varies.at(parameter))
            text += fmt::format("PARAMETER {}\n", parameter_names.at(parameter));
    text += "POINTS";
    for (const auto& [coordinates, times_s] : data.regions.front().times_s)
        text += fmt::format(" ({})", fmt::join(shown(data, coordinates), " "));
    text += '\n';
    for (const Region& region : data.regions) {
        text += fmt::format("\nREGION {}\nMETRIC time\n", for_extra_p(region.name));
        for (const auto& [coordinates, times_s] : region.times_s) // its numbers have no exponents
            text += fmt::format("DATA {:.15f}\n", fmt::join(times_s, " "));
    }
    return {text, 0, data.missing, notes_of(data)};
}

ReportText extra_p_lines(const std::vector<Subject>& subjects) {
    const ExtraPData data = extra_p_data(subjects);
    std::string text;
    for (const Region& region : data.regions)
        for (const auto& [coordinates, times_s] : region.times_s) {
            nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
            for (const std::size_t parameter : {0U, 1U})
                if (data.varies.at(parameter) &&
                    coordinates.at(parameter) > 0) // calls without a length have none
                    parameters[parameter_names.at(parameter)] = coordinates.at(parameter);
            text += json_text(nlohmann::ordered_json{{"params", std::move(parameters)},
                                                     {"callpath", for_extra_p(region.name)},
                                                     {"metric", "time"},
                                                     {"value", times_s}}) +
                    "\n";
        }
    return {text, 0, data.missing, notes_of(data)};
}

} // namespace skampi
