#include "core/io/imports/arrays/numpy_frames.hpp"

#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/arrays/array_scan.hpp"
#include "core/io/imports/beside_frames.hpp"
#include "core/io/imports/folders/frame_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gantry {

namespace {

constexpr const char* format_key = "numpy_frames";
const std::vector<std::string> extensions = {".npy", ".npz"};

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

/// Returns the only file of a folder that holds arrays, where that may hold several (.npz), as the
/// scan may be all that is in a folder; else nothing.
std::string only_npz(const std::string& folder) {
  std::string found;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(folder, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string extension = lower_case(at->path().extension().string());
    if (std::ranges::find(extensions, extension) == extensions.end()) continue;
    if (extension != ".npz" || !found.empty()) return {};
    found = at->path().string();
  }
  return found;
}

std::shared_ptr<const FrameSource> frames_of_numpy(const std::string& path) {
  return frames_of_only_array(open_numpy(path), path, 0);
}

}  // namespace

ImportFormat numpy_frames_format() {
  ImportFormat format = format_of_images(format_key, "NumPy arrays", extensions);
  format.judge_folder = [](const std::string& folder) {
    return !only_npz(folder).empty() || holds_series(folder, extensions) ? Certainty::named
                                                                         : Certainty::none;
  };
  format.magic = [](std::string_view start) {
    return std::max(npy_certainty(start), npz_certainty(start));
  };
  format.has_open_axes = true;
  const UsualViews views{0, "the usual order of NumPy's arrays of projections"};
  const ArrayCustom custom{views, open_numpy, format.magic};
  format.read = [custom](const ImportRequest& asked) {
    ImportRequest request = asked;
    if (is_folder(asked.path))
      if (std::string npz = only_npz(asked.path); !npz.empty()) request.path = std::move(npz);
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
