#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gantry {

/// Returns frames of a data set of three dimensions, those of rising indices. Throws InputError: it
/// holds no frames, or the file is too small for so many of them.
std::shared_ptr<const FrameSource> chosen_data_set_frames(
    const std::shared_ptr<const Hdf5File>& file, const Hdf5Dataset& dataset,
    std::vector<std::uint64_t> indices);

}  // namespace gantry
