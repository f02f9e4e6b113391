#include "core/io/volumes/metaimage_formats.hpp"

#include "core/io/files/atomic_pair.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/volumes/metaimage_header.hpp"
#include "core/io/volumes/metaimage_slices.hpp"

#include <optional>

namespace gantry {

namespace {

/// Returns where the values of a MetaImage file are, by its first bytes: true if they follow the
/// header, false if they are in another file, nothing if the bytes are no complete header.
std::optional<bool> values_follow(std::string_view start) {
  bool has_dimensions = false;
  while (!start.empty()) {
    const std::string_view line = start.substr(0, start.find('\n'));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || has_control_characters(line.substr(0, equals)))
      return std::nullopt;
    const std::string_view key = trimmed_blanks(line.substr(0, equals));
    has_dimensions = has_dimensions || key == "NDims";
    if (key == "ElementDataFile" && has_dimensions)
      return lower_case(std::string(trimmed_blanks(line.substr(equals + 1)))) == "local";
    start.remove_prefix(std::min(line.size() + 1, start.size()));
  }
  return std::nullopt;
}

VolumeFormat any_metaimage() {
  VolumeFormat format;
  format.read = [](const std::string& path, const VolumeReadOptions& options) {
    return read_metaimage(path, metaimage_options(options));
  };
  format.write = [](const std::string& path, const VolumeToWrite& volume) {
    write_metaimage(path, volume.grid, volume.mu, metaimage_options(volume));
  };
  format.data_paths = [](const std::string& path) { return data_files_of(read_meta_header(path)); };
  format.open_slices = [](const std::string& path, const VolumeReadOptions& options) {
    return open_metaimage_slices(path, metaimage_options(options));
  };
  format.slices = [](const std::string& path) { return slices_of(read_meta_header(path)); };
  return format;
}

}  // namespace

MetaImageOptions metaimage_options(const VolumeReadOptions& options) {
  return {
      .hu = options.values_are_hu, .mu_water = options.mu_water, .interrupt = options.interrupt};
}

MetaImageOptions metaimage_options(const VolumeToWrite& volume) {
  return {.hu = volume.as_hu,
          .has_unit = volume.has_unit,
          .mu_water = volume.mu_water,
          .access = volume.access,
          .lengths_are_known = volume.lengths_are_known};
}

void require_writable_metaimage_pair(const std::string& header, const std::string& data) {
  require_name_for_metaimage(data);
  const AtomicPair probe(header, data);
}

VolumeFormat metaimage_format() {
  VolumeFormat format = any_metaimage();
  format.key = "metaimage";
  format.label = "MetaImage";
  format.extensions = {".mha"};
  format.magic = [](std::string_view start) {
    return values_follow(start) == true ? Certainty::certain : Certainty::none;
  };
  return format;
}

VolumeFormat metaimage_pair_format() {
  VolumeFormat format = any_metaimage();
  format.key = "metaimage_pair";
  format.label = "MetaImage header and raw data";
  format.extensions = {".mhd"};
  format.magic = [](std::string_view start) {
    return values_follow(start) == false ? Certainty::certain : Certainty::none;
  };
  format.files = [](const std::string& path) {
    return std::vector<std::string>{path, metaimage_data_path(path)};
  };
  format.require_writable = [](const std::string& path) {
    require_writable_metaimage_pair(path, metaimage_data_path(path));
  };
  return format;
}

}  // namespace gantry
