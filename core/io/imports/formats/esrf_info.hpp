#pragma once

#include "core/io/imports/file_frames.hpp"

#include <string>
#include <vector>

namespace gantry {

/// What the file NAME.info says that the acquisition of ESRF (SPEC, fasttomo) writes beside the
/// projections of a folder.
struct EsrfInfo {
  StatedFrames frames;     ///< TOMO_N and ScanRange
  double pixel_mm = 0;     ///< PixelSize, which is in um; 0: not stated
  int summed_darks = 0;    ///< DARK_N, the count of darks of which darkend0000.edf is the sum
  double energy_kev = 0;   ///< 0: not stated
  double distance_mm = 0;  ///< from the object to the detector; 0: not stated
};

/// Returns what the only file with the ending .info in a folder says, or the one that is called as
/// the folder; nothing where there is none, or more. Throws InputError for numbers that are none.
EsrfInfo read_esrf_info(const std::string& folder);

/// Takes what it says of a scan that was read: the size of a cell where the frames do not state it,
/// and darks that are sums, which are divided, or left out where there are others, with a note.
void take_esrf_info(const EsrfInfo& info, RawScan& scan);

}  // namespace gantry
