#include "site/site.hpp"

#include "analysis/history/history.hpp"
#include "base/replaced_directory.hpp"
#include "document/sections/contest_section.hpp"
#include "formats/web/html.hpp"
#include "formats/web/site_pages.hpp"
#include "history/history_document.hpp"
#include "history/history_record.hpp"
#include "runs/run_source.hpp"
#include "site/site_entry.hpp"
#include "launches/one_reference.hpp"
#include "launches/read_subjects.hpp"
#include "words/session_words.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "cube/statistics.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

namespace skampi {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

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

/// What a database adds to the histories.
struct Runs {
    std::vector<RunRecord> records;
    std::vector<std::string> histories;
};

/// @throws StoreError, InputError
Runs runs_of(const std::string& database) {
    Runs runs;
    std::set<std::string> histories;
    for_each_record(
        database, {}, [](const std::string&) {},
        [&](RunRecord&& record) {
            histories.insert(history_page_name(record));
            runs.records.push_back(std::move(record));
        });
    runs.histories.assign(histories.begin(), histories.end());
    return runs;
}

/// Databases as they were read last: comparing each with many others would read each many times.
class SubjectShelf {
public:
    void put(const std::string& name, Subject&& subject) {
        shelf_.emplace_front(name, std::move(subject));
        constexpr std::size_t most = 32;
        if (shelf_.size() > most)
            shelf_.pop_back();
    }

    /// @throws StoreError, InputError
    Subject take(const Entry& entry) {
        const auto found = std::ranges::find(shelf_, entry.row.name, &std::pair<std::string, Subject>::first);
        if (found == shelf_.end())
            return std::move(read_subjects(Database::open(entry.row.database)).front());
        Subject subject = std::move(found->second);
        shelf_.erase(found);
        return subject;
    }

private:
    std::list<std::pair<std::string, Subject>> shelf_; ///< the last used one first
};

/// A comparison of two results, by their names.
struct Pair {
    std::string reference;
    std::string other;

    friend auto operator<=>(const Pair&, const Pair&) = default;
};

class Site {
public:
    explicit Site(const SiteOptions& options)
        : options_(options)
        , directory_(report_directory(options.directory))
        , results_(directory_ / "results")
        , history_(directory_ / "history")
        , history_runs_(history_ / "runs")
        , comparisons_(directory_ / "comparisons") {
        check_ours(directory_);
        make_directory(directory_);
    }

    Written keep() {
        const FileLock lock((directory_ / lock_name).string(), directory_.string());
        write_if_different(directory_ / site_mark, "This site is kept by skampi-report site.\n");
        for (const fs::path& each : {results_, history_, history_runs_, comparisons_})
            make_own_directory(each);
        for (const fs::path& each : {directory_, results_, history_, history_runs_})
            remove_all_partial_files(each);
        read_entries();
        for (const std::string& database : options_.databases)
            renew(database);
        mark_or_drop_gone();
        keep_comparisons();
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

    static std::string real_path(const std::string& named) {
        std::error_code error;
        const fs::path real = fs::weakly_canonical(fs::absolute(named, error), error);
        return real.empty() ? named : real.string();
    }

    void renew(const std::string& named) {
        const std::string database = real_path(named);
        const std::optional<Stamp> stamp = stamp_of(database);
        const std::string name = name_of(database);
        if (const auto known = entries_.find(name);
            known != entries_.end() && stamp && known->second.made_by == pages_made_by() &&
            !known->second.stamp.fresh &&
            known->second.stamp ==
                Stamp{stamp->bytes, stamp->changed_ns, stamp->log_bytes, stamp->log_changed_ns, false} &&
            fs::exists(results_ / (name + ".html")) && fs::exists(results_ / (name + ".js")) &&
            fs::exists(history_runs_ / (name + ".json")))
            return;
        Entry entry;
        Document document;
        std::string script;
        Runs runs;
        Subject compared;
        try {
            if (cube::is_statistics_file(database))
                throw InputError(
                    fmt::format("{}: is a Cube statistics file, expected a database", printable(named)));
            const std::string label = fs::path(database).filename().string();
            RunOptions options;
            options.databases = {database};
            options.title = label;
            RunSource source(options);
            compared = source.subjects().size() == 1
                           ? source.subjects().front()
                           : std::move(read_subjects(source.only_database()).front());
            entry.row = site_row(compared);
            if (source.turns())
                entry.row.answer = shortened(session_answer(*source.turns()), 300);
            entry.row.name = name;
            entry.row.label = label;
            entry.row.database = database;
            document = source.document(Medium::pages);
            script = result_script(entry.row, compared);
            runs = runs_of(database);
        } catch (const Error& unreadable) {
            // One bad file among a hundred must not keep the others from their pages.
            outcome_.missing.emplace_back(unreadable.what());
            return;
        }
        entry.made_by = pages_made_by();
        entry.stamp = stamp.value_or(Stamp{});
        write_own_file(results_ / (name + ".html"), html_page(document, {{}, "../index.html"}));
        write_own_file(results_ / (name + ".js"), script);
        write_own_file(history_runs_ / (name + ".json"), to_text(runs.records));
        entry.histories = std::move(runs.histories);
        for (const std::string& uuid : compared.launch_uuids())
            entry.launches.push_back(to_valid_utf8(uuid));
        write_own_file(results_ / (name + ".json"), to_text(entry));
        made_.insert(name);
        shelf_.put(name, std::move(compared));
        outcome_.figures += all_figures(document).size();
        ++outcome_.pages;
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
            fs::remove(history_runs_ / (at->first + ".json"));
            at = entries_.erase(at);
        }
    }

