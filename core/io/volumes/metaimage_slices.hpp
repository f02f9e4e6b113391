#pragma once

#include "core/io/volumes/metaimage.hpp"
#include "core/io/volumes/stored_volume.hpp"
#include "core/io/volumes/volume_format.hpp"

#include <optional>
#include <string>

namespace gantry {

/// Returns where the values of a MetaImage file lie, without reading them. Throws InputError.
StoredVolume stored_metaimage(const std::string& path);

/// Opens a MetaImage file for reading single slices; nothing if its values are compressed or its
/// slowest axis is not z. Throws as read_metaimage() does for a wrong header and for data that are
/// cut short.
std::optional<VolumeSlices> open_metaimage_slices(const std::string& path,
                                                  const MetaImageOptions& options);

}  // namespace gantry
