#pragma once

#include "core/io/dicom/pixels/dicom_pixels.hpp"
#include "core/io/dicom/pixels/jpeg2000.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace gantry {

/// The lowest `count` bits as a number, the highest of them as its sign where there is one.
std::int32_t with_sign(std::uint32_t bits, int count, bool is_signed);

/// Whether a JPEG or JPEG-LS of `precision` bits per value and a header that says another number
/// mean the same values. Returns a line about the difference, empty where there is none. Throws
/// InputError (no place named: the caller knows the file) where a value depends on which is right.
std::string check_precision(std::span<const std::uint8_t> values, int precision,
                            const DicomPixelFormat& format);
std::string check_precision(std::span<const std::uint16_t> values, int precision,
                            const DicomPixelFormat& format);

/// The values of a JPEG 2000 image, whose codestream has a number of bits and a sign of its own.
/// Returns and throws as check_precision().
std::string unpack_jpeg2000(const Jpeg2000Image& image, const DicomPixelFormat& format,
                            std::span<std::int32_t> values);

}  // namespace gantry
