#include "site/site_entry.hpp"

#include "formats/data/json_text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <tuple>
#include <utility>

namespace skampi {

using Json = nlohmann::ordered_json;

namespace {

std::optional<std::pair<std::int64_t, std::int64_t>> size_and_time(const std::string& path) {
    struct stat found = {};
    if (stat(path.c_str(), &found) != 0)
        return std::nullopt;
    return std::pair{static_cast<std::int64_t>(found.st_size),
                     static_cast<std::int64_t>(found.st_mtim.tv_sec) * 1'000'000'000 + found.st_mtim.tv_nsec};
}

std::string bytes_of(const std::string& digits) {
    std::string text;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return text;
}

} // namespace

std::optional<Stamp> stamp_of(const std::string& path) {
    const auto file = size_and_time(path);
    if (!file)
        return std::nullopt;
    Stamp stamp;
    std::tie(stamp.bytes, stamp.changed_ns) = *file;
    // Without anything in it SQLite's log says nothing, and readers make and remove it.
    if (const auto log = size_and_time(path + "-wal"); log && log->first > 0)
        std::tie(stamp.log_bytes, stamp.log_changed_ns) = *log;
    constexpr std::int64_t coarsest_ns = 2'000'000'000; // of the file systems there are
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    stamp.fresh = static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec -
                      std::max(stamp.changed_ns, stamp.log_changed_ns) <
                  coarsest_ns;
    return stamp;
}

Json stamp_json(const Stamp& stamp) {
    return {{"bytes", stamp.bytes},
            {"changed_ns", stamp.changed_ns},
            {"log_bytes", stamp.log_bytes},
            {"log_changed_ns", stamp.log_changed_ns}};
}

std::string to_text(const Entry& entry) {
    const SiteRow& row = entry.row;
    // A path is bytes, JSON is text: what is not UTF-8 is kept in hexadecimal digits.
    std::string path;
    for (const char c : row.database)
        fmt::format_to(std::back_inserter(path), "{:02x}", static_cast<unsigned char>(c));
    const Json json{{"made_by", entry.made_by},
                    {"database", to_valid_utf8(row.database)},
                    {"database_bytes", path},
                    {"bytes", entry.stamp.bytes},
                    {"changed_ns", entry.stamp.changed_ns},
                    {"log_bytes", entry.stamp.log_bytes},
                    {"log_changed_ns", entry.stamp.log_changed_ns},
                    {"fresh", entry.stamp.fresh},
                    {"label", to_valid_utf8(row.label)},
                    {"machine", to_valid_utf8(row.machine)},
                    {"library", to_valid_utf8(row.library)},
                    {"hosts", to_valid_utf8(row.hosts)},
                    {"ranks", row.ranks},
                    {"started_utc", to_valid_utf8(row.started_utc)},
                    {"ended_utc", to_valid_utf8(row.ended_utc)},
                    {"launches", row.launches},
                    {"launches_made", row.launches_made},
                    {"suites", row.suites},
                    {"points", row.points},
                    {"settled", row.settled},
                    {"doubts", to_valid_utf8(row.doubts)},
                    {"answer", to_valid_utf8(row.answer)},
                    {"latency", row.latency},
                    {"bandwidth", row.bandwidth},
                    {"latency_doubts", row.latency_doubts},
                    {"bandwidth_doubts", row.bandwidth_doubts},
                    {"histories", entry.histories},
                    {"compared_launches", entry.launches}};
    return json_text(json, 1) + "\n";
}

std::optional<Entry> read_entry(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    try {
        const Json json = Json::parse(stream);
        Entry entry;
        json.at("made_by").get_to(entry.made_by);
        entry.row.database = bytes_of(json.at("database_bytes").get<std::string>());
        json.at("bytes").get_to(entry.stamp.bytes);
        json.at("changed_ns").get_to(entry.stamp.changed_ns);
        json.at("log_bytes").get_to(entry.stamp.log_bytes);
        json.at("log_changed_ns").get_to(entry.stamp.log_changed_ns);
        json.at("fresh").get_to(entry.stamp.fresh);
        SiteRow& row = entry.row;
        row.name = path.stem().string();
        json.at("label").get_to(row.label);
        json.at("machine").get_to(row.machine);
        json.at("library").get_to(row.library);
        json.at("hosts").get_to(row.hosts);
        json.at("ranks").get_to(row.ranks);
        json.at("started_utc").get_to(row.started_utc);
        json.at("ended_utc").get_to(row.ended_utc);
        json.at("launches").get_to(row.launches);
        json.at("suites").get_to(row.suites);
        json.at("points").get_to(row.points);
        json.at("settled").get_to(row.settled);
        json.at("latency").get_to(row.latency);
        json.at("bandwidth").get_to(row.bandwidth);
        // Not in pages of a former form:
        row.launches_made = json.value("launches_made", row.launches);
        row.doubts = json.value("doubts", "");
        row.answer = json.value("answer", "");
        row.latency_doubts = json.value("latency_doubts", "");
        row.bandwidth_doubts = json.value("bandwidth_doubts", "");
        entry.histories = json.value("histories", entry.histories);
        entry.launches = json.value("compared_launches", entry.launches);
        return entry;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace skampi
