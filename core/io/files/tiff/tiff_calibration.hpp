#pragma once

#include "core/io/files/tiff/tiff_page.hpp"

#include <map>
#include <optional>
#include <string>

namespace gantry {

/// Lines "key=value" of the description of a TIFF file, as ImageJ writes them; of an OME-TIFF the
/// attributes PhysicalSizeX, PhysicalSizeXUnit and those of Y and Z of its first element Pixels,
/// with its numbers of channels, slices and times (SizeC, SizeZ, SizeT) and their DimensionOrder.
using TiffDescription = std::map<std::string, std::string>;

/// Returns what a description says.
TiffDescription description_in(const std::string& text);

/// Returns the size of a pixel along "X" or "Y", or the distance of slices along "Z", that OME
/// states, mm; 0: none, or in a unit that is no length.
double physical_size_mm(const TiffDescription& description, const std::string& axis);

/// Returns the unit of length that ImageJ's description states, mm; 0: none that is known.
double described_unit_mm(const TiffDescription& description);

/// Returns the length of a unit of resolution in mm; 0 where the file states none.
double resolution_unit_mm(TiffUnit of_resolution, const TiffDescription& description);

/// The size of a pixel, mm; 0: not stated.
struct TiffPixel {
  double width_mm = 0, height_mm = 0;
  bool is_of_ome = false;
  std::string doubt;  ///< "states 300 pixels an inch, ..."; empty: none
};

/// Returns the size of a pixel as far as it is one of the detector: that of OME, or by ImageJ's
/// unit. Pixels an inch, and those a centimetre without ImageJ's unit, may be a resolution of
/// printing, and are left out, with a doubt unless they are one that programs write without being
/// asked.
TiffPixel measured_pixel(const TiffResolution& resolution, const TiffDescription& description);

}  // namespace gantry
