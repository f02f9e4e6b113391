#pragma once

#include "core/io/files/decoder/decoder_part.hpp"

namespace gantry {

/// Returns the part of the decoder that reads compound files.
std::unique_ptr<DecoderPart> ole_part();

}  // namespace gantry
