#pragma once

#include "core/io/files/decoder/decoder_part.hpp"

namespace gantry {

/// Returns the part of the decoder that reads TIFF files.
std::unique_ptr<DecoderPart> tiff_part();

}  // namespace gantry
