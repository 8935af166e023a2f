// SPDX-License-Identifier: GPL-2.0-or-later
#include "site/site.hpp"

#include "site/intake.hpp"

#include "analysis/history/history.hpp"
#include "base/replaced_directory.hpp"
#include "formats/data/json_text.hpp"
#include "formats/web/html.hpp"
#include "formats/web/site_pages.hpp"
#include "history/history_document.hpp"
#include "history/history_record.hpp"
#include "launches/read_subjects.hpp"
#include "runs/run_source.hpp"
#include "words/session_words.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "cube/statistics.hpp"
#include "model/launch_command.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace skampi {

namespace fs = std::filesystem;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SiteRow, name, label, database, gone, machine, node, network,
                                                library, hosts, ranks, operations, started_utc, launches,
                                                launches_made, points, settled, doubts, answer, tunes,
                                                latency, bandwidth, long_bandwidth, latency_doubts,
                                                bandwidth_doubts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SiteHistory, name, title, answer, runs, made_from)

namespace {

/// What results/NAME.json holds.
struct Entry {
    std::string made_by;
    SiteRow row;
    std::vector<std::string> histories; ///< to whose pages its runs belong
    std::set<std::string> uuids;        ///< of its runs
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Entry, made_by, row, histories, uuids)

/// By this file we know a directory again as a site of ours.
constexpr const char* site_mark = ".skampi-site";
constexpr const char* lock_name = ".skampi-site.lock";

/// What did not change keeps its time, by which programs that copy sites know what is new.
void write_if_different(const fs::path& path, const std::string& text) {
    std::error_code error;
    if (fs::exists(path, error) && file_text(path) == text)
        return;
    write_own_file(path, text);
}

std::string text_of(const nlohmann::json& json) {
    return json_text(json, 1) + "\n";
}

/// @return none when the file is not as we write it: what it belongs to is made anew
template <typename Row>
std::optional<Row> row_of(const fs::path& path) {
    try {
        return nlohmann::json::parse(file_text(path)).get<Row>();
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

/// When a file was last written; long ago where there is none.
fs::file_time_type time_of(const fs::path& path) {
    std::error_code error;
    return fs::last_write_time(path, error);
}

/// The same of a database: SQLite writes into the file or, until that is copied, into its log. Without
/// anything in it the log says nothing, and readers make and remove it.
fs::file_time_type time_of_database(const std::string& path) {
    const std::string log = path + "-wal";
    std::error_code error;
    const bool logged = fs::file_size(log, error) > 0 && !error;
    return logged ? std::max(time_of(path), time_of(log)) : time_of(path);
}

void check_ours(const fs::path& directory) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(directory, error)))
        return;
    if (!fs::is_directory(directory, error))
        throw InputError(fmt::format("site {}: exists and is no directory, expected a new name or a site",
                                     printable(directory.string())));
    // Who holds the lock before there is the mark makes the site.
    if (fs::exists(directory / site_mark, error) || FileLock::holder((directory / lock_name).string()))
        return;
    for (const auto& entry : fs::directory_iterator(directory, error))
        if (entry.path().filename() != lock_name)
            throw InputError(
                fmt::format("site {}: exists and is no site of skampi-report, expected a new or empty "
                            "directory, or a site",
                            printable(directory.string())));
}

/// Excludes other writers of this site.
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

bool tunes(const Database& database) {
    const std::vector<RunId> ids = database.runs();
    return !ids.empty() && std::ranges::all_of(ids, [&](RunId id) {
        const Run run = database.run(id);
        return was_tuned(run) || was_verified(run);
    });
}

class Site {
public:
    explicit Site(const SiteOptions& options)
        : options_(options)
        , directory_(report_directory(options.directory))
        , results_(directory_ / "results")
        , history_(directory_ / "history")
        , files_(directory_ / "files")
        , history_runs_(history_ / "runs") {
        check_ours(directory_);
        make_directory(directory_);
    }

