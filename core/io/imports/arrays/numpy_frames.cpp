#include "core/io/imports/arrays/numpy_frames.hpp"

#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/imports/arrays/array_scan.hpp"

#include <algorithm>

namespace gantry {

ImportFormat numpy_frames_format() {
  ImportFormat format;
  format.key = "numpy_frames";
  format.label = "NumPy arrays";
  format.extensions = {".npy", ".npz"};
  format.magic = [](std::string_view start) {
    return std::max(npy_certainty(start), npz_certainty(start));
  };
  const ArrayCustom custom{0, "the usual order of NumPy's arrays of projections", open_numpy,
                           format.magic};
  format.has_open_images = true;
  format.read = [custom](const ImportRequest& request) {
    return scan_of_arrays(open_numpy(request.path), request, custom);
  };
  return format;
}

}  // namespace gantry
