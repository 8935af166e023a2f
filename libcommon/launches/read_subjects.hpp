#pragma once

#include "launches/subject.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Reads what is to be shown: the merged runs that have a time above zero, one for each group they were
/// merged by, in the order of the file; else all raw runs that have one of the series of the newest that came
/// to its end (of the newest, where none did), merged suite by suite as skampi-merge does unless told
/// otherwise; else the newest run. Holds the single measurements of nothing, and one suite of all launches at
/// a time.
/// @param chosen names of runs: where the database holds such, these and no others are shown
/// @return at least one
[[nodiscard]] std::vector<Subject> read_subjects(const Database& database,
                                                 const std::vector<std::string>& chosen = {});
/// The first of them.
[[nodiscard]] Subject read_subject(const Database& database);

/// The raw runs of one study on several numbers of ranks, those on equal numbers merged as read_subjects()
/// does; ascending ranks. Empty where the file has merged runs, or the study of the newest run has fewer than
/// three numbers of ranks.
[[nodiscard]] std::vector<Subject> read_study(const Database& database);

/// The launches among these runs that are of one series with the first, merged as read_subjects() does.
/// @param runs not empty
[[nodiscard]] Subject read_series(const Database& database, const std::vector<RunId>& runs);

/// One run as it is stored, whatever else is in the file.
[[nodiscard]] Subject read_run(const Database& database, RunId id);

/// Makes one subject of those that are parts of one study, cut by its suites into several files: one launch
/// each, of one series but for its plan, and no suite of one has anything to be compared with in another. It
/// has the place and the facts of the first, and all suites and events.
void join_parts(std::vector<Subject>& subjects);

/// The runs that go by one of the names, each a uuid or the group a run was merged of ("ranks = 4"); oldest
/// first.
[[nodiscard]] std::vector<RunId> runs_called(const Database& database, const std::vector<std::string>& names);
/// @throws InputError where a name is that of no run in any database; it names those there are
void require_runs(const std::vector<Database>& databases, const std::vector<std::string>& names);

/// What files are called by: of each path its name, with so many of the folders before it as tell it from the
/// others ("old/skampi"). Endings such as .db are left out where that is so without them, too. One file has
/// one name, however often it is given.
[[nodiscard]] std::vector<std::string> names_of_files(const std::vector<std::string>& paths,
                                                      bool with_endings = false);

/// Gives every subject a label that no other has: the file's name (names_of_files), with the group where
/// there are several of a file (of one file the group, or the number of ranks, alone), else the machine or
/// the library, else the file's name with a number.
void label_subjects(std::vector<Subject>& subjects);

/// @param where the glob was found: begins the message
/// @throws InputError where a glob means no suite of any subject; it names those there are
void require_suite(const std::vector<Subject>& subjects, const std::string& glob, const std::string& where);
/// Leaves only the suites that are selected. @throws InputError naming a glob that selects none in any
/// subject
void select_suites(std::vector<Subject>& subjects, const std::vector<std::string>& globs);

} // namespace skampi
