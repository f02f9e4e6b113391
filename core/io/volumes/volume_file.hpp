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
  bool values_are_hu = false;          ///< of a file that does not say; DICOM always holds HU
  double mu_water = default_mu_water;  ///< 1/mm
  std::string series = {};  ///< number or UID of a DICOM series, where a folder holds several
  UnevenSlices uneven = UnevenSlices::refuse;  ///< of a DICOM series
};

/// Reads any volume that the program knows: a folder or file of a DICOM CT series, MetaImage (.mha,
/// .mhd). Throws InputError: what, where, what to do.
LoadedVolume load_volume(const std::string& path, const VolumeReadOptions& options = {});

/// Slices that a MetaImage file says it has, without reading them; 0 for other files. Throws
/// InputError.
int stored_slices(const std::string& path);

/// A volume to be written, and what is known about it.
struct VolumeToWrite {
  VolumeGrid grid;
  std::span<const float> mu;           ///< 1/mm
  double mu_water = default_mu_water;  ///< used where HU are written
  bool as_hu = false;                  ///< MetaImage: HU instead of 1/mm
  std::optional<PatientFrame> frame;
  std::shared_ptr<const DicomStudy> study;
  std::string series_description;                      ///< DICOM: "Gantry SART"
  std::string derivation;                              ///< DICOM: algorithm and parameters in words
  std::optional<DerivationCode> derivation_code = {};  ///< DICOM: the same as a term
  double slice_thickness_mm = 0;          ///< DICOM; 0: as thick as the slices lie apart
  std::string software_version;           ///< DICOM
  FileAccess access = FileAccess::usual;  ///< of new files; with a study the owner's
};

/// Writes by the look of the path: .mha and .mhd (with .raw beside it) as MetaImage, .raw as raw
/// data with a .mhd header beside it, anything without an extension as a folder with a DICOM
/// series. What comes from a patient's images (`study`) is readable by its owner alone where it is
/// a new file. Whole or not at all. Throws OutputError, and UsageError for an extension that is
/// none of these.
void write_volume(const std::string& path, const VolumeToWrite& volume);

/// Who may read what is made from the volume at this path: the owner alone where it is DICOM, and
/// so of patients; else who may read its header and its data.
FileAccess access_for_volume(const std::string& path);

/// What a volume was read from, without its folder, which may name a patient: "head.mha", or the
/// description of a DICOM series.
std::string source_name(const LoadedVolume& volume);

/// Whether write_volume would store HU: in DICOM always.
bool writes_hu(const std::string& path, const VolumeToWrite& volume);

/// The files, or the folder, that write_volume would write. Throws like it for the name.
std::vector<std::string> files_of_volume(const std::string& path);

/// The file with the values, of a MetaImage or raw volume; empty where `path` is none that can be
/// read.
std::string data_path_in_volume(const std::string& path);

/// Throws, as write_volume would, where it could not write; changes nothing. To be asked before a
/// long run, not after it.
void require_writable_volume(const std::string& path);

/// What a path holds, from its name and first bytes.
enum class FileKind { scan, experiment, volume };
/// Throws InputError for a path that does not exist or holds nothing that the program reads.
FileKind identify_file(const std::string& path);

}  // namespace gantry
