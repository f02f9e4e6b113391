#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gantry {

/// Returns the codestream in the first jp2c box of a JP2 file (ISO/IEC 15444-1, annex I); `bytes`
/// itself where that is no JP2 file. Throws InputError (without the file, which the caller adds)
/// when there is no such box or a box reaches beyond the end.
std::span<const std::uint8_t> jpeg2000_codestream(std::span<const std::uint8_t> bytes);

/// Returns an upper estimate of the memory in bytes that decoding a JPEG 2000 codestream or JP2
/// file of one component takes. The estimate follows from the markers (size, tiles, quality layers,
/// precincts, code-blocks) and comprises the image, one tile of it and the decoder's own records:
/// one for each tile, precinct and code-block, however few data there are. Reads markers only.
/// Throws InputError (without the file, which the caller adds) when the data do not start as a
/// codestream must, or are shorter than the headers of their tiles.
std::size_t jpeg2000_memory(std::span<const std::uint8_t> bytes);

}  // namespace gantry
