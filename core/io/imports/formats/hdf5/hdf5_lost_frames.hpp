#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/frame_angles.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// Returns the places from 0 to below `all` that are none of some rising ones: "30 to 31, 60".
std::string missing_places(const std::vector<int>& places, int all);

/// Takes which of the projections of DataExchange are missing, with a note that names them, where
/// the acquisition of the Advanced Photon Source (tomoScan) tells it: /defaults/NDArrayUniqueId
/// counts all frames that the camera took, HDF5FrameLocation says into which data set each of those
/// went that were not lost. Places count from the first projection that is there. `angles`: how
/// many the file lists; 0: none.
void take_lost_frames(const Hdf5File& file, const Hdf5Dataset& data, std::uint64_t angles,
                      FrameNumbers& numbers, RawScan& scan);

}  // namespace gantry
