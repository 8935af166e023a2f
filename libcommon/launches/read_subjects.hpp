// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Reads what is to be shown: the merged runs with a time above zero, one for each group, in the order of the
/// file; else all raw runs with such a time in the series of the newest run that ended (if none did, of the
/// newest), merged suite by suite with the defaults of skampi-merge; else the newest run. Loads no single
/// measurements, and one suite of all launches at a time.
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

/// The launches in one series with the first run, merged as read_subjects() does.
/// @param runs not empty
[[nodiscard]] Subject read_series(const Database& database, const std::vector<RunId>& runs);

/// One run as it is stored, without the rest of the file.
[[nodiscard]] Subject read_run(const Database& database, RunId id);

/// Joins the parts of one study whose suites lie in several files: one launch each, of one series except for
/// the plan, and no suite that another part could be compared with. The result has the place and the facts of
/// the first, and all suites and events.
void join_parts(std::vector<Subject>& subjects);

/// The runs with one of the names, each a uuid or the group of a merged run ("ranks = 4"); oldest first.
[[nodiscard]] std::vector<RunId> runs_called(const Database& database, const std::vector<std::string>& names);
/// @throws InputError where no run in any database has a name; it lists the existing names
void require_runs(const std::vector<Database>& databases, const std::vector<std::string>& names);

/// Short names of files: the name of each path with as many folders as make it unique ("old/skampi"). Endings
/// such as .db are left out where names stay unique without them. Repeated paths to one file get one name.
[[nodiscard]] std::vector<std::string> names_of_files(const std::vector<std::string>& paths,
                                                      bool with_endings = false);

/// Gives every subject a unique label: the file's name (names_of_files), with the group if a file has several
/// subjects (if there is one file, the group or the number of ranks alone), else the machine or the library,
/// else the file's name with a number.
void label_subjects(std::vector<Subject>& subjects);

[[nodiscard]] std::set<std::string> suite_names(const std::vector<Subject>& subjects);
/// @param where the glob was found: begins the message
/// @throws InputError where a glob selects none of the names; it says which are near, or else which there are
void require_suite(const std::set<std::string>& names, const std::string& glob, const std::string& where);
/// Leaves only the suites that are selected. @throws InputError naming a glob that selects none in any
/// subject
void select_suites(std::vector<Subject>& subjects, const std::vector<std::string>& globs);

} // namespace skampi
