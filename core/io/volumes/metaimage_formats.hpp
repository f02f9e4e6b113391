#pragma once

#include "core/io/volumes/metaimage.hpp"
#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Return the formats of MetaImage files: header and values in one file, and a header beside a file
/// of values.
VolumeFormat metaimage_format();
VolumeFormat metaimage_pair_format();

/// Returns what reader and writer of MetaImage files take of the options of a volume.
MetaImageOptions metaimage_options(const VolumeReadOptions& options);
MetaImageOptions metaimage_options(const VolumeToWrite& volume);

/// Throws, as write_metaimage_pair() would, if the files could not be written.
void require_writable_metaimage_pair(const std::string& header, const std::string& data);

}  // namespace gantry
