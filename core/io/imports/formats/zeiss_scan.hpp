#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// Projections of Zeiss (Xradia) microscopes, .txrm and .xrm: compound files with the images, the
/// flat image, angles, distances, and the shifts of the detector or the object, view by view. The
/// meaning of the streams is that of other open readers (dxchange, CIL, txrm2tiff).
ImportFormat zeiss_scan_format();

}  // namespace gantry
