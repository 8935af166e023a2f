// SPDX-License-Identifier: GPL-2.0-or-later
#include "faulty_disk.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <new>
#include <sqlite3.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

/// How to take back one write that is not on the disk yet.
struct Undo {
    std::int64_t offset = 0;
    std::string bytes;     ///< what stood there
    std::int64_t size = 0; ///< of the file before
};

} // namespace

struct FaultyDisk::State {
    Fault fault = Fault::full;
    std::int64_t at = 0;
    std::int64_t operations = 0;
    bool repaired = false;
    bool reached = false;
    std::map<std::string, std::vector<Undo>> unsynchronised;
    sqlite3_vfs* real = nullptr;
    sqlite3_vfs vfs{};

    /// Counts an operation. @return SQLITE_OK when it may happen
    int step(bool takes_space) {
        if (repaired)
            return SQLITE_OK;
        ++operations;
        if (fault == Fault::full) {
            if (operations < at || !takes_space)
                return SQLITE_OK;
            reached = true;
            return SQLITE_FULL;
        }
        if (operations < at)
            return SQLITE_OK;
        if (fault == Fault::kill)
            ::raise(SIGKILL);
        if (fault == Fault::error && operations > at)
            return SQLITE_OK;
        reached = true;
        return SQLITE_IOERR;
    }
};

namespace {

/// The real file follows behind in the same memory.
struct File {
    sqlite3_file base;
    FaultyDisk::State* state;
    char path[1024];
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File& file_of(sqlite3_file* file) {
    return *reinterpret_cast<File*>(file);
}
sqlite3_file* real_of(sqlite3_file* file) {
    return file_of(file).real();
}
FaultyDisk::State& state_of(sqlite3_vfs* vfs) {
    return *static_cast<FaultyDisk::State*>(vfs->pAppData);
}

void remember(File& file, std::int64_t offset, std::int64_t size) {
    if (file.path[0] == '\0')
        return; // a temporary file without a name
    Undo undo;
    undo.offset = offset;
    file.real()->pMethods->xFileSize(file.real(), reinterpret_cast<sqlite3_int64*>(&undo.size));
    const std::int64_t present = std::min(size, undo.size - offset);
    if (present > 0) {
        undo.bytes.resize(static_cast<std::size_t>(present));
        file.real()->pMethods->xRead(file.real(), undo.bytes.data(), static_cast<int>(present), offset);
    }
    file.state->unsynchronised[file.path].push_back(std::move(undo));
}

const sqlite3_io_methods methods = {
    3,
    [](sqlite3_file* f) { return real_of(f)->pMethods->xClose(real_of(f)); },
    [](sqlite3_file* f, void* to, int size, sqlite3_int64 offset) {
        return real_of(f)->pMethods->xRead(real_of(f), to, size, offset);
    },
    [](sqlite3_file* f, const void* from, int size, sqlite3_int64 offset) {
        if (const int result = file_of(f).state->step(true); result != SQLITE_OK)
            return result;
        remember(file_of(f), offset, size);
        return real_of(f)->pMethods->xWrite(real_of(f), from, size, offset);
    },
    [](sqlite3_file* f, sqlite3_int64 size) {
        if (const int result = file_of(f).state->step(false); result != SQLITE_OK)
            return result;
        remember(file_of(f), size, INT32_MAX);
        return real_of(f)->pMethods->xTruncate(real_of(f), size);
    },
    [](sqlite3_file* f, int) {
        if (const int result = file_of(f).state->step(false); result != SQLITE_OK)
            return result;
        file_of(f).state->unsynchronised.erase(file_of(f).path);
        return SQLITE_OK; // the real disk need not do it: this one's memory is what counts
    },
    [](sqlite3_file* f, sqlite3_int64* size) { return real_of(f)->pMethods->xFileSize(real_of(f), size); },
    [](sqlite3_file* f, int level) { return real_of(f)->pMethods->xLock(real_of(f), level); },
    [](sqlite3_file* f, int level) { return real_of(f)->pMethods->xUnlock(real_of(f), level); },
    [](sqlite3_file* f, int* out) { return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out); },
    [](sqlite3_file* f, int what, void* argument) {
        return real_of(f)->pMethods->xFileControl(real_of(f), what, argument);
    },
    [](sqlite3_file* f) { return real_of(f)->pMethods->xSectorSize(real_of(f)); },
    [](sqlite3_file* f) {
        // No promise is passed on that would let SQLite leave out what is tested here.
        (void)f;
        return 0;
    },
    [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
        return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
    },
    [](sqlite3_file* f, int offset, int count, int flags) {
        return real_of(f)->pMethods->xShmLock(real_of(f), offset, count, flags);
    },
    [](sqlite3_file* f) { real_of(f)->pMethods->xShmBarrier(real_of(f)); },
    [](sqlite3_file* f, int remove) { return real_of(f)->pMethods->xShmUnmap(real_of(f), remove); },
    [](sqlite3_file*, sqlite3_int64, int, void** out) {
        *out = nullptr; // no memory mapping: all reads and writes pass here
        return SQLITE_OK;
    },
    [](sqlite3_file*, sqlite3_int64, void*) { return SQLITE_OK; },
};

} // namespace