    // ---- comparisons ----

    [[nodiscard]] fs::path path_of(const Pair& pair) const {
        return comparisons_ / pair.reference / (pair.other + ".js");
    }

    /// Those there are already, but of results that are gone, whose files are removed.
    [[nodiscard]] std::set<Pair> pairs_there() const {
        std::set<Pair> pairs;
        std::vector<fs::path> useless;
        for (const auto& reference : fs::directory_iterator(comparisons_)) {
            refuse_link(reference.path());
            remove_all_partial_files(reference.path());
            const std::string name = reference.path().filename().string();
            std::error_code error;
            for (const auto& file : fs::directory_iterator(reference.path(), error)) {
                if (file.path().extension() != ".js")
                    continue; // none of ours
                const Pair pair{name, file.path().stem().string()};
                if (entries_.contains(name) && entries_.contains(pair.other))
                    pairs.insert(pair);
                else
                    useless.push_back(file.path());
            }
            if (!entries_.contains(name) && reference.is_directory())
                useless.push_back(reference.path());
        }
        std::error_code not_empty;
        for (const fs::path& each : useless)
            fs::remove(each, not_empty);
        return pairs;
    }

    /// A start that is later than the file was last written is wrong, and would be the newest for ever.
    [[nodiscard]] std::string age(const SiteRow& row) const {
        const Stamp& stamp = entries_.at(row.name).stamp;
        return std::min(
            row.started_utc,
            utc_text(static_cast<double>(std::max(stamp.changed_ns, stamp.log_changed_ns)) * 1e-9));
    }

    /// Each result with so many older ones: half of them, if there are, of its own machine and number of
    /// ranks, the newest first; so that a further result adds a limited number of comparisons. Of two that
    /// hold launches in common, such as a merged file and one of those it was made from, nothing is said.
    [[nodiscard]] std::set<Pair> usual_pairs() const {
        std::vector<const SiteRow*> rows;
        std::map<std::string, std::set<std::string>> holders; // of each launch
        for (const auto& [name, entry] : entries_) {
            rows.push_back(&entry.row);
            for (const std::string& launch : entry.launches)
                holders[launch].insert(name);
        }
        std::ranges::stable_sort(rows, {}, [&](const SiteRow* row) { return age(*row); });
        std::set<Pair> pairs;
        const std::size_t most = options_.comparisons;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::vector<const SiteRow*> own;
            std::vector<const SiteRow*> others;
            std::set<std::string> relatives;
            for (const std::string& launch : entries_.at(rows[i]->name).launches)
                relatives.insert(holders.at(launch).begin(), holders.at(launch).end());
            for (std::size_t j = i; j-- > 0;)
                if (!relatives.contains(rows[j]->name))
                    (std::tie(rows[j]->machine, rows[j]->ranks) == std::tie(rows[i]->machine, rows[i]->ranks)
                         ? own
                         : others)
                        .push_back(rows[j]);
            const std::size_t of_others =
                std::min(others.size(), std::max(most / 2, most - std::min(most, own.size())));
            others.resize(of_others);
            own.resize(std::min(own.size(), most - of_others));
            for (const auto* chosen : {&own, &others})
                for (const SiteRow* older : *chosen)
                    pairs.insert({older->name, rows[i]->name});
        }
        return pairs;
    }

