// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace skampi {

namespace {

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// The path with the symbolic links of an existing file followed, so that a rename replaces the file and not
/// the link.
std::string followed(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr), &std::free);
    return real ? std::string(real.get()) : path;
}

/// How the names of all partial files of a process begin. A number and ".part" follow.
std::string partial_name(pid_t writer) {
    return "." + std::to_string(writer) + ".";
}

} // namespace

void refuse_link(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, error)))
        throw InputError(printable(path) +
                         ": found a link to another place, expected nothing, or what SKaMPI made there");
}

OutputFile::OutputFile(const std::string& path, NamedBy named_by)
    : path_(path) {
    if (named_by == NamedBy::us)
        refuse_link(path);
    struct stat present = {};
    const bool exists = stat(path.c_str(), &present) == 0;
    if (exists && S_ISDIR(present.st_mode)) {
        errno = EISDIR;
        fail("write");
    }
    if (named_by == NamedBy::user && exists && !S_ISREG(present.st_mode)) {
        temporary_path_ = path;
        descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0)
            fail("open");
        return;
    }
    final_path_ = named_by == NamedBy::us ? path : followed(path);
    if (exists && faccessat(AT_FDCWD, final_path_.c_str(), W_OK, AT_EACCESS) != 0)
        fail("write");
    const std::filesystem::path final_path(final_path_);
    // The ending stays at the end: programs that write the file themselves look at it.
    const std::string name = partial_name(getpid());
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
        temporary_path_ = (final_path.parent_path() /
                           (name + std::to_string(attempt) + ".part" + final_path.extension().string()))
                              .string();
        descriptor_ = open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST)
            fail("create");
    }
    if (exists)
        (void)fchmod(descriptor_, present.st_mode & 07777); // optional: its failure is harmless
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_))
    , final_path_(std::move(other.final_path_))
    , temporary_path_(std::move(other.temporary_path_))
    , descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile::~OutputFile() {
    if (descriptor_ < 0)
        return;
    close(descriptor_);
    if (!final_path_.empty())
        unlink(temporary_path_.c_str());
}

void OutputFile::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail("write");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OutputFile::commit() {
    put_in_place(true);
}

void OutputFile::commit_new() {
    put_in_place(false);
}

namespace {

/// Gives a file another name unless that one is taken: errno is EEXIST then.
bool rename_without_replacing(const char* from, const char* to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    // A file system that cannot do it at once. Others may have the file under both names for a moment.
    return link(from, to) == 0 && unlink(from) == 0;
}

} // namespace

