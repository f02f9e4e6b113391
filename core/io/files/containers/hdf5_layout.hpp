#pragma once

#include "core/io/files/containers/hdf5_calls.hpp"
#include "core/io/files/containers/hdf5_listing.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gantry {

// How the numbers of a data set lie in its file, and of which type they are.

/// Returns whether the bytes that a data set has in its file are enough for its elements. The
/// library takes that for granted, and reads beyond the bytes of a damaged file.
bool holds_its_elements(hid_t dataset);
/// Returns the type of this machine for stored numbers. Numbers of other sizes become float32.
NumberType type_of(hid_t stored);
/// Returns the type of the library for numbers of this machine.
hid_t library_type(NumberType type);
/// Returns the sizes of a data set along all of its dimensions.
std::vector<hsize_t> sizes_of(hid_t object);
/// Returns the dimensions of the file that the listing has: without those of a single element
/// beyond three, see without_single_axes(). The first one is that of the frames.
std::vector<std::size_t> listed_axes(const std::vector<hsize_t>& sizes);
/// Returns the sizes that the listing states.
std::vector<std::uint64_t> listed_sizes(const std::vector<hsize_t>& sizes);
/// Returns the sizes of the chunks in which the numbers of a data set are packed, along all
/// dimensions; nothing where they are not.
std::vector<hsize_t> packed_chunk(hid_t object, std::size_t dimensions);
/// Returns where the numbers of a data set lie, if all of them lie there as numbers of this
/// machine, except for their byte order.
std::optional<Hdf5Piece> piece_of(hid_t object, const Hdf5Dataset& dataset);
/// Returns where the only chunk of a data set of such sizes lies, if it is packed by deflate alone.
std::optional<Hdf5PackedPiece> packed_piece_of(hid_t object, const Hdf5Dataset& dataset,
                                               const std::vector<hsize_t>& sizes);

}  // namespace gantry
