// SPDX-License-Identifier: LGPL-2.1-or-later
#include "operations/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {
namespace {

/// The smallest number whose square is at least this.
std::int64_t root_above(std::int64_t square) {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
    while (root > 0 && (root - 1) * (root - 1) >= square)
        --root;
    while (root * root < square)
        ++root;
    return root;
}

std::int64_t product(std::initializer_list<std::int64_t> factors) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t all = 1;
    for (const std::int64_t factor : factors)
        all = all > most / factor ? most : all * factor;
    return all;
}

/// With 3 dimensions, by the root of a face's elements.
std::int64_t row_length(std::int64_t root) {
    return root + 2;
}
std::int64_t rows_in_plane(std::int64_t root) {
    return std::max<std::int64_t>(root, 2);
}

/// The longest block, at most as long as the root and not much shorter, that divides the elements: the face
/// is then blocks of equal length. Without one the last block is shorter.
std::int64_t block_length(std::int64_t elements, std::int64_t root) {
    for (std::int64_t block = root; block > 0 && 3 * block >= 2 * root; --block)
        if (elements % block == 0)
            return block;
    return std::max<std::int64_t>(root, 1);
}

} // namespace

HaloBox::HaloBox(int dimensions, std::int64_t face_elements) {
    const std::int64_t elements = std::max<std::int64_t>(face_elements, 1);
    if (dimensions < 3) {
        const std::int64_t row = elements + 2;
        faces_ = {Strided{1, elements, elements}, Strided{(elements + 1) * row + 1, elements, elements},
                  Strided{row, 1, row}, Strided{2 * row - 1, 1, row}};
        return;
    }
    const std::int64_t root = root_above(elements);
    const std::int64_t row = row_length(root);
    const std::int64_t plane = row * rows_in_plane(root);
    const std::int64_t block = block_length(elements, root);
    const std::int64_t planes = (elements + block - 1) / block;
    faces_ = {Strided{0, elements, elements},   Strided{(planes + 1) * plane, elements, elements},
              Strided{plane + 1, block, plane}, Strided{2 * plane - row + 1, block, plane},
              Strided{plane, 1, row},           Strided{plane + row - 1, 1, row}};
}

std::int64_t HaloBox::room(int dimensions, std::int64_t face_elements) {
    face_elements = std::min(face_elements, std::numeric_limits<std::int64_t>::max() / 4);
    if (dimensions < 3)
        return product({face_elements + 2, face_elements + 2});
    const std::int64_t root = root_above(face_elements);
    return product({row_length(root), rows_in_plane(root), root + root / 2 + 4});
}

BlockOfMatrix::BlockOfMatrix(std::int64_t elements) {
    elements = std::max<std::int64_t>(elements, 1);
    rows = root_above(elements);
    while (elements % rows != 0)
        --rows;
    columns = elements / rows;
}

MessagePlaces::MessagePlaces(const Operation& operation, const MpiCall& call, int element_bytes,
                             bool received)
    : layout_(operation.layout)
    , received_(received)
    , elements_(call.count)
    , ranks_(call.size)
    , element_bytes_(element_bytes)
    , box_(operation.dimensions, layout_ == Layout::faces ? elements_ : 1)
    , matrix_(layout_ == Layout::matrix ? elements_ : 1) {}

std::int64_t MessagePlaces::operator()(int message, std::int64_t element) const {
    std::int64_t place = message * elements_ + element;
    if (layout_ == Layout::faces)
        place = box_.face(message).at(element);
    else if (layout_ == Layout::matrix)
        place = received_ ? matrix_.received_at(ranks_, message, element)
                          : matrix_.sent_at(ranks_, message, element);
    return place * element_bytes_;
}

} // namespace skampi
