#include "site.hpp"

#include "document.hpp"
#include "formats/html.hpp"
#include "formats/replaced_directory.hpp"
#include "formats/site_pages.hpp"
#include "subject.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "cube/statistics.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <tuple>

namespace skampi {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// By this file we know a directory again as a site of ours.
constexpr const char* mark = ".skampi-site";
constexpr const char* lock_name = ".skampi-site.lock";

/// By what a database is known not to have changed. SQLite writes into the file or, until that is copied,
/// into the one beside it.
struct Stamp {
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;
    std::int64_t log_bytes = 0;
    std::int64_t log_changed_ns = 0;
    /// The last change was so short before that a further one might bear the same time.
    bool fresh = false;

    friend bool operator==(const Stamp&, const Stamp&) = default;
};

std::optional<std::pair<std::int64_t, std::int64_t>> size_and_time(const std::string& path) {
    struct stat found = {};
    if (stat(path.c_str(), &found) != 0)
        return std::nullopt;
    return std::pair{static_cast<std::int64_t>(found.st_size),
                     static_cast<std::int64_t>(found.st_mtim.tv_sec) * 1'000'000'000 + found.st_mtim.tv_nsec};
}

/// @return none where there is no such file
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

/// What results/NAME.json holds.
struct Entry {
    std::string made_by;
    Stamp stamp;
    SiteRow row;
};

Json entry_json(const Entry& entry) {
    const SiteRow& row = entry.row;
    // A path is bytes, JSON is text: what is not UTF-8 is kept in hexadecimal digits.
    std::string path;
    for (const char c : row.database)
        fmt::format_to(std::back_inserter(path), "{:02x}", static_cast<unsigned char>(c));
    return {{"made_by", entry.made_by},
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
            {"suites", row.suites},
            {"points", row.points},
            {"settled", row.settled},
            {"latency", row.latency},
            {"bandwidth", row.bandwidth}};
}

std::string bytes_of(const std::string& digits) {
    std::string text;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return text;
}

/// @return none when the file is not as we write it: its pages are made anew
std::optional<Entry> read_entry(const fs::path& path) {
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
        return entry;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void write_file(const fs::path& path, const std::string& text) {
    OutputFile file(path.string());
    file.write(text);
    file.commit();
}

/// What did not change keeps its time, by which programs that copy sites know what is new.
void write_if_different(const fs::path& path, const std::string& text) {
    std::ifstream stream(path, std::ios::binary);
    if (stream && std::string(std::istreambuf_iterator<char>(stream), {}) == text)
        return;
    write_file(path, text);
}

void check_ours(const fs::path& directory) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(directory, error)))
        return;
    if (!fs::is_directory(directory, error))
        throw InputError(fmt::format("--site {}: exists and is no directory, expected a new name or a site",
                                     printable(directory.string())));
    if (fs::exists(directory / mark, error))
        return;
    for (const auto& entry : fs::directory_iterator(directory, error))
        if (entry.path().filename() != lock_name)
            throw InputError(
                fmt::format("--site {}: exists and is no site of skampi-report, expected a new or empty "
                            "directory, or a site",
                            printable(directory.string())));
}