    void keep_comparisons() {
        const std::set<Pair> there = pairs_there();
        std::set<Pair> wanted = usual_pairs();
        wanted.insert(there.begin(), there.end());
        for (const auto& [reference, other] : options_.compare) {
            const std::string first = name_of(real_path(reference));
            const std::string second = name_of(real_path(other));
            if (entries_.contains(first) &&
                entries_.contains(second)) // else it is said that it cannot be read
                wanted.insert({first, second});
        }
        for (const Pair& pair : wanted)
            if ((there.contains(pair) && is_as_it_was(pair)) || judge(pair))
                judged_[pair.reference].push_back(pair.other);
    }

    /// What the first line of a comparison says it was made from.
    [[nodiscard]] std::string origin_of(const Pair& pair) const {
        return "// " + Json{{"made_by", pages_made_by()},
                            {"reference", stamp_json(entries_.at(pair.reference).stamp)},
                            {"other", stamp_json(entries_.at(pair.other).stamp)}}
                           .dump();
    }

    [[nodiscard]] bool is_as_it_was(const Pair& pair) const {
        std::ifstream stream(path_of(pair), std::ios::binary);
        std::string line;
        return !made_.contains(pair.reference) && !made_.contains(pair.other) && std::getline(stream, line) &&
               line == origin_of(pair);
    }

    /// @return whether it is there now
    bool judge(const Pair& pair) {
        std::error_code error;
        fs::remove(path_of(pair), error); // what it said holds no longer
        std::vector<Subject> two;
        try {
            for (const std::string& name : {pair.reference, pair.other}) {
                if (entries_.at(name).row.gone)
                    return false;
                two.push_back(shelf_.take(entries_.at(name)));
            }
        } catch (const Error& unreadable) {
            // It belongs to many pairs.
            if (std::ranges::find(outcome_.missing, unreadable.what()) == outcome_.missing.end())
                outcome_.missing.emplace_back(unreadable.what());
            return false;
        }
        std::vector<Subject> reduced = two; // the others that they are compared with have other references
        reduce_to_one_reference(reduced, {});
        label_subjects(reduced);
        make_own_directory(path_of(pair).parent_path());
        write_own_file(path_of(pair),
                       origin_of(pair) + "\n" +
                           judgement_script(pair.reference, pair.other,
                                            judge_databases(reduced.front(), reduced.back())));
        shelf_.put(pair.reference, std::move(two.front()));
        shelf_.put(pair.other, std::move(two.back()));
        return true;
    }

    // ---- histories ----

    void keep_histories() {
        std::map<std::string, std::string> origins; // of each page: what it is made from
        for (const auto& [name, entry] : entries_)
            for (const std::string& history : entry.histories)
                origins[history] += name + " " + stamp_json(entry.stamp).dump() + "\n";
        std::map<std::string, std::unique_ptr<HistoryBuilder>> stale;
        for (const auto& [page, origin] : origins) {
            std::optional<SiteHistory> known = read_history_entry(page);
            const std::string hash = fmt::format("{:016x}", Fnv1a().add(pages_made_by()).add(origin).value());
            const bool anew = std::ranges::any_of(made_, [&, &page = page](const std::string& name) {
                return std::ranges::find(entries_.at(name).histories, page) !=
                       entries_.at(name).histories.end();
            });
            if (!anew && known && known->made_from == hash &&
                (known->runs < 2 || fs::exists(history_ / (page + ".html"))))
                histories_[page] = std::move(*known);
            else {
                stale[page] = std::make_unique<HistoryBuilder>();
                histories_[page].made_from = hash;
            }
        }
        read_runs(stale);
        for (const auto& [page, builder] : stale)
            write_history(page, builder->finished());
        drop_useless_histories();
    }

