#include "core/io/imports/array_pages.hpp"

#include "core/base/error.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/imports/array_frames.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

std::shared_ptr<const FrameSource> frames_of_numpy(const std::string& path) {
  ArrayFile file = open_numpy(path);
  if (file.arrays.size() != 1)
    throw InputError("holds " + std::to_string(file.arrays.size()) + " arrays", path,
                     "give a file of one array");
  StoredArray& array = file.arrays.front();
  const std::size_t dimensions = array.size.size();
  if (dimensions != 2 && dimensions != 3)
    throw InputError("is an array of " + array.size_text() + " numbers, which are no frames", path,
                     "give frames [frame][row][column], or a single one");
  return frames_of_array(std::move(array), dimensions == 3
                                               ? FrameAxes{.view = 0, .row = 1, .column = 2}
                                               : FrameAxes{.view = {}, .row = 0, .column = 1});
}

/// The arrays that were opened; several threads may ask for one.
class OpenedArrays {
 public:
  std::shared_ptr<const FrameSource> at(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const FrameSource>& frames = opened_[path];
    if (frames == nullptr) frames = frames_of_numpy(path);
    return frames;
  }
  bool holds(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    return opened_.contains(path);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const FrameSource>> opened_;
};

}  // namespace

bool is_numpy(const std::string& path) {
  const std::string start = file_start(path);
  return std::max(npy_certainty(start), npz_certainty(start)) == Certainty::certain;
}

PageReader with_arrays(PageReader reader) {
  const auto arrays = std::make_shared<OpenedArrays>();
  return {[reader, arrays](const std::string& path) {
            if (!is_numpy(path)) return reader.look(path);
            const auto frames = arrays->at(path);
            return PageSize{frames->columns(), frames->rows(), frames->frames()};
          },
          [reader, arrays](const std::string& path, int page, const PageSize& size,
                           std::span<float> values) {
            if (arrays->holds(path))
              arrays->at(path)->read(page, values);
            else
              reader.read(path, page, size, values);
          }};
}

}  // namespace gantry
