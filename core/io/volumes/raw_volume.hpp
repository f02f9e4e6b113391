#pragma once

#include "core/io/volumes/metaimage.hpp"
#include "core/io/volumes/volume_format.hpp"

#include <span>
#include <string>

namespace gantry {

/// Reads NAME.raw. The header NAME.mhd beside it gives size and type. Throws InputError if there is
/// no such header or if it names another file; otherwise throws like read_metaimage.
LoadedVolume read_raw_volume(const std::string& path, const MetaImageOptions& options = {});

/// Writes NAME.raw, float32 little-endian [iz][iy][ix], and NAME.mhd. Throws like write_metaimage.
void write_raw_volume(const std::string& path, const VolumeGrid& grid, std::span<const float> mu,
                      const MetaImageOptions& options = {});

/// Returns the format of raw files, which a MetaImage header beside them describes.
VolumeFormat raw_volume_format();

}  // namespace gantry
