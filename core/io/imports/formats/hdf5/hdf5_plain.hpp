#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/import_scan.hpp"

#include <memory>

namespace gantry {

/// Returns the flats or darks in a data set, beside projections with these axes, as axes_beside().
std::shared_ptr<const FrameSource> frames_beside(const std::shared_ptr<const Hdf5File>& file,
                                                 const Hdf5Dataset& data, const FrameAxes& axes,
                                                 RawScan& scan);

/// Opens the flats or darks in a file of HDF5 beside projections of another format, as
/// take_given_frames() does. Throws InputError.
std::shared_ptr<const FrameSource> hdf5_frames_of(const FramesBeside& beside);

/// Returns the scan in a data set that no convention describes, and its `axes`, those of
/// axes_of_projections(). Flats, darks and angles are the data sets in the same group whose
/// names say it, where the request does not give others; what was taken is said. Throws InputError.
RawScan plain_hdf5(const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& data,
                   const ImportRequest& request, FrameAxes& axes);

/// Takes the flats and darks that the request gives in place of those of the scan: files of HDF5 or
/// of another format that holds frames alone, and data sets in them or in `file`, that of the
/// projections, which have these axes. A data set that the request does not name is the one that
/// DataExchange or NXtomo has for flats or darks, or those that ESRF's programs have reduced
/// (hdf5_reduced.hpp), else the only one in three dimensions. Throws InputError.
void take_given_frames(RawScan& scan, const std::shared_ptr<const Hdf5File>& file,
                       const Hdf5Dataset& projections, const FrameAxes& axes,
                       const ImportRequest& request);

}  // namespace gantry
