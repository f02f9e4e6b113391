#pragma once

#include "core/io/files/decoder/decoder_part.hpp"

namespace gantry {

/// Returns the part of the decoder that reads HDF5 files.
std::unique_ptr<DecoderPart> hdf5_part();

}  // namespace gantry
