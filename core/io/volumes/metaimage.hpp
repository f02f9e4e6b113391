#pragma once

#include "core/base/interrupt.hpp"
#include "core/data/loaded_volume.hpp"
#include "core/io/files/atomic_file.hpp"

#include <span>
#include <string>

namespace gantry {

/// The meaning of the numbers in a MetaImage file whose comment does not state it, and the
/// access to new files.
struct MetaImageOptions {
  bool hu = false;                        ///< HU instead of 1/mm
  bool has_unit = true;                   ///< of new files; false: their comment says so
  double mu_water = default_mu_water;     ///< 1/mm, for conversion between HU and 1/mm
  FileAccess access = FileAccess::usual;  ///< of new files
  bool lengths_are_known = true;          ///< of new files; false: their comment says so
  const Interrupt* interrupt = nullptr;   ///< ends the reading by Interrupted; may be null
};

/// Returns the options for a file with this comment: one that states HU with the attenuation of
/// water, as Gantry writes it, holds HU of that water.
MetaImageOptions as_stated(const std::string& comment, MetaImageOptions options);

/// Reads a MetaImage volume, .mha or .mhd with its data file: every scalar element type, both byte
/// orders, zlib compression, 2 or 3 dimensions. Axes that the TransformMatrix reverses or exchanges
/// are put in order; an oblique matrix is ignored; without an Offset the volume is centred; values
/// that are not finite become air. The notes of the result state all of this. Data that are cut
/// short, damaged, or more than the header says are refused.
/// Throws InputError naming file, field and what to do.
LoadedVolume read_metaimage(const std::string& path, const MetaImageOptions& options = {});

/// Writes mu [iz][iy][ix], 1/mm, as a float32 MetaImage, completely or not at all: NAME.mha, or
/// NAME.mhd with NAME.raw, whose length and CRC-32 the header states. Throws OutputError, and
/// UsageError for another extension (upper case is allowed).
void write_metaimage(const std::string& path, const VolumeGrid& grid, std::span<const float> mu,
                     const MetaImageOptions& options = {});

/// Writes mu like write_metaimage(), to a header and a data file of these names. Throws like
/// write_metaimage().
void write_metaimage_pair(const std::string& header, const std::string& data,
                          const VolumeGrid& grid, std::span<const float> mu,
                          const MetaImageOptions& options = {});

/// Returns NAME.raw for the header NAME.mhd.
std::string metaimage_data_path(const std::string& header);

}  // namespace gantry
