#include "core/io/volumes/volume_file.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/atomic_pair.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/volumes/metaimage.hpp"
#include "core/io/volumes/metaimage_header.hpp"
#include "core/io/volumes/raw_volume.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace gantry {

namespace {

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

bool is_metaimage(const std::string& extension) {
  return extension == ".mha" || extension == ".mhd";
}

/// Returns the first bytes of a file; empty if it cannot be read.
std::string beginning_of(const std::string& path) {
  std::string bytes(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

/// Returns whether write_volume writes DICOM to this path. Throws UsageError for an extension that
/// stands for no format.
bool written_as_dicom(const std::string& path) {
  if (path.empty())
    throw UsageError("no file name is given", "volume",
                     "name a .mha, .mhd or .raw file, or a folder for DICOM");
  const std::string extension = std::filesystem::path(path).extension().string();
  const bool dicom = extension.empty() || std::filesystem::is_directory(path);
  if (!dicom && !is_metaimage(extension) && extension != ".raw")
    throw UsageError("the extension " + extension + " is not known", path,
                     "use .mha, .mhd, .raw, or a folder name for DICOM");
  return dicom;
}

}  // namespace

LoadedVolume load_volume(const std::string& path, const VolumeReadOptions& options) {
  const std::string extension = extension_of(path);
  if (is_metaimage(extension))
    return read_metaimage(path, {.hu = options.values_are_hu, .mu_water = options.mu_water});
  if (extension == ".raw")
    return read_raw_volume(path, {.hu = options.values_are_hu, .mu_water = options.mu_water});
  DicomLoadOptions dicom;
  dicom.mu_water = options.mu_water;
  dicom.series = options.series;
  dicom.uneven = options.uneven;
  return load_dicom(path, dicom);
}

int stored_slices(const std::string& path) {
  return is_metaimage(extension_of(path)) ? read_meta_header(path).size[2] : 0;
}

FileAccess access_for_volume(const std::string& path) {
  const std::string extension = extension_of(path);
  const bool dicom = !is_metaimage(extension) && extension != ".raw";
  if (dicom) return FileAccess::owner;
  return stricter(access_of(path), access_of(data_path_in_volume(path)));
}

void require_writable_volume(const std::string& path) {
  if (written_as_dicom(path)) return require_writable_dicom(path, true);
  const std::vector<std::string> files = files_of_volume(path);
  if (files.size() == 1) {
    const AtomicFile probe(files[0]);
    return;
  }
  require_name_for_metaimage(files[1]);
  const AtomicPair probe(files[0], files[1]);
}

std::vector<std::string> files_of_volume(const std::string& path) {
  const std::filesystem::path named(path);
  if (written_as_dicom(path) || named.extension() == ".mha") return {path};
  return {std::filesystem::path(named).replace_extension(".mhd").string(),
          std::filesystem::path(named).replace_extension(".raw").string()};
}

std::string data_path_in_volume(const std::string& path) {
  const std::string extension = extension_of(path);
  if (!is_metaimage(extension) && extension != ".raw") return {};
  const std::filesystem::path named(path);
  try {
    return read_meta_header(extension == ".raw"
                                ? std::filesystem::path(named).replace_extension(".mhd").string()
                                : path)
        .data_file;
  } catch (const InputError&) {  // reading the volume will report the error
    return {};
  }
}

std::string source_name(const LoadedVolume& volume) {
  if (!volume.study) return std::filesystem::path(volume.source).filename().string();
  const auto found = volume.study->attributes.find("SeriesDescription");
  if (found == volume.study->attributes.end()) return "DICOM series";
  return "DICOM series \"" + found->second + "\"";
}

bool writes_hu(const std::string& path, const VolumeToWrite& volume) {
  return volume.as_hu || written_as_dicom(path);
}

void write_volume(const std::string& path, const VolumeToWrite& volume) {
  const std::string extension = extension_of(path);
  const FileAccess access = volume.study ? FileAccess::owner : volume.access;
  if (written_as_dicom(path)) {
    DicomWriteRequest request;
    request.grid = volume.grid;
    request.mu = volume.mu;
    request.mu_water = volume.mu_water;
    request.frame = volume.frame;
    request.study = volume.study;
    request.series_description = volume.series_description;
    request.derivation_description = volume.derivation + (volume.derivation.empty() ? "" : "; ") +
                                     "HU of water at " + format_param(volume.mu_water) + " 1/mm";
    request.software_version = volume.software_version;
    request.derivation_code = volume.derivation_code;
    request.slice_thickness_mm = volume.slice_thickness_mm;
    request.access = access;
    request.overwrite = true;  // replaces nothing but a series that this program wrote
    return write_dicom_series(path, request);
  }
  const MetaImageOptions options{volume.as_hu, volume.mu_water, access};
  if (extension == ".raw")
    write_raw_volume(path, volume.grid, volume.mu, options);
  else
    write_metaimage(path, volume.grid, volume.mu, options);
}

FileKind identify_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw InputError("there is no such file or folder", path, "check the name");
  if (std::filesystem::is_directory(path, error)) return FileKind::volume;
  if (!std::filesystem::is_regular_file(path, error))  // reading from a pipe would wait for ever
    throw InputError("is neither a file nor a folder", path, "choose a file or a folder");
  const std::string extension = extension_of(path);
  if (is_metaimage(extension) || extension == ".raw") return FileKind::volume;
  const std::string start = beginning_of(path);
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");  // with byte order mark
  const bool json = extension == ".json" || (first != std::string::npos && start[first] == '{');
  if (json)
    return start.find("gantry-experiment") != std::string::npos ? FileKind::experiment
                                                                : FileKind::scan;
  return FileKind::volume;  // DICOM files may have any name; their reader reports other files
}

}  // namespace gantry
