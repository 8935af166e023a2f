// SPDX-License-Identifier: LGPL-2.1-or-later
#include "operations/derived_types.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace skampi {
namespace {

/// Frees what a larger datatype was made of.
int commit_from(MPI_Datatype& part, MPI_Datatype* made) {
    return first_error({MPI_Type_free(&part), MPI_Type_commit(made)});
}

/// The last block is shorter than the others.
int make_uneven_type(const Strided& message, MPI_Count elements, MPI_Datatype element, MPI_Datatype* made) {
    const auto whole = static_cast<std::size_t>(elements / message.block);
    std::vector<int> lengths(whole, static_cast<int>(message.block));
    lengths.push_back(static_cast<int>(elements % message.block));
    std::vector<int> places;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        places.push_back(static_cast<int>(static_cast<std::int64_t>(i) * message.stride));
    return MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), element, made);
}

template <typename Element>
void copy_elements(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                   std::int64_t count) {
    auto* target = reinterpret_cast<Element*>(to);
    const auto* source = reinterpret_cast<const Element*>(from);
    for (std::int64_t i = 0; i < count; ++i)
        target[i * to_stride] = source[i * from_stride];
}

void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                  std::int64_t count, int size) {
    switch (size) {
    case 1:
        return copy_elements<std::uint8_t>(to, to_stride, from, from_stride, count);
    case 4:
        return copy_elements<std::uint32_t>(to, to_stride, from, from_stride, count);
    case 8:
        return copy_elements<std::uint64_t>(to, to_stride, from, from_stride, count);
    default:
        for (std::int64_t i = 0; i < count; ++i)
            std::memcpy(to + i * to_stride * size, from + i * from_stride * size,
                        static_cast<std::size_t>(size));
    }
}

/// Calls copy(place in the array, place in the packed message, elements) for each block.
template <typename Copy>
void for_blocks(const Strided& message, MPI_Count elements, Copy&& copy) {
    for (std::int64_t done = 0; done < elements; done += message.block)
        copy(message.at(done), done, std::min<std::int64_t>(message.block, elements - done));
}

} // namespace

int make_type(const Strided& message, MPI_Count elements, MPI_Datatype element, MPI_Datatype* made) {
    *made = element;
    if (is_contiguous(message, elements))
        return MPI_SUCCESS;
    const std::int64_t blocks = (elements + message.block - 1) / message.block;
    if (!std::in_range<int>(blocks * message.stride))
        return MPI_ERR_COUNT;
    const int code = elements % message.block == 0
                         ? MPI_Type_vector(static_cast<int>(blocks), static_cast<int>(message.block),
                                           static_cast<int>(message.stride), element, made)
                         : make_uneven_type(message, elements, element, made);
    return code != MPI_SUCCESS ? code : MPI_Type_commit(made);
}

int make_block_type(const Strided& message, MPI_Datatype element, MPI_Datatype* made) {
    MPI_Aint begin = 0;
    MPI_Aint extent = 0;
    MPI_Datatype block = MPI_DATATYPE_NULL;
    if (const int code = first_error({MPI_Type_get_extent(element, &begin, &extent),
                                      MPI_Type_contiguous(static_cast<int>(message.block), element, &block)});
        code != MPI_SUCCESS)
        return code;
    const int code = MPI_Type_create_resized(block, 0, message.stride * extent, made);
    return first_error({code, commit_from(block, made)});
}

int make_transposing_type(const BlockOfMatrix& block, int ranks, MPI_Datatype element, MPI_Datatype* made) {
    MPI_Aint begin = 0;
    MPI_Aint extent = 0;
    MPI_Datatype column = MPI_DATATYPE_NULL;
    if (!std::in_range<int>(block.columns) || !std::in_range<int>(block.rows * ranks))
        return MPI_ERR_COUNT;
    // A row of the block becomes a column: its elements are at distances of a transposed row.
    if (const int code =
            first_error({MPI_Type_get_extent(element, &begin, &extent),
                         MPI_Type_vector(static_cast<int>(block.columns), 1,
                                         static_cast<int>(block.rows * ranks), element, &column)});
        code != MPI_SUCCESS)
        return code;
    const int code = MPI_Type_create_hvector(static_cast<int>(block.rows), 1, extent, column, made);
    return first_error({code, commit_from(column, made)});
}

int free_types(Call& c) {
    int code = MPI_SUCCESS;
    for (auto* types : {&c.types, &c.receive_types})
        for (MPI_Datatype& type : *types)
            if (type != c.type && type != MPI_DATATYPE_NULL)
                code = first_error({code, MPI_Type_free(&type)});
    return code;
}

void pack(std::byte* packed, const std::byte* array, const Strided& message, MPI_Count elements, int size) {
    if (message.block == 1)
        return copy_strided(packed, 1, array + message.begin * size, message.stride, elements, size);
    for_blocks(message, elements, [&](std::int64_t in_array, std::int64_t in_message, std::int64_t count) {
        std::memcpy(packed + in_message * size, array + in_array * size,
                    static_cast<std::size_t>(count * size));
    });
}

void unpack(std::byte* array, const std::byte* packed, const Strided& message, MPI_Count elements, int size) {
    if (message.block == 1)
        return copy_strided(array + message.begin * size, message.stride, packed, 1, elements, size);
    for_blocks(message, elements, [&](std::int64_t in_array, std::int64_t in_message, std::int64_t count) {
        std::memcpy(array + in_array * size, packed + in_message * size,
                    static_cast<std::size_t>(count * size));
    });
}

} // namespace skampi