    void read_runs(const std::map<std::string, std::unique_ptr<HistoryBuilder>>& stale) {
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
                    found->second->add(std::move(record));
        }
    }

    void write_history(const std::string& page, History&& history) {
        SiteHistory& entry = histories_[page];
        if (history.series.empty()) {
            histories_.erase(page);
            return;
        }
        HistorySeries& series = history.series.front();
        series.name = history_title(series);
        entry.name = page;
        entry.title = series.name;
        entry.plan = series.plan_hash;
        entry.runs = static_cast<std::int64_t>(series.runs.size());
        if (entry.runs > 1) {
            const Document document = build_history_document(history, "", false);
            entry.answer = document.cover.answer.text;
            write_own_file(history_ / (page + ".html"), html_page(document, {{}, "../index.html"}));
            outcome_.figures += all_figures(document).size();
        }
        write_own_file(history_ / (page + ".json"), Json{{"made_from", entry.made_from},
                                                         {"title", to_valid_utf8(entry.title)},
                                                         {"plan", to_valid_utf8(entry.plan)},
                                                         {"runs", entry.runs},
                                                         {"answer", to_valid_utf8(entry.answer)}}
                                                            .dump(1) +
                                                        "\n");
    }

    /// @return none when the file is not as we write it
    [[nodiscard]] std::optional<SiteHistory> read_history_entry(const std::string& page) const {
        try {
            const Json json = Json::parse(file_text(history_ / (page + ".json")));
            return SiteHistory{page,
                               json.at("title"),
                               json.at("plan"),
                               json.at("answer"),
                               json.at("runs"),
                               json.at("made_from")};
        } catch (const nlohmann::json::exception&) {
            return std::nullopt;
        }
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
        // Of two files of one name the folder tells which is which.
        const std::vector<std::string> labels = names_of_files(databases, true);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].label = labels[i];
        std::ranges::stable_sort(rows, std::greater{}, [&](const SiteRow& row) { return age(row); });
        const std::string title = options_.title.empty() ? "MPI performance results" : options_.title;
        std::vector<SiteHistory> histories;
        for (const auto& [page, history] : histories_)
            if (history.runs > 1)
                histories.push_back(history);
        std::ranges::stable_sort(histories, {}, &SiteHistory::title);
        write_if_different(directory_ / "results.js", results_script(rows, judged_));
        write_if_different(directory_ / "comparison.html", comparison_page(title));
        write_if_different(directory_ / "index.html", index_page(title, rows, histories));
    }

    const SiteOptions& options_;
    fs::path directory_;
    fs::path results_;
    fs::path history_;
    fs::path history_runs_;
    fs::path comparisons_;
    std::map<std::string, Entry> entries_; ///< by name
    std::set<std::string> made_;           ///< of these, those made anew by this call
    SubjectShelf shelf_;
    std::map<std::string, std::vector<std::string>> judged_; ///< others, by reference
    std::map<std::string, SiteHistory> histories_;           ///< by the page's name
    Written outcome_;
};

} // namespace

Written keep_site(const SiteOptions& options) {
    return Site(options).keep();
}

std::vector<std::string> site_folders(const std::string& directory) {
    std::vector<std::string> folders;
    for (const char* name : {"results", "history", "comparisons"})
        folders.push_back((report_directory(directory) / name).string());
    return folders;
}

void remove_partial_site_files(const std::string& directory, pid_t writer) {
    const fs::path path = report_directory(directory);
    remove_partial_files((path / "index.html").string(), writer);
    std::error_code error;
    std::vector<fs::path> directories{path / "results", path / "history", path / "history" / "runs"};
    for (const auto& each : fs::directory_iterator(path / "comparisons", error))
        directories.push_back(each.path());
    for (const fs::path& each : directories)
        remove_partial_files((each / "x").string(), writer);
}

} // namespace skampi
