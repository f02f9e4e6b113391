#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// A scan of the walnuts of CWI (H. Der Sarkissian and others, Sci. Data 6, 215, 2019), told by the
/// names of its files: a folder tubeV1 with scan_000000.tif and so on, di000000.tif, io000000.tif
/// and the vectors of ASTRA in scan_geom_corrected.geom. As the scripts of the data set have it,
/// images are turned clockwise by a quarter of a turn, and the last one belongs to the first
/// vectors, unless the request says how images are turned.
ImportFormat walnut_scan_format();

}  // namespace gantry