void OutputFile::put_in_place(bool replacing) {
    if (final_path_.empty()) {
        if (close(std::exchange(descriptor_, -1)) != 0)
            fail("write");
        return;
    }
    // Another program may have replaced the temporary file by one of its own: bring that one to disk.
    const int written = open(temporary_path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (written < 0)
        fail("write");
    const int synced = fsync(written);
    const int reason = errno;
    close(written);
    if (synced != 0) {
        errno = reason;
        fail("write");
    }
    const bool placed = replacing ? rename(temporary_path_.c_str(), final_path_.c_str()) == 0
                                  : rename_without_replacing(temporary_path_.c_str(), final_path_.c_str());
    if (!placed && !replacing && errno == EEXIST)
        throw InputError(
            printable(path_) +
            ": exists already: somebody else has put it there meanwhile, and it is left as it is");
    if (!placed)
        fail("put in place");
    close(std::exchange(descriptor_, -1));
    const int folder = open(folder_of(final_path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder); // some file systems cannot; the file itself is safe
        close(folder);
    }
}

void OutputFile::fail(const char* doing) const {
    throw SystemError(printable(path_) + ": cannot " + doing + " this file: " + std::strerror(errno));
}

void write_standard_error(const std::string& text) noexcept {
    std::fputs(text.c_str(), stderr);
}

void keep_standard_descriptors() noexcept {
    for (const int descriptor : {0, 1, 2})
        if (::fcntl(descriptor, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", O_RDONLY)); // takes the lowest number that is free
}

void write_file(const std::string& path, std::string_view text) {
    OutputFile file(path);
    file.write(text);
    file.commit();
}

void write_own_file(const std::string& path, std::string_view text) {
    OutputFile file(path, NamedBy::us);
    file.write(text);
    file.commit();
}

void write_standard_output(std::string_view text, ExitStatus when_lost) {
    const bool failed_before = std::ferror(stdout) != 0;
    errno = 0;
    const bool written = text.empty() || // whose pointer may be none, which fwrite must not be given
                         std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0 && !failed_before)
        return;
    throw Error(when_lost, std::string("standard output cannot be written: ") +
                               (errno != 0 ? std::strerror(errno) : "some of it was lost before"));
}

void write_data_to_standard_output(std::string_view data) {
    if (isatty(STDOUT_FILENO) == 1)
        write_standard_output(printable_lines(data));
    else
        write_standard_output(data);
}

bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    if (std::filesystem::equivalent(a, b, error))
        return true;
    const std::filesystem::path place = std::filesystem::weakly_canonical(a, error);
    return !error && place == std::filesystem::weakly_canonical(b, error) && !error;
}

namespace {

/// @throws InputError where it is, or holds, the other
void refuse_place_of(const std::string& input, const std::string& output) {
    if (is_same_file(input, output))
        throw InputError(printable(output) + ": is an input, expected another name for the output");
    std::error_code error;
    if (!std::filesystem::is_directory(output, error)) // a folder may be replaced with all that is in it
        return;
    for (std::filesystem::path place = std::filesystem::weakly_canonical(input, error);
         place.has_relative_path(); place = place.parent_path())
        if (std::filesystem::equivalent(place, output, error))
            throw InputError(printable(output) + ": holds the input " + printable(input) +
                             ", expected another name for the output");
}

} // namespace

void refuse_confused_files(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        if (output->empty())
            continue;
        for (const std::string& input : inputs)
            if (!input.empty())
                refuse_place_of(input, *output);
        if (std::any_of(outputs.begin(), output, [&](const std::string& other) {
                return !other.empty() && is_same_file(other, *output);
            }))
            throw InputError(printable(*output) + ": is written twice, expected two names");
    }
}

void remove_partial_files(const std::string& path, pid_t writer) {
    const std::string begin = partial_name(writer);
    std::error_code error;
    const std::string folder = std::filesystem::is_directory(path, error) ? path : folder_of(followed(path));
    std::vector<std::filesystem::path> partial;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(begin) && name.find(".part", begin.size()) != std::string::npos)
            partial.push_back(entry->path());
    }
    for (const std::filesystem::path& each : partial)
        std::filesystem::remove(each, error);
}

std::string file_text(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return {}; // a stream would open it, and throw at the first character
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string network_file_system(const std::string& path) {
    struct Magic {
        std::uint32_t number;
        const char* name;
    };
    // statfs(2) and the file systems' own headers. FUSE is counted: what stands behind it (sshfs, GlusterFS,
    // s3fs) rarely keeps the promises that a database's shared memory needs.
    static constexpr auto magics = std::to_array<Magic>({
        {0x6969, "NFS"},        {0x517B, "SMB"},          {0xFF534D42, "CIFS"},   {0xFE534D42, "SMB2"},
        {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"},     {0x19830326, "BeeGFS"}, {0x00C36400, "Ceph"},
        {0x65735546, "FUSE"},   {0x5346414F, "AFS"},      {0x6B414653, "AFS"},    {0xAAD7AAEA, "PanFS"},
        {0x73757245, "Coda"},   {0x564C, "NCP"},          {0x01021997, "9P"},     {0x7461636F, "OCFS2"},
        {0x01161970, "GFS2"},   {0x20030528, "OrangeFS"}, {0x786F4256, "VBoxSF"}, {0xBACBACBC, "VMHGFS"},
    });
    struct statfs facts = {};
    if (statfs(path.c_str(), &facts) != 0 && statfs(folder_of(path).c_str(), &facts) != 0)
        return {};
    const auto number = static_cast<std::uint32_t>(facts.f_type);
    for (const Magic& magic : magics)
        if (magic.number == number)
            return magic.name;
    return {};
}

} // namespace skampi
