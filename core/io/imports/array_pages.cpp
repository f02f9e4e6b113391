#include "core/io/imports/array_pages.hpp"

#include "core/base/error.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/imports/array_frames.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

bool is_numpy(const std::string& path) {
  const std::string start = file_start(path);
  return std::max(npy_certainty(start), npz_certainty(start)) == Certainty::certain;
}

std::shared_ptr<const FrameSource> frames_of_only_array(ArrayFile file, const std::string& path,
                                                        std::size_t view_axis) {
  if (file.arrays.size() != 1)
    throw InputError("holds " + std::to_string(file.arrays.size()) + " arrays", path,
                     "give a file of one array");
  StoredArray& array = file.arrays.front();
  const std::size_t dimensions = array.size.size();
  if (dimensions != 2 && dimensions != 3)
    throw InputError("is an array of " + array.size_text() + " numbers, which are no frames", path,
                     "give frames [frame][row][column], or a single one");
  FrameAxes axes{.view = {}, .row = 0, .column = 1};
  if (dimensions == 3 && view_axis == 0) axes = {.view = 0, .row = 1, .column = 2};
  if (dimensions == 3 && view_axis != 0) axes.view = view_axis;
  return frames_of_array(std::move(array), axes);
}

}  // namespace gantry
