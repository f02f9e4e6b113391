#include "core/io/volumes/raw_volume.hpp"

#include "core/base/error.hpp"
#include "core/io/files/atomic_pair.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/volumes/metaimage_formats.hpp"
#include "core/io/volumes/metaimage_header.hpp"
#include "core/io/volumes/metaimage_slices.hpp"

#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Returns the path of the header of NAME.raw: NAME.mhd, or NAME.MHD if only that exists.
std::string header_of(const std::string& path) {
  const std::string header = fs::path(path).replace_extension(".mhd").string();
  const std::string upper = fs::path(path).replace_extension(".MHD").string();
  std::error_code error;
  return !fs::exists(header, error) && fs::exists(upper, error) ? upper : header;
}

/// Returns the path of the header that describes a raw file. Throws InputError if there is none.
std::string checked_header_of(const std::string& path) {
  const std::string header = header_of(path);
  std::error_code error;
  const bool there = fs::exists(path, error), headed = fs::exists(header, error);
  // After a writer was killed the header may name the unique name of the pair.
  const std::string data = headed ? read_meta_header(header).data_file : std::string{};
  if (headed && is_unique_name_of(data, path)) return header;
  if (!there) throw InputError("there is no such file", path, "check the path");
  if (!headed)
    throw InputError("a raw file does not say its size and type", path,
                     "put a MetaImage header beside it, " + header);
  if (!fs::equivalent(data, path, error))
    throw InputError("describes another file than " + path, header + ": ElementDataFile",
                     "correct it, or open the header itself");
  return header;
}

}  // namespace

LoadedVolume read_raw_volume(const std::string& path, const MetaImageOptions& options) {
  return read_metaimage(checked_header_of(path), options);
}

void write_raw_volume(const std::string& path, const VolumeGrid& grid, std::span<const float> mu,
                      const MetaImageOptions& options) {
  if (!has_extension(path, ".raw"))
    throw UsageError("is not a name for a raw volume", path, "name it NAME.raw");
  write_metaimage_pair(header_of(path), path, grid, mu, options);
}

VolumeFormat raw_volume_format() {
  VolumeFormat format;
  format.key = "raw";
  format.label = "Raw data and MetaImage header";
  format.extensions = {".raw"};
  format.read = [](const std::string& path, const VolumeReadOptions& options) {
    return read_raw_volume(path, metaimage_options(options));
  };
  format.open_slices = [](const std::string& path, const VolumeReadOptions& options) {
    return open_metaimage_slices(checked_header_of(path), metaimage_options(options));
  };
  format.write = [](const std::string& path, const VolumeToWrite& volume) {
    write_raw_volume(path, volume.grid, volume.mu, metaimage_options(volume));
  };
  format.files = [](const std::string& path) {
    return std::vector<std::string>{header_of(path), path};
  };
  format.require_writable = [](const std::string& path) {
    require_writable_metaimage_pair(header_of(path), path);
  };
  format.data_paths = [](const std::string& path) {
    return data_files_of(read_meta_header(header_of(path)));
  };
  return format;
}

}  // namespace gantry
