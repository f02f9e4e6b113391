#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <memory>
#include <optional>

namespace gantry {

/// Which axes of an array are those of views, rows and columns of frames; nothing where there is
/// a single one: of a sinogram the row, of a single flat the view.
struct FrameAxes {
  std::optional<std::size_t> view, row;
  std::size_t column = 0;
};

/// Returns the frames in an array. They are read one at a time where each lies in one piece, else
/// the array is read as a whole at the first request. Throws InputError: the array is empty, or
/// larger than frames can be.
std::shared_ptr<const FrameSource> frames_of_array(StoredArray array, const FrameAxes& axes);

}  // namespace gantry
