#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>

namespace skampi {

/// A file that appears whole or not at all: written beside its final place under a temporary name, brought to
/// disk and renamed by commit(). Without commit() nothing is left behind. A symbolic link is followed. What
/// is no regular file (/dev/stdout, a pipe) is written directly.
class OutputFile {
public:
    /// @throws SystemError when the file cannot be created there
    explicit OutputFile(const std::string& path);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// @throws SystemError when the disk is full, ...
    void write(std::string_view text);
    /// The file is complete: from now on it is there under its name. @throws SystemError
    void commit();
    /// The same where nobody else has put a file there meanwhile. @throws InputError when somebody has
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

/// Writes a text to standard output, behind whatever stdio still holds for it, and sees it on its way: to a
/// full disk or a closed descriptor nothing is lost in silence. An empty text only sees what was written
/// before on its way.
/// @throws Error with the status that losing it means
void write_standard_output(std::string_view text, ExitStatus when_lost = ExitStatus::impossible);
/// That nobody can be told must not change how a program ends.
void write_standard_error(const std::string& text) noexcept;
/// A standard descriptor that was closed would become that of the next file opened, and the words meant for
/// it would go into a database or a connection. From now on they go nowhere, and writing them still fails.
void keep_standard_descriptors() noexcept;

/// Removes what OutputFiles for this path left when the process that wrote them was killed, and what SQLite
/// put beside them. What cannot be removed stays.
void remove_partial_files(const std::string& path, pid_t writer);

/// A whole file's text; empty where it is missing or cannot be read.
[[nodiscard]] std::string file_text(const std::string& path);

/// The network (or user-space) file system a path lies on: "NFS", "Lustre", ...; empty for a local one.
/// The path need not exist yet; its folder decides then. What cannot be found out counts as local.
[[nodiscard]] std::string network_file_system(const std::string& path);
[[nodiscard]] inline bool is_network_file_system(const std::string& path) {
    return !network_file_system(path).empty();
}

} // namespace skampi
