#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace gantry {

/// Returns whether a file holds arrays of NumPy, by its first bytes.
bool is_numpy(const std::string& path);

/// Whether an array may be frames or sinograms: it has two or three axes, and is no list.
bool may_be_frames(const StoredArray& array);

/// Returns the only array of a file, or the only one that may be frames. Throws InputError where
/// there are several, and names them.
StoredArray only_array_of_frames(ArrayFile file, const std::string& path);

/// Returns the frames in the only_array_of_frames() of a file: a single one [row][column], or of
/// three axes, of which `view_axis`, the first or the last, is that of the frames. Throws
/// InputError.
std::shared_ptr<const FrameSource> frames_of_only_array(ArrayFile file, const std::string& path,
                                                        std::size_t view_axis);

}  // namespace gantry
