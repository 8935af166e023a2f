// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace skampi {

/// Page-aligned anonymous memory, touched by the process that made it. Move-only owner.
class Pages {
public:
    Pages() = default;
    /// @param huge ask for huge pages (granted or not: see kind())   @throws std::bad_alloc
    Pages(std::size_t bytes, bool huge);
    Pages(Pages&& other) noexcept;
    Pages& operator=(Pages&& other) noexcept;
    ~Pages();

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return bytes_; }
    /// What the kernel gave: "huge", "huge in part", or "4k" (or the machine's page size); "" for no bytes.
    [[nodiscard]] const std::string& kind() const { return kind_; }

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
    std::size_t mapped_ = 0;
    std::string kind_;
};

/// A rank's message buffers for one suite: separate send and receive areas that grow with the argument and
/// are used as the policy says.
class Buffers {
public:
    explicit Buffers(BufferPolicy policy = BufferPolicy::warm);

    /// Makes both areas at least this large (bytes may be 0). @throws std::bad_alloc
    void reserve(std::size_t send_bytes, std::size_t receive_bytes);
    [[nodiscard]] std::byte* send() const { return send_.data() + offset_; }
    [[nodiscard]] std::byte* receive() const { return receive_.data() + offset_; }
    [[nodiscard]] BufferPolicy policy() const { return policy_; }
    /// Kind of pages of the larger area.
    [[nodiscard]] const std::string& pages() const {
        return (send_.size() >= receive_.size() ? send_ : receive_).kind();
    }

    /// Between two single measurements, outside the timing: moves on (cycled), empties the caches (cold) or
    /// writes the send buffer (rewritten); nothing for warm.
    void between_calls();
    /// True where between_calls() does something, so that every single measurement is one call.
    [[nodiscard]] bool acts_between_calls() const;

private:
    BufferPolicy policy_;
    std::size_t send_bytes_ = 0;
    std::size_t receive_bytes_ = 0;
    std::size_t offset_ = 0;
    std::size_t stride_ = 0;
    unsigned char rewrite_value_ = 0;
    Pages send_;
    Pages receive_;
    Pages flush_;
};

} // namespace skampi
