#pragma once

#include "core/io/dicom/series/dicom_frame.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gantry {

// Which images can be slices of one stack: those of one size, pixel size and orientation.

/// Returns how two images differ, "a.dcm and b.dcm differ in size, ..."; empty if they are alike.
/// Both have size and pixel spacing; orientations are compared where both have one.
std::string difference_of(const DicomFrame& a, const DicomFrame& b);

/// Returns the indices of the largest group of images that are alike, ascending; of several equally
/// large ones, that of the first image.
std::vector<std::size_t> largest_alike(std::span<const DicomFrame> images);

/// Returns a length for messages: "0.5 mm".
std::string millimetres(double value);

}  // namespace gantry
