// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"

#include <array>
#include <cstdint>

namespace skampi {

// Where messages lie in the arrays of an application: parts of an array have gaps. Every message has
// Call::count elements in any layout.

/// A rank's array whose border is exchanged, without its edges and corners: two faces for each dimension, in
/// the order of MPI's neighbours in a Cartesian grid. Dimension 0 varies slowest, so its faces are
/// contiguous; that of the last one has one element a row. In 2 dimensions the array is square.
/// In 3 its sides are about the root of a face's elements, so that faces of any number of elements fit.
class HaloBox {
public:
    static constexpr int most_faces = 6;
    /// @param dimensions 2 or 3
    HaloBox(int dimensions, std::int64_t face_elements);
    [[nodiscard]] const Strided& face(int side) const { return faces_[static_cast<std::size_t>(side)]; }
    /// At least what the array has; more for longer faces.
    [[nodiscard]] static std::int64_t room(int dimensions, std::int64_t face_elements);

private:
    std::array<Strided, most_faces> faces_;
};

/// A matrix over the ranks. A rank has so many rows, and columns for each rank: a block for it.
struct BlockOfMatrix {
    /// As square as the elements allow.
    explicit BlockOfMatrix(std::int64_t elements);
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    /// Where an element of a rank's block lies in the rows of this rank.
    [[nodiscard]] std::int64_t sent_at(int ranks, int rank, std::int64_t element) const {
        return (element / columns * ranks + rank) * columns + element % columns;
    }
    /// Where it lies in the rows of the transposed matrix.
    [[nodiscard]] std::int64_t received_at(int ranks, int rank, std::int64_t element) const {
        return (element % columns * ranks + rank) * rows + element / columns;
    }
};

/// Where the elements of an operation's messages lie in one of its buffers, in bytes from its beginning.
class MessagePlaces {
public:
    MessagePlaces(const Operation& operation, const MpiCall& call, int element_bytes, bool received);
    [[nodiscard]] std::int64_t operator()(int message, std::int64_t element) const;

private:
    Layout layout_;
    bool received_;
    std::int64_t elements_;
    int ranks_;
    std::int64_t element_bytes_;
    HaloBox box_;
    BlockOfMatrix matrix_;
};

} // namespace skampi
