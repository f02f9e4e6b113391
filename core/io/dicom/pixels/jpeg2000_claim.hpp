#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gantry {

/// The memory that decoding a JPEG 2000 codestream or JP2 file of one component will take, by what
/// its markers claim (size, tiles, layers, precincts, code-blocks): the image, one tile of it and
/// the decoder's own records, of which there is one for each tile, precinct and code-block, however
/// few bytes stand behind. Reads markers only. Throws InputError (no place named) when the data do
/// not start as a codestream must, or are shorter than the headers of their tiles.
std::size_t jpeg2000_memory(std::span<const std::uint8_t> bytes);

}  // namespace gantry
