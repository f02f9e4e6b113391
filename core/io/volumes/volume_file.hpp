#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"
#include "core/io/dicom/writer/derivation_code.hpp"
#include "core/io/files/atomic_file.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

struct VolumeReadOptions {
  bool values_are_hu = false;  ///< for files that do not state their unit; DICOM always holds HU
  double mu_water = default_mu_water;  ///< 1/mm
  std::string series =
      {};  ///< number (from 1) or UID of a DICOM series, where a folder holds several
  UnevenSlices uneven = UnevenSlices::refuse;  ///< for a DICOM series
};

/// Reads a volume: a folder or file of a DICOM CT series, MetaImage (.mha, .mhd), or .raw with a
/// .mhd header beside it. Throws InputError (what is wrong, where, what to do), and UsageError for
/// a mu_water that is not positive and finite.
LoadedVolume load_volume(const std::string& path, const VolumeReadOptions& options = {});

/// Returns the number of slices that the header of a MetaImage file states, without reading the
/// voxels; 0 for other files. Throws InputError.
int stored_slices(const std::string& path);

/// A volume to write, with its description.
struct VolumeToWrite {
  VolumeGrid grid;
  std::span<const float> mu;           ///< 1/mm
  double mu_water = default_mu_water;  ///< 1/mm, used if HU are written
  bool as_hu = false;                  ///< MetaImage: write HU instead of 1/mm
  std::optional<PatientFrame> frame;
  std::shared_ptr<const DicomStudy> study;
  std::string series_description;                      ///< DICOM: "Gantry SART"
  std::string derivation;                              ///< DICOM: algorithm and parameters in words
  std::optional<DerivationCode> derivation_code = {};  ///< DICOM: the derivation as a coded term
  double slice_thickness_mm = 0;                       ///< DICOM, mm; 0: the distance of the slices
  std::string software_version;                        ///< DICOM
  FileAccess access = FileAccess::usual;  ///< of new files; `owner` if there is a study
};

/// Writes a volume, completely or not at all, in the format that the path implies: .mha or .mhd
/// (with .raw beside it) as MetaImage, .raw as raw data with a .mhd header beside it, a path
/// without an extension as a folder with a DICOM series. If the volume comes from images of a
/// patient (`study`), only the owner may read new files. Throws OutputError, and UsageError for any
/// other extension.
void write_volume(const std::string& path, const VolumeToWrite& volume);

/// Returns the access for files that are made from the volume at this path: `owner` for DICOM,
/// since it comes from patients; else the access to its header and its data.
FileAccess access_for_volume(const std::string& path);

/// Returns the name of the source of a volume, without its folder, which may name a patient:
/// "head.mha", or the description of a DICOM series.
std::string source_name(const LoadedVolume& volume);

/// Returns whether write_volume would store HU, which DICOM always does.
bool writes_hu(const std::string& path, const VolumeToWrite& volume);

/// Returns the files, or the folder, that write_volume would write. Throws UsageError like
/// write_volume.
std::vector<std::string> files_of_volume(const std::string& path);

/// Returns the path of the values of a MetaImage or raw volume; empty for other files, or if the
/// header cannot be read.
std::string data_path_in_volume(const std::string& path);

/// Throws, as write_volume would, if the volume could not be written; changes nothing. Meant to be
/// called before a long run.
void require_writable_volume(const std::string& path);

/// The content of a file or folder, as far as its name and first bytes tell.
enum class FileKind { scan, experiment, volume };
/// Returns the content of a path; everything that is no JSON file counts as a volume. Throws
/// InputError if the path does not exist or is neither a file nor a folder.
FileKind identify_file(const std::string& path);

}  // namespace gantry
