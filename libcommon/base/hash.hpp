// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace skampi {

/// FNV-1a, 64 bits (RFC 9923), of data added piece by piece. It is no cryptographic hash. Texts run together
/// ("ab" "c" is "a" "bc"): where that matters, add a terminator.
class Fnv1a {
public:
    constexpr Fnv1a() = default;
    /// Another start value gives another hash function, for more bits than one has.
    constexpr explicit Fnv1a(std::uint64_t basis)
        : hash_(basis) {}

    constexpr Fnv1a& add(std::string_view text) {
        for (const char c : text)
            mix(static_cast<unsigned char>(c));
        return *this;
    }
    /// The eight bytes of a number, the lowest first.
    constexpr Fnv1a& add(std::uint64_t number) {
        for (int bits = 0; bits < 64; bits += 8)
            mix((number >> bits) & 0xFF);
        return *this;
    }
    /// All eight bytes at once, for much data. This is not plain FNV: there a bit only affects higher bits;
    /// the shift carries it down again.
    constexpr Fnv1a& add_word(std::uint64_t number) {
        mix(number);
        hash_ ^= hash_ >> 29;
        return *this;
    }

    [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }
    /// 32 bits that depend on all 64.
    [[nodiscard]] constexpr std::uint32_t folded() const {
        return static_cast<std::uint32_t>(hash_ ^ (hash_ >> 32));
    }

private:
    constexpr void mix(std::uint64_t part) { hash_ = (hash_ ^ part) * 0x100000001B3u; }

    std::uint64_t hash_ = 0xCBF29CE484222325u;
};

} // namespace skampi
