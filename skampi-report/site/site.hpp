// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "formats/format.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace skampi {

struct SiteOptions {
    std::string directory;
    std::vector<std::string> databases; ///< that are new or may have changed
    std::vector<std::string> added;     ///< databases of others, to be checked and copied into the site
    std::string title;                  ///< empty = a fitting one
    bool prune = false;                 ///< drops pages whose databases are gone
};

/// Keeps a static site in a directory: index.html and index.json, comparison.html, a page for each series
/// over time, and of each database results/NAME.html (its report), NAME.js (its data for comparisons) and
/// NAME.json (what the index says of it; written last). Databases named that are newer than that file are
/// read; all others, and those of former calls, keep their pages. A database that is gone is marked in the
/// index, or dropped where the options say so. Databases that
/// are added are checked (check_as_strangers()), refused where the site has one of their runs, and copied
/// into files/. Every file appears whole or not at all: an interrupted call leaves a site that works, and the
/// next one goes on. Written::pages are those of databases made anew.
/// @throws InputError when the directory is not ours; SystemError when another process keeps the same site,
/// or the disk fails. A database that cannot be read is named among what is missing.
[[nodiscard]] Written keep_site(const SiteOptions& options);

/// The folders of a site in which files are replaced and removed.
[[nodiscard]] std::vector<std::string> site_folders(const std::string& directory);

/// Removes what a killed process left half written.
void remove_partial_site_files(const std::string& directory, pid_t writer);

} // namespace skampi
