#pragma once

#include "core/io/files/file_format.hpp"

#include <string_view>

namespace gantry {

/// Number of bytes that dicom_certainty() needs: the preamble and "DICM".
inline constexpr std::size_t dicom_start_bytes = 132;

/// Judges a file by its first bytes: `certain` for a preamble of 128 bytes and "DICM"; `possible`
/// where the file starts with an attribute of group 2 or 8, in either byte order, since old files
/// have no preamble.
Certainty dicom_certainty(std::string_view start);

/// Returns whether a file that begins with these bytes holds projections of DICOM-CT-PD: attributes
/// of the detector stand among them.
bool begins_ct_pd(std::string_view start);

}  // namespace gantry
