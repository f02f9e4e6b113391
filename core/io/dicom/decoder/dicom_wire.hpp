#pragma once

#include "core/io/dicom/file/dicom_file.hpp"
#include "core/io/dicom/pixels/dicom_pixels.hpp"
#include "core/io/files/decoder/wire.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::wire {

static_assert(sizeof(DicomPixelFormat) <= values_at);

/// pack() returns a header as bytes. unpack_header() returns what pack() was called with; it throws
/// InputError when pack() did not write the bytes.
std::string pack(const DicomHeader& header);
DicomHeader unpack_header(std::string_view bytes);

}  // namespace gantry::wire
