// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace skampi {

/// Who chose the name of a file that is written: a user, whose file may be a link to its place or a device,
/// or this program, next to a user's file or in its own folder. A link there would lead to another user's
/// file.
enum class NamedBy { user, us };

/// For a file or folder whose name this program chose. It need not exist.
/// @throws InputError when it is a symbolic link
void refuse_link(const std::string& path);

/// A file that appears complete or not at all: it is written next to its final place under a temporary name;
/// commit() flushes it to disk and renames it. Without commit() nothing is left behind. A user's symbolic
/// link is followed. A path that is no regular file (/dev/stdout, a pipe) is written directly.
class OutputFile {
public:
    /// @throws SystemError when the file cannot be created there   @throws InputError as refuse_link()
    explicit OutputFile(const std::string& path, NamedBy named_by = NamedBy::user);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// @throws SystemError when the disk is full, ...
    void write(std::string_view text);
    /// The file is complete: it gets its final name. @throws SystemError
    void commit();
    /// The same, unless a file of that name has appeared meanwhile. @throws InputError if one has
    void commit_new();

    /// Where it is written until commit(): another program may write it instead of write().
    [[nodiscard]] const std::string& temporary_path() const { return temporary_path_; }

private:
    [[noreturn]] void fail(const char* doing) const;
    void put_in_place(bool replacing);

    std::string path_;       ///< as in messages
    std::string final_path_; ///< links followed; empty when written directly
    std::string temporary_path_;
    int descriptor_ = -1;
};

/// A whole file at once, as OutputFile writes it. @throws SystemError
void write_file(const std::string& path, std::string_view text);
/// The same of a name that this program chose. @throws InputError as refuse_link()
void write_own_file(const std::string& path, std::string_view text);

/// Writes a text to standard output, after anything that stdio still buffers, and flushes it: a full disk or
/// a closed descriptor is reported. An empty text only flushes.
/// @param when_lost the exit status of the error
/// @throws Error if the text could not be written
void write_standard_output(std::string_view text, ExitStatus when_lost = ExitStatus::impossible);
/// The same of data that hold other people's texts as they are: a terminal, which would obey control
/// characters in them, gets printable_lines().
void write_data_to_standard_output(std::string_view data);
/// Writes to standard error; a failure must not change how a program ends and is ignored.
void write_standard_error(const std::string& text) noexcept;
/// Opens closed standard descriptors, so that writing to them fails. Otherwise the next file opened would get
/// such a descriptor, and messages would go into a database or a connection.
void keep_standard_descriptors() noexcept;

/// Whether two paths lead to one file or folder (by device and inode), or would once it is made.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Refuses outputs that would take the place of what is read, or of one another: by the same name, by any
/// other that leads to the same file, and a folder that holds an input. Empty names are none.
/// @throws InputError naming the output
void refuse_confused_files(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// Removes the temporary files that a killed process left of OutputFiles for this path, or in this folder,
/// and SQLite's files next to them. Files that cannot be removed stay.
void remove_partial_files(const std::string& path, pid_t writer);

/// The whole text of a file; empty if it is missing or cannot be read.
[[nodiscard]] std::string file_text(const std::string& path);

/// The network (or user-space) file system a path lies on: "NFS", "Lustre", ...; empty for a local one.
/// If the path does not exist yet, its folder decides. An unknown file system counts as local.
[[nodiscard]] std::string network_file_system(const std::string& path);
[[nodiscard]] inline bool is_network_file_system(const std::string& path) {
    return !network_file_system(path).empty();
}

} // namespace skampi
