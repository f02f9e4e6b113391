#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

// TIFF as a stack of slices in one file: a page per slice, rows by rising y.

/// Reads the pages of a file, of one size and one type: grey values as whole numbers of 8, 16 or 32
/// bits or as floating-point numbers. The distance of pixels is taken from the resolution, that of
/// slices from ImageJ's description; where one is not stated, it is taken as the other, without
/// both as 1 mm, as a note says.
/// Of a stack that ImageJ or OME describe as of several channels or frames of time, the first ones
/// are read, as a note says. Throws InputError.
LoadedVolume read_tiff(const std::string& path, const VolumeReadOptions& options);

/// Reads a folder of such files as the slices of one volume, in the order of the numbers in their
/// names; notes say which numbers are missing. The first file states sizes and distances for all.
/// Throws InputError.
LoadedVolume read_tiff_slices(const std::string& folder, const VolumeReadOptions& options);

/// Writes float32 values without compression, or whole numbers of 16 bits on one scale for all
/// slices (parameter bits), in 1/mm or HU, with size, distances and origin in the
/// description that ImageJ reads. Files beyond 4 GB are BigTIFF, and others if `big`. Throws
/// OutputError.
void write_tiff(const std::string& path, const VolumeToWrite& volume, bool big = false);

/// Returns the format.
VolumeFormat tiff_format();

/// Returns the format of folders most of whose files are TIFF, which are read.
VolumeFormat tiff_slices_format();

}  // namespace gantry
