#include "core/io/imports/arrays/matlab_frames.hpp"

#include "core/io/files/arrays/matlab_file.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/arrays/array_scan.hpp"
#include "core/io/imports/arrays/helsinki_scan.hpp"

#include <optional>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t last_axis = 2;

RawScan read_matlab(const ImportRequest& request) {
  const OpenArrays open = [interrupt = request.interrupt](const std::string& path) {
    return open_matlab(path, interrupt);
  };
  const ArrayFile file = open(request.path);
  if (std::optional<RawScan> scan = helsinki_scan(file, request)) return std::move(*scan);
  const UsualViews views{last_axis, "MATLAB's programs mostly keep frames one after the other"};
  return scan_of_arrays(file, request, {views, open, matlab_certainty});
}

}  // namespace

ImportFormat matlab_frames_format() {
  ImportFormat format;
  format.key = "matlab_frames";
  format.label = "MATLAB files";
  format.extensions = {".mat"};
  format.magic = matlab_certainty;
  format.has_open_images = format.has_open_axes = true;
  format.read = read_matlab;
  format.frames = [](const FramesBeside& beside) {
    return frames_of_only_array(open_matlab(beside.path, beside.interrupt), beside.path, last_axis);
  };
  return format;
}

}  // namespace gantry