    Written keep() {
        const FileLock lock((directory_ / lock_name).string(), directory_.string());
        write_if_different(directory_ / site_mark, "This site is kept by skampi-report site.\n");
        for (const fs::path& each : {results_, history_, history_runs_, files_})
            make_own_directory(each);
        for (const fs::path& each : {directory_, results_, history_, history_runs_, files_})
            remove_all_partial_files(each);
        read_entries();
        for (const std::string& database : options_.databases)
            renew(real_path(database), database);
        add_strangers();
        mark_or_drop_gone();
        keep_histories();
        write_pages();
        return std::move(outcome_);
    }

private:
    void make_directory(const fs::path& path) const {
        std::error_code error;
        fs::create_directories(path, error);
        if (error)
            throw SystemError(
                fmt::format("site {}: cannot be made: {}", printable(directory_.string()), error.message()));
    }

    void make_own_directory(const fs::path& path) const {
        refuse_link(path);
        make_directory(path);
    }

    void read_entries() {
        for (const auto& file : fs::directory_iterator(results_))
            if (file.path().extension() == ".json")
                if (std::optional<Entry> entry = row_of<Entry>(file.path()))
                    entries_[file.path().stem().string()] = std::move(*entry);
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

    static std::string real_path(const std::string& named) {
        std::error_code error;
        const fs::path real = fs::weakly_canonical(fs::absolute(named, error), error);
        return real.empty() ? named : real.string();
    }

    [[nodiscard]] bool is_current(const std::string& name, fs::file_time_type changed) const {
        const auto known = entries_.find(name);
        return known != entries_.end() && known->second.made_by == pages_made_by() &&
               changed <= time_of(results_ / (name + ".json")) && fs::exists(results_ / (name + ".html")) &&
               fs::exists(results_ / (name + ".js")) && fs::exists(history_runs_ / (name + ".json"));
    }

    /// In the order given: of two with the same run the first is taken.
    void add_strangers() {
        std::map<std::string, std::string> owners; // by uuid
        const auto note = [&](const Entry& entry) {
            for (const std::string& uuid : entry.uuids)
                owners.emplace(uuid, entry.row.label);
        };
        for (const auto& [name, entry] : entries_)
            if (!entry.row.gone)
                note(entry);
        for (const std::string& named : options_.added)
            try {
                const std::string copied = add_stranger(named, owners);
                renew(copied, named);
                if (const auto added = entries_.find(name_of(copied)); added != entries_.end())
                    note(added->second);
                else // no page can be made of it
                    fs::remove(directory_ / copied);
            } catch (const Error& refused) {
                outcome_.missing.push_back(fmt::format("not added: {}", refused.what()));
            }
    }

    /// Checks the copy: nobody can change it any more.
    /// @return its path in the site's directory, which may be moved
    [[nodiscard]] std::string add_stranger(const std::string& named,
                                           const std::map<std::string, std::string>& owners) const {
        std::error_code error;
        if (!fs::is_regular_file(named, error))
            throw InputError(fmt::format("{}: is no file, expected a database", printable(named)));
        for (const char* log : {"-wal", "-journal"})
            if (fs::file_size(named + log, error) > 0 && !error)
                throw InputError(fmt::format(
                    "{}: is being written, or its writer was killed; expected a run that has ended",
                    printable(named)));
        const std::string stem = for_file_name(fs::path(named).stem().string());
        std::string name = stem + ".db";
        const auto is_taken = [&] { // also by a file that is gone, whose page stays
            return fs::exists(fs::symlink_status(files_ / name)) ||
                   std::ranges::any_of(entries_, [&](const auto& entry) {
                       return entry.second.row.database == (files_.filename() / name).string();
                   });
        };
        for (int number = 2; is_taken(); ++number)
            name = fmt::format("{}-{}.db", stem, number);
        OutputFile copy((files_ / name).string(), NamedBy::us);
        if (!fs::copy_file(named, copy.temporary_path(), fs::copy_options::overwrite_existing, error))
            throw InputError(fmt::format("{}: cannot be copied: {}", printable(named), error.message()));
        try {
            check_as_strangers(copy.temporary_path());
        } catch (const Error& wrong) { // by the name that the user knows
            std::string text = wrong.what();
            if (const auto at = text.find(copy.temporary_path()); at != std::string::npos)
                text.replace(at, copy.temporary_path().size(), printable(named));
            throw InputError(text);
        }
        for (const std::string& uuid : uuids_in(copy.temporary_path()))
            if (const auto owner = owners.find(uuid); owner != owners.end())
                throw InputError(fmt::format("{}: its run {} is in the site already, from {}",
                                             printable(named), printable(uuid), printable(owner->second)));
        copy.commit_new();
        return (files_.filename() / name).string();
    }

    /// @param shown_path its real path, or that in the site's directory   @param named as the user calls it
    void renew(const std::string& shown_path, const std::string& named) {
        const std::string database = (directory_ / shown_path).string();
        const std::string name = name_of(shown_path);
        const fs::file_time_type changed = time_of_database(database);
        if (is_current(name, changed))
            return;
        Entry entry{pages_made_by(), {}, {}, {}};
        Document document;
        std::string script;
        std::vector<RunRecord> runs;
        try {
            if (to_valid_utf8(database) != database)
                throw InputError(
                    fmt::format("{}: found a path that is no UTF-8, expected one that is", printable(named)));
            if (cube::is_statistics_file(database))
                throw InputError(
                    fmt::format("{}: is a Cube statistics file, expected a database", printable(named)));
            const std::string label = fs::path(database).filename().string();
            RunOptions options;
            options.databases = {database};
            options.title = label;
            RunSource source(options);
            Subject shown = source.subjects().size() == 1
                                ? source.subjects().front()
                                : std::move(read_subjects(source.only_database()).front());
            leave_out_lost_cores(shown);
            entry.row = site_row(shown);
            entry.row.tunes = tunes(source.only_database());
            if (source.turns())
                entry.row.answer = shortened(session_answer(*source.turns()), 300);
            entry.row.name = name;
            entry.row.label = label;
            entry.row.database = shown_path;
            entry.uuids = uuids_in(database);
            document = source.document(Medium::pages);
            script = result_script(entry.row, shown);
            for_each_record(
                database, {}, [](const std::string&) {},
                [&](RunRecord&& record) { runs.push_back(std::move(record)); });
        } catch (const Error& unreadable) {
            // One bad file among a hundred must not keep the others from their pages.
            outcome_.missing.emplace_back(unreadable.what());
            return;
        }
        std::erase_if(runs, [](const RunRecord& run) { return run.is_trial; });
        std::set<std::string> histories;
        for (const RunRecord& run : runs)
            histories.insert(history_page_name(run));
        entry.histories.assign(histories.begin(), histories.end());
        write_own_file(results_ / (name + ".html"), html_page(document, {{}, "../index.html"}));
        write_own_file(results_ / (name + ".js"), script);
        write_own_file(history_runs_ / (name + ".json"), to_text(runs));
        write_own_file(results_ / (name + ".json"), text_of(entry));
        // Of a database that was written meanwhile the next call makes the pages anew.
        if (time_of_database(database) != changed)
            fs::last_write_time(results_ / (name + ".json"), changed);
        outcome_.figures += all_figures(document).size();
        ++outcome_.pages;
        entries_[name] = std::move(entry);
    }

    void mark_or_drop_gone() {
        for (auto at = entries_.begin(); at != entries_.end();) {
            std::error_code error;
            at->second.row.gone = !fs::exists(directory_ / at->second.row.database, error) && !error;
            if (!at->second.row.gone || !options_.prune) {
                ++at;
                continue;
            }
            // The entry goes first: without it the pages belong to no database.
            for (const char* extension : {".json", ".js", ".html"})
                fs::remove(results_ / (at->first + extension));
            fs::remove(history_runs_ / (at->first + ".json"));
            at = entries_.erase(at);
        }
    }

    // ---- histories ----

    void keep_histories() {
        std::map<std::string, std::vector<std::string>> results; // of each page: those whose runs it shows
        for (const auto& [name, entry] : entries_)
            for (const std::string& page : entry.histories)
                results[page].push_back(name);
        std::map<std::string, HistoryBuilder> stale;
        for (const auto& [page, names] : results)
            if (!is_current_history(page, names))
                stale[page];
        read_runs(stale);
        for (auto& [page, builder] : stale)
            write_history(page, builder.finished(), results.at(page));
        drop_useless_histories();
    }

    [[nodiscard]] bool is_current_history(const std::string& page, const std::vector<std::string>& names) {
        const fs::path path = history_ / (page + ".json");
        std::optional<SiteHistory> known = row_of<SiteHistory>(path);
        if (!known || known->made_from != names ||
            (known->runs > 1 && !fs::exists(history_ / (page + ".html"))) ||
            std::ranges::any_of(names, [&](const std::string& name) {
                return time_of(history_runs_ / (name + ".json")) > time_of(path);
            }))
            return false;
        histories_[page] = std::move(*known);
        return true;
    }

    void read_runs(std::map<std::string, HistoryBuilder>& stale) {
        for (const auto& [name, entry] : entries_) {
            if (std::ranges::none_of(entry.histories, [&](const auto& page) { return stale.contains(page); }))
                continue;
            const fs::path path = history_runs_ / (name + ".json");
            std::optional<std::vector<RunRecord>> records = records_from_text(file_text(path));
            if (!records) {
                outcome_.missing.push_back(fmt::format(
                    "{}: is not as it was written; remove it, and its runs are read again from {}",
                    printable(path.string()), printable(entry.row.database)));
                continue;
            }
            for (RunRecord& record : *records)
                if (const auto found = stale.find(history_page_name(record)); found != stale.end())
                    found->second.add(std::move(record));
        }
    }

    void write_history(const std::string& page, History&& history, const std::vector<std::string>& names) {
        if (history.series.empty())
            return;
        HistorySeries& series = history.series.front();
        series.name = history_title(series);
        SiteHistory entry{page, series.name, {}, static_cast<std::int64_t>(series.runs.size()), names};
        if (entry.runs > 1) {
            const Document document = build_history_document(history, "", false);
            entry.answer = document.cover.answer.text;
            write_own_file(history_ / (page + ".html"), html_page(document, {{}, "../index.html"}));
            outcome_.figures += all_figures(document).size();
        }
        write_own_file(history_ / (page + ".json"), text_of(entry));
        histories_[page] = std::move(entry);
    }

    /// Pages to which no database belongs any more.
    void drop_useless_histories() const {
        std::vector<fs::path> useless;
        for (const auto& file : fs::directory_iterator(history_))
            if ((file.path().extension() == ".html" || file.path().extension() == ".json") &&
                !histories_.contains(file.path().stem().string()))
                useless.push_back(file.path());
        for (const fs::path& each : useless)
            fs::remove(each);
    }

    void write_pages() const {
        std::vector<SiteRow> rows;
        std::vector<std::string> databases;
        for (const auto& [name, entry] : entries_) {
            rows.push_back(entry.row);
            databases.push_back(entry.row.database);
        }
        // The folder distinguishes two files of one name.
        const std::vector<std::string> labels = names_of_files(databases, true);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].label = labels[i];
        std::ranges::stable_sort(rows, std::greater{}, &SiteRow::started_utc);
        std::vector<SiteHistory> histories;
        for (const auto& [page, history] : histories_)
            if (history.runs > 1)
                histories.push_back(history);
        std::ranges::stable_sort(histories, {}, &SiteHistory::title);
        const std::string title = options_.title.empty() ? "MPI performance results" : options_.title;
        write_if_different(directory_ / "results.js", results_script(rows));
        write_if_different(directory_ / "comparison.html", comparison_page(title));
        write_if_different(directory_ / "index.json", text_of({{"results", rows}, {"histories", histories}}));
        write_if_different(directory_ / "index.html", index_page(title, rows, histories));
    }

    const SiteOptions& options_;
    fs::path directory_;
    fs::path results_;
    fs::path history_;
    fs::path files_; ///< databases that were added
    fs::path history_runs_;
    std::map<std::string, Entry> entries_;         ///< by name
    std::map<std::string, SiteHistory> histories_; ///< by the page's name
    Written outcome_;
};

} // namespace

Written keep_site(const SiteOptions& options) {
    return Site(options).keep();
}

std::vector<std::string> site_folders(const std::string& directory) {
    const fs::path path = report_directory(directory);
    return {(path / "files").string(), (path / "results").string(), (path / "history").string()};
}

void remove_partial_site_files(const std::string& directory, pid_t writer) {
    const fs::path path = report_directory(directory);
    for (const fs::path& folder :
         {path, path / "files", path / "results", path / "history", path / "history" / "runs"})
        remove_partial_files((folder / "x").string(), writer);
}

} // namespace skampi
