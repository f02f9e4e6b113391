#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// HDF5 as projections:
///   NXtomo (NeXus)   a data set of three dimensions with an "image_key" of the same length in the
///                    file: 0 projections, 1 flats, 2 darks; "rotation_angle"
///   DataExchange     /exchange/data, data_white, data_dark, theta
///   ALS 8.3.2        until 2020: a data set for each image (als_scan.hpp)
///   others           the data sets that the request names; without a name of the projections the
///                    only one of three dimensions
/// Flats and darks of the request, in this or other HDF5 files or in TIFF, take the place of those.
/// Frames are read one at a time. Links into other files are followed; what they miss is named.
ImportFormat hdf5_frames_format();

}  // namespace gantry
