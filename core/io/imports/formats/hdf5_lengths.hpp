#pragma once

#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <cstdint>
#include <span>

namespace gantry {

/// Takes what a file states, with a unit, of lengths: the size of a cell (x_pixel_size and
/// y_pixel_size, or pixel_size_x), and, as NXsource and NXdetector do, how far source and detector
/// are from the object (source/distance, negative upstream, and detector/distance). Of several, the
/// one whose path has most in common with that of the frames counts.
void take_lengths(const Hdf5File& file, const Hdf5Dataset& frames, RawScan& scan);

/// Notes the translations of the object (x_translation and so on, a number for each frame) that
/// change over these frames, the projections: they are not applied.
void note_translations(const Hdf5File& file, const Hdf5Dataset& frames,
                       std::span<const std::uint64_t> projections, RawScan& scan);

}  // namespace gantry
