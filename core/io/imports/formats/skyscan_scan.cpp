#include "core/io/imports/formats/skyscan_scan.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/formats/skyscan_log.hpp"

#include <filesystem>
#include <utility>

namespace gantry {

namespace {

RawScan read_skyscan(const ImportRequest& request) {
  SkyscanLog log = read_skyscan_log(request.path);
  if (log.is_summary)
    throw InputError(
        "is the log of " + std::to_string(log.parts) + " connected scans, which are not joined",
        request.path,
        "import each part by its own log: " + std::filesystem::path(request.path).stem().string() +
            "~00.log and so on");
  RawScan scan = numbered_tiff_scan(request, std::move(log.settings));
  scan.is_centre_open = true;
  scan.axis_shift = std::move(log.axis_shift);
  return scan;
}

}  // namespace

ImportFormat skyscan_scan_format() {
  ImportFormat format;
  format.key = "skyscan_scan";
  format.label = "SkyScan scan";
  format.extensions = {".log", ".oog"};  // the second of a copy that the machine makes
  format.is_header = true;
  format.end_of_copies = "_rec";  // that NRecon writes
  format.magic = [](std::string_view start) {
    return start.find("[Acquisition]") != std::string_view::npos &&
                   start.find("Object to Source") != std::string_view::npos
               ? Certainty::certain
               : Certainty::none;
  };
  format.read = read_skyscan;
  return format;
}

}  // namespace gantry
