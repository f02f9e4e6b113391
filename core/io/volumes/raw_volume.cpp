#include "core/io/volumes/raw_volume.hpp"

#include "core/base/error.hpp"
#include "core/io/files/atomic_pair.hpp"
#include "core/io/volumes/metaimage_header.hpp"

#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

LoadedVolume read_raw_volume(const std::string& path, const MetaImageOptions& options) {
  const std::string header = fs::path(path).replace_extension(".mhd").string();
  std::error_code error;
  const bool there = fs::exists(path, error), headed = fs::exists(header, error);
  // After a writer was killed the header may name the unique name of the pair.
  const std::string data = headed ? read_meta_header(header).data_file : std::string{};
  if (headed && is_unique_name_of(data, path)) return read_metaimage(header, options);
  if (!there) throw InputError("there is no such file", path, "check the path");
  if (!headed)
    throw InputError("a raw file does not say its size and type", path,
                     "put a MetaImage header beside it, " + header);
  if (!fs::equivalent(data, path, error))
    throw InputError("describes another file than " + path, header + ": ElementDataFile",
                     "correct it, or open the header itself");
  return read_metaimage(header, options);
}

void write_raw_volume(const std::string& path, const VolumeGrid& grid, std::span<const float> mu,
                      const MetaImageOptions& options) {
  if (fs::path(path).extension() != ".raw")
    throw UsageError("is not a name for a raw volume", path, "name it NAME.raw");
  write_metaimage(fs::path(path).replace_extension(".mhd").string(), grid, mu, options);
}

}  // namespace gantry
