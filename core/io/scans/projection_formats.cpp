// One line per format of projections.
#include "core/io/scans/projection_formats.hpp"

#include "core/io/scans/gantry_scan.hpp"

namespace gantry {

const FormatRegistry<ProjectionFormat>& projection_formats() {
  static const FormatRegistry<ProjectionFormat> formats = [] {
    FormatRegistry<ProjectionFormat> all{"projection format"};
    all.add(gantry_scan_format());
    return all;
  }();
  return formats;
}

}  // namespace gantry
