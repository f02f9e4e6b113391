// One line per reader. They are called as the program calls them: by the registries of formats,
// which recognise the bytes themselves.
#include "tests/fuzz/fuzzed_readers.hpp"

#include "core/io/files/containers/hdf5_listing.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/formats/esrf_info.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/logs/tomcat_log.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "studies/report/study_json.hpp"
#include "tests/fuzz/fuzzed_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>

namespace gantry::test {

namespace {

using Bytes = std::span<const std::uint8_t>;

void read_as_scan(const std::string& path, Bytes) {
  read_geometry(path);
  data_path_in_scan(path);
  read_scan(path);
}

/// Of four volumes one is looked at before it is read, as in the window, since that takes three
/// times as long as the reading; which one follows from the bytes.
void read_as_volume(const std::string& path, Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (std::hash<std::string_view>()(text) / 32 % 4 == 0) {
    identify_file(path);
    data_paths_in_volume(path);
    stored_slices(path);
    if (const std::optional<VolumeSlices> slices = open_slices(path))
      slices->read(slices->grid.nz / 2);
  }
  load_volume(path);
}

/// What the files of such a scan leave open is told by the request. The column of the axis lies on
/// every detector, also on one of a single column: a column far outside is the user's mistake
/// (UsageError), whatever the file says.
void read_as_frames(const std::string& path, Bytes) {
  ImportRequest request;
  request.path = path;
  request.assumes_half_turn = true;
  request.source_to_axis_mm = 300;
  request.source_to_detector_mm = 400;
  request.pixel_mm = 0.1;
  request.centre = 0.5;
  is_importable(path);
  import_scan(request);
}

void read_as_stated_scan(const std::string& path, Bytes) {
  ImportRequest request;
  request.path = path;
  is_importable(path);
  import_scan(request);
}

void read_as_geometry(const std::string& path, Bytes) { read_stated_geometry(path, {16, 12, 0.5}); }

/// What gantry-decoder says of an HDF5 file.
void read_as_listing(const std::string&, Bytes bytes) {
  wire::unpack_listing({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void read_as_info(const std::string& path, Bytes) {
  read_esrf_info(std::filesystem::path(path).parent_path().string());
}

void read_as_tomcat_log(const std::string& path, Bytes) {
  read_tomcat_log(std::filesystem::path(path).parent_path().string());
}

void read_as_angles(const std::string& path, Bytes) { read_angle_lines(path); }

void read_as_study(const std::string& path, Bytes bytes) {
  read_study_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

}  // namespace

const std::vector<FuzzedReader>& fuzzed_readers() {
  static const std::vector<FuzzedReader> readers = [] {
    constexpr int text = 4096, binary = 8192;
    std::vector<FuzzedReader> all = {
        {"scan", "s.scan.json", text, read_as_scan},
        {"metaimage", "v.mha", text, read_as_volume},
        {"metaimage_pair", "v.mhd", text, read_as_volume},
        {"nrrd", "v.nrrd", text, read_as_volume},
        {"nrrd_header", "v.nhdr", text, read_as_volume},
        {"nifti", "v.nii", text, read_as_volume},
        {"nifti_pair", "v.hdr", text, read_as_volume},
        {"npy_volume", "v.npy", text, read_as_volume},
        {"tiff_volume", "v.tif", binary, read_as_volume},
        {"tiff_frames", "p.tif", binary, read_as_frames},
        {"numpy_frames", "s.npz", text, read_as_frames},
        {"itk_projections", "p.mha", text, read_as_frames},
        {"hdf5_frames", "s.h5", 16384, read_as_frames, true},
        {"hdf5_listing", "listing", text, read_as_listing},
        {"matlab_frames", "s.mat", binary, read_as_frames},
        {"edf_frames", "s.edf", text, read_as_frames},
        {"esrf_info", "s.info", text, read_as_info},
        {"tomcat_log", "s.log", text, read_as_tomcat_log},
        {"nikon_scan", "s.xtekct", text, read_as_stated_scan},
        {"skyscan_scan", "s.log", text, read_as_stated_scan},
        {"ctsimu_scan", "s.json", text, read_as_stated_scan},
        {"zeiss_scan", "s.txrm", binary, read_as_stated_scan},
        {"rtk_geometry", "g.xml", text, read_as_geometry},
        {"astra_json", "g.json", text, read_as_geometry},
        {"astra_cone", "g.cone_vec.txt", text, read_as_geometry},
        {"astra_fan", "g.fanflat_vec.txt", text, read_as_geometry},
        {"astra_parallel", "g.parallel3d_vec.txt", text, read_as_geometry},
        {"astra_arc", "g.cyl_cone_vec.txt", text, read_as_geometry},
        {"plain_table", "g.txt", text, read_as_geometry},
        {"plain_array", "g.npy", text, read_as_geometry},
        {"leap_parameters", "g.txt", text, read_as_geometry},
        {"projection_matrices", "g.matrices.txt", text, read_as_geometry},
        {"angle_list", "angles.txt", text, read_as_angles},
        {"study_result", "r.json", text, read_as_study},
    };
    for (const auto& part : {fuzzed_dicom_readers(), fuzzed_job_readers()})
      std::ranges::copy(part, std::back_inserter(all));
    return all;
  }();
  return readers;
}

const FuzzedReader* find_fuzzed_reader(const std::string& key) {
  const auto found = std::ranges::find(fuzzed_readers(), key, &FuzzedReader::key);
  return found == fuzzed_readers().end() ? nullptr : &*found;
}

}  // namespace gantry::test
