#pragma once

#include "core/io/dicom/pixels/dicom_pixels.hpp"
#include "core/io/dicom/pixels/jpeg2000.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace gantry {

/// Returns the lowest `count` bits as a number; the highest of these bits is the sign where
/// `is_signed`.
std::int32_t with_sign(std::uint32_t bits, int count, bool is_signed);

/// Checks the decoded values of a JPEG or JPEG-LS stream of `precision` bits per value whose header
/// may give another BitsStored. Returns a line about the difference, empty where there is none.
/// Throws InputError (without the file, which the caller adds) where a value depends on which of
/// the two numbers is right.
std::string check_precision(std::span<const std::uint8_t> values, int precision,
                            const DicomPixelFormat& format);
std::string check_precision(std::span<const std::uint16_t> values, int precision,
                            const DicomPixelFormat& format);

/// Writes the values of a JPEG 2000 image to `values`. The codestream has a number of bits and a
/// sign of its own, which may differ from those of the header: returns and throws as
/// check_precision().
std::string unpack_jpeg2000(const Jpeg2000Image& image, const DicomPixelFormat& format,
                            std::span<std::int32_t> values);

}  // namespace gantry
