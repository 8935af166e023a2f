// SPDX-License-Identifier: GPL-2.0-or-later
#include "laboratory/buffers.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <fstream>
#include <optional>
#include <string>
#include <unistd.h>

using namespace skampi;

namespace {

/// Whether the kernel gives huge pages to those who ask for them; none where it does not say so.
std::optional<bool> gives_huge_pages() {
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string text;
    if (!std::getline(file, text))
        return std::nullopt;
    return text.find("[madvise]") != std::string::npos || text.find("[always]") != std::string::npos;
}

bool page_aligned(const std::byte* place) {
    return reinterpret_cast<std::uintptr_t>(place) % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) == 0;
}

} // namespace

TEST_CASE("buffers are separate, page-aligned and touched, and say what pages they got") {
    constexpr std::size_t bytes = std::size_t{8} << 20;
    Buffers warm;
    warm.reserve(bytes, bytes);
    CHECK(page_aligned(warm.send()));
    CHECK(page_aligned(warm.receive()));
    CHECK((warm.send() + bytes <= warm.receive() || warm.receive() + bytes <= warm.send()));
    CHECK(warm.send()[bytes - 1] == std::byte{1});
    if (const std::optional<bool> huge = gives_huge_pages())
        CHECK(warm.pages().starts_with("huge") == *huge); // in part where memory is in pieces
    else
        MESSAGE("kinds of pages are not checked: /sys/kernel/mm/transparent_hugepage/enabled cannot be read");

    Buffers small(BufferPolicy::warm_4k);
    small.reserve(bytes, bytes);
    CHECK(small.pages() == std::to_string(sysconf(_SC_PAGESIZE) / 1024) + "k");
}

TEST_CASE("the pages are those of the larger area, and none where nothing is sent") {
    Buffers receiver;
    receiver.reserve(0, 4096);
    CHECK(receiver.pages().ends_with("k"));
    Buffers nothing;
    nothing.reserve(0, 0);
    CHECK(nothing.pages().empty());
}

TEST_CASE("cycled buffers move on, rewritten ones get another content, warm ones stay") {
    Buffers cycled(BufferPolicy::cycled);
    cycled.reserve(1000, 1000);
    const std::byte* first = cycled.send();
    cycled.between_calls();
    CHECK(cycled.send() >= first + 1000);
    CHECK(cycled.acts_between_calls());

    Buffers rewritten(BufferPolicy::rewritten);
    rewritten.reserve(100, 100);
    rewritten.between_calls();
    const std::byte content = rewritten.send()[99];
    rewritten.between_calls();
    CHECK(rewritten.send()[99] != content);

    Buffers warm;
    warm.reserve(100, 100);
    const std::byte* place = warm.send();
    warm.between_calls();
    CHECK(warm.send() == place);
    CHECK_FALSE(warm.acts_between_calls());
}
