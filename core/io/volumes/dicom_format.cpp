#include "core/io/volumes/dicom_format.hpp"

#include "core/base/params.hpp"
#include "core/io/dicom/file/dicom_start.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"
#include "core/io/files/file_format.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace gantry {

namespace {

LoadedVolume read(const std::string& path, const VolumeReadOptions& options) {
  DicomLoadOptions dicom;
  dicom.mu_water = options.mu_water;
  dicom.series = options.series;
  dicom.uneven = options.uneven;
  if (options.interrupt != nullptr)
    dicom.progress = [&interrupt = *options.interrupt](int, int) { interrupt.check(); };
  return load_dicom(path, dicom);
}

void write(const std::string& folder, const VolumeToWrite& volume) {
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
  request.access = volume.access;
  request.deidentify = volume.deidentify;
  request.overwrite = true;  // replaces nothing but a series that this program wrote
  write_dicom_series(folder, request);
}

/// Returns the files of a folder and those below it that begin as DICOM files do.
std::vector<std::string> files_of_series(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator
           at(folder, fs::directory_options::skip_permission_denied, error),
       end;
       !error && at != end; at.increment(error)) {
    std::error_code of_file;
    const std::string path = at->path().string();
    if (at->is_regular_file(of_file) && dicom_certainty(file_start(path)) != Certainty::none)
      files.push_back(path);
  }
  return files;
}

}  // namespace

VolumeFormat dicom_format() {
  VolumeFormat format;
  format.key = "dicom";
  format.label = "DICOM";
  format.extensions = {".dcm"};
  format.whole_names = {"DICOMDIR"};
  format.is_folder = true;
  format.magic = [](std::string_view start) {  // projections are no volume
    return begins_ct_pd(start) ? Certainty::none : dicom_certainty(start);
  };
  format.holds_hu = format.is_of_patients = format.holds_series = true;
  if (!has_dicom()) return format;
  format.read = read;
  format.data_paths = files_of_series;
  format.write = write;
  format.require_writable = [](const std::string& path) { require_writable_dicom(path, true); };
  return format;
}

}  // namespace gantry
