#pragma once

#include "core/base/interrupt.hpp"
#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"
#include "core/io/dicom/writer/derivation_code.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/files/file_format.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

struct VolumeReadOptions {
  bool values_are_hu = false;  ///< for files that do not state their unit; DICOM always holds HU
  double mu_water = default_mu_water;  ///< 1/mm; for HU of files that do not state it
  std::string series =
      {};  ///< number (from 1) or UID of a DICOM series, where a folder holds several
  UnevenSlices uneven = UnevenSlices::refuse;  ///< for a DICOM series
  Params params = {};                          ///< FileFormat::options of the file's format
  const Interrupt* interrupt = nullptr;        ///< ends the reading by Interrupted; may be null
  std::optional<Vec3> voxel_mm = {};           ///< size of voxels, for files that do not state it
};

/// A volume to write, with its description.
struct VolumeToWrite {
  VolumeGrid grid;
  std::span<const float> mu;           ///< 1/mm
  double mu_water = default_mu_water;  ///< 1/mm, used if HU are written
  bool as_hu = false;                  ///< write HU instead of 1/mm, where the format allows both
  bool has_unit = true;  ///< false: `mu` are numbers without a unit, such as an edge field
  /// false: mm are cells of unknown size, which MetaImage, NRRD, NIfTI and TIFF files then say.
  bool lengths_are_known = true;
  std::optional<PatientFrame> frame;
  bool is_in_patient = false;  ///< the grid lies in the coordinates of the patient (LPS)
  std::shared_ptr<const DicomStudy> study;
  std::string series_description;                      ///< DICOM: "Gantry SART"
  std::string derivation;                              ///< DICOM: algorithm and parameters in words
  std::optional<DerivationCode> derivation_code = {};  ///< DICOM: the derivation as a coded term
  double slice_thickness_mm = 0;                       ///< DICOM, mm; 0: the distance of the slices
  std::string software_version;                        ///< DICOM
  bool deidentify = false;  ///< DICOM: without what identifies the patient (PS3.15, annex E)
  FileAccess access = FileAccess::usual;  ///< of new files; `owner` if there is a study
  Params params = {};                     ///< FileFormat::options of the file's format
};

/// The axial slices of a volume in a file, each of which can be read without the others.
struct VolumeSlices {
  VolumeGrid grid;  ///< of the whole volume
  /// Returns a slice, 1/mm, [iy][ix]; values that are not finite become air. Throws InputError when
  /// the file has changed meanwhile. May be called on any thread.
  std::function<std::vector<float>(int iz)> read;
};

/// A file format of volumes. The functions take paths that the format recognises; each may be
/// empty, and then has the meaning that its comment gives. volume_file.hpp calls them, and checks
/// grids, the number of values and the attenuation of water for all of them.
struct VolumeFormat : FileFormat {
  /// Reads a volume. Throws InputError (what is wrong, where, what to do), and UsageError for wrong
  /// options. Empty: the format cannot be read.
  std::function<LoadedVolume(const std::string& path, const VolumeReadOptions&)> read = {};
  /// Writes a volume, completely or not at all. Throws OutputError, UsageError for wrong options or
  /// a name that the format cannot hold. Empty: the format cannot be written.
  std::function<void(const std::string& path, const VolumeToWrite&)> write = {};
  /// Returns the files, or the folder, that `write` makes. Empty: `path` alone.
  std::function<std::vector<std::string>(const std::string& path)> files = {};
  /// Throws, as `write` would, if the volume could not be written; changes nothing. Empty: `files`
  /// are one file, which is probed.
  std::function<void(const std::string& path)> require_writable = {};
  /// Returns the files that hold the values, of which there may be one for each slice. Throws
  /// InputError. Empty: `path` itself.
  std::function<std::vector<std::string>(const std::string& path)> data_paths = {};
  /// Returns the number of slices without reading the voxels. Throws InputError. Empty: not known.
  std::function<int(const std::string& path)> slices = {};
  /// Returns the slices of a file; nothing where single slices cannot be read, as from compressed
  /// values. Throws InputError. Empty: single slices can never be read.
  std::function<std::optional<VolumeSlices>(const std::string& path, const VolumeReadOptions&)>
      open_slices = {};
  bool states_place = true;   ///< files state size and place of the voxels, not values alone
  bool holds_hu = false;      ///< the values are always HU
  bool holds_series = false;  ///< a file or folder may hold several series (list_dicom_series())
};

}  // namespace gantry
