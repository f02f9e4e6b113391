#include "core/io/imports/arrays/numpy_frames.hpp"

#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/arrays/array_scan.hpp"
#include "core/io/imports/beside_frames.hpp"
#include "core/io/imports/folders/frame_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gantry {

namespace {

constexpr const char* format_key = "numpy_frames";
const std::vector<std::string> extensions = {".npy", ".npz"};

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

std::shared_ptr<const FrameSource> frames_of_numpy(const std::string& path) {
  return frames_of_only_array(open_numpy(path), path, 0);
}

}  // namespace

ImportFormat numpy_frames_format() {
  ImportFormat format = format_of_images(format_key, "NumPy arrays", extensions);
  format.judge_folder = [](const std::string& folder) {
    return holds_series(folder, extensions) ? Certainty::named : Certainty::none;
  };
  format.magic = [](std::string_view start) {
    return std::max(npy_certainty(start), npz_certainty(start));
  };
  format.has_open_axes = true;
  const UsualViews views{0, "the usual order of NumPy's arrays of projections"};
  const ArrayCustom custom{views, open_numpy, format.magic};
  format.read = [custom](const ImportRequest& request) {
    if (is_folder(request.path) && !request.axes.empty())
      throw UsageError("is a folder of arrays, whose frames are of rows and columns", request.path,
                       "leave out the order of axes (--axes)");
    return is_folder(request.path)
               ? read_frames(request, extensions, reader_of_frames(frames_of_numpy, format_key))
               : scan_of_arrays(open_numpy(request.path), request, custom);
  };
  format.frames = [](const FramesBeside& beside) { return frames_of_numpy(beside.path); };
  return format;
}

}  // namespace gantry
