#pragma once

#include "core/io/files/decoder/decoder_part.hpp"

namespace gantry {

/// Returns the part of the decoder that reads DICOM files; in a build without DICOM it throws
/// UsageError.
std::unique_ptr<DecoderPart> dicom_part();

}  // namespace gantry
