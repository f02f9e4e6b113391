#include "core/io/volumes/metaimage_slices.hpp"

#include "core/io/volumes/metaimage_layout.hpp"

namespace gantry {

namespace {

StoredVolume stored_by(const MetaHeader& header) {
  StoredVolume stored;
  static_cast<VolumeAxes&>(stored) = header;
  stored.numbers = header.numbers;
  stored.parts = data_extent(header).parts;
  stored.encoding = header.is_text      ? ValueEncoding::text
                    : header.compressed ? ValueEncoding::deflated
                                        : ValueEncoding::raw;
  stored.notes = header.notes;
  return stored;
}

}  // namespace

StoredVolume stored_metaimage(const std::string& path) { return stored_by(read_meta_header(path)); }

std::optional<VolumeSlices> open_metaimage_slices(const std::string& path,
                                                  const MetaImageOptions& given) {
  const MetaHeader header = read_meta_header(path);
  const MetaImageOptions options = as_stated(header.comment, given);
  return stored_slices_of(stored_by(header), path, options.hu, options.mu_water);
}

}  // namespace gantry