FaultyDisk::FaultyDisk(Fault fault, std::int64_t at)
    : state_(std::make_unique<State>()) {
    state_->fault = fault;
    state_->at = at;
    state_->real = sqlite3_vfs_find("unix");
    if (!state_->real)
        throw std::runtime_error("SQLite has no file system \"unix\"");
    state_->vfs = *state_->real;
    state_->vfs.zName = "faulty";
    state_->vfs.pNext = nullptr;
    state_->vfs.pAppData = state_.get();
    state_->vfs.szOsFile = static_cast<int>(sizeof(File)) + state_->real->szOsFile;
    state_->vfs.xOpen = [](sqlite3_vfs* vfs, const char* name, sqlite3_file* into, int flags,
                           int* out_flags) {
        State& state = state_of(vfs);
        File& file = *new (into) File{};
        file.state = &state;
        if (name)
            std::string(name).copy(file.path, sizeof(file.path) - 1);
        const int result = state.real->xOpen(state.real, name, file.real(), flags, out_flags);
        file.base.pMethods = result == SQLITE_OK ? &methods : nullptr;
        return result;
    };
    state_->vfs.xDelete = [](sqlite3_vfs* vfs, const char* name, int) {
        State& state = state_of(vfs);
        if (const int result = state.step(false); result != SQLITE_OK)
            return result;
        state.unsynchronised.erase(name);
        return state.real->xDelete(state.real, name, 0);
    };
    state_->vfs.xAccess = [](sqlite3_vfs* vfs, const char* name, int flags, int* out) {
        return state_of(vfs).real->xAccess(state_of(vfs).real, name, flags, out);
    };
    state_->vfs.xFullPathname = [](sqlite3_vfs* vfs, const char* name, int size, char* out) {
        return state_of(vfs).real->xFullPathname(state_of(vfs).real, name, size, out);
    };
    sqlite3_vfs_register(&state_->vfs, 1);
}

FaultyDisk::~FaultyDisk() {
    sqlite3_vfs_unregister(&state_->vfs);
    sqlite3_vfs_register(state_->real, 1);
}

void FaultyDisk::repair() {
    state_->repaired = true;
    if (state_->fault != Fault::power_cut)
        return;
    for (const auto& [path, undos] : state_->unsynchronised) {
        const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor < 0)
            continue;
        for (auto undo = undos.rbegin(); undo != undos.rend(); ++undo) {
            if (pwrite(descriptor, undo->bytes.data(), undo->bytes.size(), undo->offset) < 0 ||
                ftruncate(descriptor, undo->size) != 0)
                throw std::runtime_error("cannot take back what was written to " + path);
        }
        close(descriptor);
        std::error_code ignored;
        std::filesystem::remove(path + "-shm", ignored); // it is memory only
    }
    state_->unsynchronised.clear();
}

void FaultyDisk::strike_in(std::int64_t operations) {
    state_->at = state_->operations + operations;
}

bool FaultyDisk::reached() const {
    return state_->reached;
}
