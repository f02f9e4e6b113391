#include "core/io/imports/formats/nikon_scan.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/formats/mirrored_frames.hpp"
#include "core/io/imports/formats/nikon_settings.hpp"

#include <utility>

namespace gantry {

namespace {

constexpr const char* mark = "[XTekCT]";

RawScan read_nikon(const ImportRequest& request) {
  NikonSettings settings = read_nikon_settings(request.path);
  // A folder from elsewhere must not read just any file of this machine.
  if (!lies_within(settings.folder, folder_of(request.path)) && !allows_data_outside())
    throw InputError("names projections outside its folder (" + settings.folder + ")", request.path,
                     "move them there, or allow it by GANTRY_ALLOW_OUTSIDE=1");
  OffCircle leaning = std::move(settings.leaning);
  RawScan scan = numbered_tiff_scan(request, std::move(settings));
  scan.off_circle = std::move(leaning);
  scan.assumptions.push_back({"columns", "turned over: the files show the object from behind",
                              "as other readers of Nikon's files take them"});
  for (auto* frames : {&scan.projections, &scan.flats, &scan.darks})
    *frames = MirroredFrames::of(*frames);
  return scan;
}

}  // namespace

ImportFormat nikon_scan_format() {
  ImportFormat format;
  format.key = "nikon_scan";
  format.label = "Nikon scan";
  format.extensions = {".xtekct"};
  format.is_header = true;
  format.magic = [](std::string_view start) {
    return start.find(mark) != std::string_view::npos ? Certainty::certain : Certainty::none;
  };
  format.read = read_nikon;
  return format;
}

}  // namespace gantry
