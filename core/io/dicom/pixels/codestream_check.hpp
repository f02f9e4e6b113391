#pragma once

#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <cstdint>
#include <span>

namespace gantry {

/// The checks below look at the bytes of one compressed image without decoding it, because the
/// decoders fill what a cut stream lacks and pass over what they do not need. Each throws
/// InputError (no place named: the caller knows the file) where the stream is cut short, holds more
/// than one byte of padding after its end, or says another size than `format`.

/// RLE of DICOM (PS3.5, annex G): a segment for each byte of a pixel, one after the other, and each
/// unpacks to exactly one byte for each pixel.
void check_rle(std::span<const std::uint8_t> stream, const DicomPixelFormat& format);

/// JPEG and JPEG-LS, from the start marker (SOI) to the end marker (EOI). Returns the bits per
/// value that the stream says.
int check_jpeg(std::span<const std::uint8_t> stream, const DicomPixelFormat& format);

/// JPEG 2000, a codestream or a JP2 file: its tile parts up to the end marker (EOC).
void check_jpeg2000_end(std::span<const std::uint8_t> stream);

}  // namespace gantry
