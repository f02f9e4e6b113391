#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/import_scan.hpp"

#include <memory>

namespace gantry {

/// Returns the data set of a file that CIL's NEXUSDataWriter wrote; null for other files.
const Hdf5Dataset* data_of_cil(const Hdf5File& file);

/// Opens projections of CIL (AcquisitionData). Their axes are those that the attributes dim0, dim1
/// and so on name. Source, detector and axis of rotation are those of the group config, in mm; the
/// object turns by CIL's angles, so that source and detector turn by minus these. Sets `axes`.
/// Throws InputError: a volume (ImageData), several channels, a geometry that is not whole.
RawScan cil_scan(const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& data,
                 const ImportRequest& request, FrameAxes& axes);

}  // namespace gantry
