#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/files/atomic_file.hpp"

#include <span>
#include <string>

namespace gantry {

/// What the numbers of a MetaImage file stand for; the format itself does not say.
struct MetaImageOptions {
  bool hu = false;                        ///< HU instead of 1/mm
  double mu_water = default_mu_water;     ///< 1/mm, where HU and 1/mm are converted
  FileAccess access = FileAccess::usual;  ///< of new files
};

/// Reads a MetaImage volume, .mha or .mhd with its data file: every scalar element type, both byte
/// orders, zlib compression, 2 or 3 dimensions. Axes that run backwards or are exchanged by the
/// TransformMatrix are put in order; an oblique one is left out; without an Offset the volume is
/// centred; values that are not finite become air. All of this is said in the notes.
/// Data that are not just as many as the header says, cut, surplus or damaged, are refused.
/// Throws InputError naming file, field and what to do; UsageError for mu_water.
LoadedVolume read_metaimage(const std::string& path, const MetaImageOptions& options = {});

/// Writes float32 MetaImage: NAME.mha, or NAME.mhd with NAME.raw, whose length and CRC-32 it says;
/// whole or not at all.
/// mu [iz][iy][ix] in 1/mm. Throws OutputError; UsageError for another ending or mu_water;
/// ShapeError for values that are not the grid's number.
void write_metaimage(const std::string& path, const VolumeGrid& grid, std::span<const float> mu,
                     const MetaImageOptions& options = {});

}  // namespace gantry