/// Of all writers: nobody else keeps this site now.
void remove_all_partial_files(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> partial;
    for (const auto& entry : fs::directory_iterator(directory, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') && name.ends_with(".part"))
            partial.push_back(entry.path());
    }
    for (const fs::path& each : partial)
        fs::remove(each, error);
}

class Site {
public:
    explicit Site(const Options& options)
        : options_(options)
        , directory_(report_directory(*options.site))
        , results_(directory_ / "results") {
        check_ours(directory_);
        std::error_code error;
        fs::create_directories(results_, error);
        if (error)
            throw SystemError(fmt::format("--site {}: cannot be made: {}", printable(directory_.string()),
                                          error.message()));
    }

    ReportOutcome keep() {
        const FileLock lock((directory_ / lock_name).string(), directory_.string());
        write_if_different(directory_ / mark, "This site is kept by skampi-report --site.\n");
        for (const fs::path& each : {directory_, results_})
            remove_all_partial_files(each);
        read_entries();
        for (const std::string& database : options_.databases)
            renew(database);
        mark_or_drop_gone();
        write_pages();
        return std::move(outcome_);
    }

private:
    void read_entries() {
        std::set<std::string> names;
        for (const auto& file : fs::directory_iterator(results_))
            if (file.path().extension() == ".json")
                names.insert(file.path().filename().string());
        for (const std::string& name : names)
            if (std::optional<Entry> entry = read_entry(results_ / name))
                entries_[entry->row.name] = std::move(*entry);
    }

    /// The name of a database's pages: that which it has, else made of its file's name.
    [[nodiscard]] std::string name_of(const std::string& database) const {
        for (const auto& [name, entry] : entries_)
            if (entry.row.database == database)
                return name;
        const std::string name = for_file_name(fs::path(database).stem().string());
        if (!entries_.contains(name))
            return name;
        return for_file_name(fmt::format("{}-{:08x}", name.substr(0, 60), Fnv1a().add(database).folded()));
    }

    void renew(const std::string& named) {
        std::error_code error;
        const fs::path real = fs::weakly_canonical(fs::absolute(named, error), error);
        const std::string database = real.empty() ? named : real.string();
        const std::optional<Stamp> stamp = stamp_of(database);
        const std::string name = name_of(database);
        if (const auto known = entries_.find(name);
            known != entries_.end() && stamp && known->second.made_by == pages_made_by() &&
            !known->second.stamp.fresh &&
            known->second.stamp ==
                Stamp{stamp->bytes, stamp->changed_ns, stamp->log_bytes, stamp->log_changed_ns, false} &&
            fs::exists(results_ / (name + ".html")) && fs::exists(results_ / (name + ".js")))
            return;
        Entry entry;
        Document document;
        std::string script;
        try {
            if (cube::is_statistics_file(database))
                throw InputError(
                    fmt::format("{}: is a Cube statistics file, expected a database", printable(named)));
            const Database opened = Database::open(database);
            std::vector<Subject> subjects = read_subjects(opened);
            label_subjects(subjects);
            entry.row = site_row(subjects.front());
            entry.row.name = name;
            entry.row.label = fs::path(database).filename().string();
            if (subjects.size() == 1)
                subjects.front().label = entry.row.label;
            entry.row.database = database;
            document = build_document(subjects, {entry.row.label, false});
            script = result_script(entry.row, subjects.front());
        } catch (const Error& unreadable) {
            // One bad file among a hundred must not keep the others from their pages.
            outcome_.missing.emplace_back(unreadable.what());
            return;
        }
        entry.made_by = pages_made_by();
        entry.stamp = stamp.value_or(Stamp{});
        write_file(results_ / (name + ".html"), html_page(document, {{}, "../index.html"}));
        write_file(results_ / (name + ".js"), script);
        write_file(results_ / (name + ".json"), entry_json(entry).dump(1) + "\n");
        outcome_.rendered.figures += all_figures(document).size();
        ++outcome_.rendered.pages;
        entries_[name] = std::move(entry);
    }

    void mark_or_drop_gone() {
        for (auto at = entries_.begin(); at != entries_.end();) {
            std::error_code error;
            at->second.row.gone = !fs::exists(at->second.row.database, error) && !error;
            if (!at->second.row.gone || !options_.prune) {
                ++at;
                continue;
            }
            // The entry goes first: without it the pages are nobody's.
            for (const char* extension : {".json", ".js", ".html"})
                fs::remove(results_ / (at->first + extension));
            at = entries_.erase(at);
        }
    }

    void write_pages() const {
        std::vector<SiteRow> rows;
        for (const auto& [name, entry] : entries_)
            rows.push_back(entry.row);
        std::ranges::stable_sort(rows, [](const SiteRow& a, const SiteRow& b) {
            return a.started_utc > b.started_utc; // the newest first
        });
        const std::string title = options_.title.empty() ? "MPI performance results" : options_.title;
        write_if_different(directory_ / "results.js", results_script(rows));
        write_if_different(directory_ / "comparison.html", comparison_page(title));
        write_if_different(directory_ / "index.html", index_page(title, rows));
    }

    const Options& options_;
    fs::path directory_;
    fs::path results_;
    std::map<std::string, Entry> entries_; ///< by name
    ReportOutcome outcome_;
};

} // namespace

ReportOutcome keep_site(const Options& options) {
    return Site(options).keep();
}

void remove_partial_site_files(const std::string& directory, pid_t writer) {
    const fs::path path = report_directory(directory);
    remove_partial_files((path / "index.html").string(), writer);
    remove_partial_files((path / "results" / "x").string(), writer);
}

} // namespace skampi
