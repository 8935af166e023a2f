// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"
#include "base/error.hpp"
#include "scratch_folder.hpp"
#include "small_file_system.hpp"

#include <doctest/doctest.h>
#include <functional>
#include <initializer_list>
#include <string>

/// Calls a command in folders of too few kilobytes for it, where it must end because nothing can be done, and
/// again with more room, where it must complete its work. Does nothing where no file system can be mounted.
/// @param command_in makes what it needs in the folder   @param check of the folder in the end
inline void call_on_full_disk(std::initializer_list<int> sizes_kilobytes,
                              const std::function<skampi::Command(const std::string& folder)>& command_in,
                              const std::function<void(const ScratchFolder& folder)>& check) {
    for (const int kilobytes : sizes_kilobytes) {
        CAPTURE(kilobytes);
        const ScratchFolder folder;
        const SmallFileSystem file_system(folder.path().string(), kilobytes);
        if (!file_system.mounted()) {
            MESSAGE("cannot mount a small file system here");
            return;
        }
        const skampi::ChildResult full = skampi::run(command_in(folder.path().string()));
        CAPTURE(full.err);
        CHECK(full.exit_status == static_cast<int>(skampi::ExitStatus::impossible));
        REQUIRE(file_system.resize(40'000));
        const skampi::ChildResult result = skampi::run(command_in(folder.path().string()));
        CAPTURE(result.err);
        CHECK(result.exit_status <= 1);
        check(folder);
    }
}
