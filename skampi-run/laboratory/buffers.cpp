// SPDX-License-Identifier: LGPL-2.1-or-later
#include "laboratory/buffers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
// Larger than the last-level caches of today's servers, so that a round through it leaves nothing cached.
constexpr std::size_t beyond_caches = std::size_t{256} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// What the kernel gave, as it reports: it may accept huge pages and have none.
std::size_t bytes_in_huge_pages(const std::byte* place) {
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    std::ifstream maps("/proc/self/smaps");
    bool inside = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::size_t kilobytes = 0;
        if (std::sscanf(line.c_str(), "%zx-%zx ", &begin, &end) == 2)
            inside = begin <= address && address < end;
        else if (inside && std::sscanf(line.c_str(), "AnonHugePages: %zu kB", &kilobytes) == 1)
            return kilobytes * 1024;
    }
    return 0;
}

} // namespace

Pages::Pages(std::size_t bytes, bool huge)
    : bytes_(bytes) {
    const auto small_page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    huge = huge && bytes >= huge_page / 2; // below that a huge page would be mostly unused
    const std::size_t unit = huge ? huge_page : small_page;
    mapped_ = rounded_up(bytes == 0 ? 1 : bytes, unit) + (huge ? huge_page : 0);
    void* area = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) {
        mapped_ = 0;
        throw std::bad_alloc();
    }
    data_ = static_cast<std::byte*>(area);
    const bool granted = madvise(area, mapped_, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) == 0 && huge;
    if (huge) {
        // Aligned by hand; the head stays mapped and untouched, which costs address space only.
        const auto address = reinterpret_cast<std::uintptr_t>(area);
        const std::size_t head = rounded_up(address, huge_page) - address;
        munmap(area, head);
        data_ += head;
        mapped_ -= head;
    }
    std::memset(data_, 1, bytes_);
    const std::size_t in_huge = granted ? bytes_in_huge_pages(data_) : 0;
    if (bytes_ > 0)
        kind_ = in_huge == 0                 ? std::to_string(small_page / 1024) + "k"
                : in_huge >= bytes_ / 10 * 9 ? "huge"
                                             : "huge in part";
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr))
    , bytes_(std::exchange(other.bytes_, 0))
    , mapped_(std::exchange(other.mapped_, 0))
    , kind_(std::move(other.kind_)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(kind_, other.kind_);
    return *this;
}

Pages::~Pages() {
    if (data_ != nullptr)
        munmap(data_, mapped_);
}

Buffers::Buffers(BufferPolicy policy)
    : policy_(policy) {}

void Buffers::reserve(std::size_t send_bytes, std::size_t receive_bytes) {
    send_bytes_ = send_bytes;
    receive_bytes_ = receive_bytes;
    offset_ = 0;
    const bool huge = policy_ != BufferPolicy::warm_4k;
    std::size_t send_area = send_bytes;
    std::size_t receive_area = receive_bytes;
    if (policy_ == BufferPolicy::cycled) {
        // Both areas move together, each place on a cache line of its own.
        stride_ = rounded_up(std::max({send_bytes, receive_bytes, std::size_t{1}}), 64);
        send_area = receive_area = std::max(beyond_caches / 2, 2 * stride_);
    }
    if (send_.size() < send_area || send_.data() == nullptr)
        send_ = Pages(send_area, huge);
    if (receive_.size() < receive_area || receive_.data() == nullptr)
        receive_ = Pages(receive_area, huge);
    if (policy_ == BufferPolicy::cold && flush_.data() == nullptr)
        flush_ = Pages(beyond_caches, false);
}

bool Buffers::acts_between_calls() const {
    return policy_ != BufferPolicy::warm && policy_ != BufferPolicy::warm_4k;
}

void Buffers::between_calls() {
    switch (policy_) {
    case BufferPolicy::warm:
    case BufferPolicy::warm_4k:
        break;
    case BufferPolicy::cycled:
        offset_ += stride_;
        if (offset_ + stride_ > std::min(send_.size(), receive_.size()))
            offset_ = 0;
        break;
    case BufferPolicy::cold:
        for (std::size_t i = 0; i < flush_.size(); i += 64)
            flush_.data()[i] ^= std::byte{1};
        break;
    case BufferPolicy::rewritten:
        std::memset(send_.data(), ++rewrite_value_, send_bytes_);
        break;
    }
}

} // namespace skampi
