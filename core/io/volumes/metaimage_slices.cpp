#include "core/io/volumes/metaimage_slices.hpp"

#include "core/io/volumes/metaimage_layout.hpp"
#include "core/io/volumes/stored_volume.hpp"

namespace gantry {

std::optional<VolumeSlices> open_metaimage_slices(const std::string& path,
                                                  const MetaImageOptions& given) {
  const MetaHeader header = read_meta_header(path);
  const MetaImageOptions options = as_stated(header.comment, given);
  StoredVolume stored;
  static_cast<VolumeAxes&>(stored) = header;
  stored.numbers = header.numbers;
  stored.parts = data_extent(header).parts;
  stored.encoding = header.is_text      ? ValueEncoding::text
                    : header.compressed ? ValueEncoding::deflated
                                        : ValueEncoding::raw;
  return stored_slices_of(stored, path, options.hu, options.mu_water);
}

}  // namespace gantry
