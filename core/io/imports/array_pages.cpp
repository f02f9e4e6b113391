#include "core/io/imports/array_pages.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/imports/array_frames.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace gantry {

bool is_numpy(const std::string& path) {
  const std::string start = file_start(path);
  return std::max(npy_certainty(start), npz_certainty(start)) == Certainty::certain;
}

bool may_be_frames(const StoredArray& array) {
  return (array.size.size() == 2 || array.size.size() == 3) && array.count() > 1 &&
         std::ranges::count_if(array.size, [](std::uint64_t n) { return n != 1; }) > 1;
}

StoredArray only_array_of_frames(ArrayFile file, const std::string& path) {
  std::vector<StoredArray>& arrays = file.arrays;
  if (arrays.size() > 1 && std::ranges::any_of(arrays, may_be_frames))
    std::erase_if(arrays, std::not_fn(may_be_frames));
  if (arrays.size() != 1)
    throw InputError(
        "holds " + std::to_string(arrays.size()) + " arrays, of which none was taken: " +
            joined(arrays,
                   [](const StoredArray& one) { return one.name + " (" + one.size_text() + ")"; }),
        path, "store the right one in a file of its own");
  return std::move(arrays.front());
}

std::shared_ptr<const FrameSource> frames_of_only_array(ArrayFile file, const std::string& path,
                                                        std::size_t view_axis) {
  StoredArray array = only_array_of_frames(std::move(file), path);
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
