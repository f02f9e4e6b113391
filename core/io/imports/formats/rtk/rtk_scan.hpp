#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// Projections in an image of ITK, as open_itk_projections() takes them. What they show is judged
/// as that of other frames: counts, or line integrals.
ImportFormat itk_projections_format();

/// RTK's standard output: geometry.xml (rtk_geometry_format()) beside such an image of as many
/// views. Of several images the one counts whose name begins with "proj". An image of this name may
/// also have one view less, where the last one of the geometry only closes the turn: that is left
/// out, with a note. One of this name that has another number of views is refused. A geometry
/// without any such image has not this format.
ImportFormat rtk_scan_format();

}  // namespace gantry
