#pragma once

#include "core/io/dicom/pixels/dicom_pixels.hpp"

#include <cstdint>
#include <span>

namespace gantry {

// These functions check the bytes of one compressed image without decoding the image. The decoders
// themselves do not report such damage: they invent the pixels that a cut stream lacks and ignore
// surplus data. Each function throws InputError (without the file, which the caller adds) when the
// stream is cut short, holds more than one byte of padding after its end, or contradicts `format`.

/// Checks RLE of DICOM (PS3.5, annex G): there is a segment for each byte of a pixel, the segments
/// follow one another, and each unpacks to exactly one byte for each pixel.
void check_rle(std::span<const std::uint8_t> stream, const DicomPixelFormat& format);

/// Checks JPEG and JPEG-LS, from the start marker (SOI) to the end marker (EOI), with the size in
/// the frame header. Returns the bits per value that the frame header gives.
int check_jpeg(std::span<const std::uint8_t> stream, const DicomPixelFormat& format);

/// Checks JPEG 2000, a codestream or a JP2 file: the lengths of the marker segments and tile parts
/// up to the end marker (EOC). check_jpeg2000() checks the size of the image.
void check_jpeg2000_end(std::span<const std::uint8_t> stream);

}  // namespace gantry
