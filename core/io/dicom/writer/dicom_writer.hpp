#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/data/patient_frame.hpp"
#include "core/data/volume.hpp"
#include "core/io/dicom/writer/derivation_code.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/physics/units.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gantry {

/// A volume to be written as a derived CT series, and the attributes of that series.
struct DicomWriteRequest {
  VolumeGrid grid = {};
  std::span<const float> mu = {};          ///< 1/mm, [iz][iy][ix]
  double mu_water = default_mu_water;      ///< of water, 1/mm; converts attenuation to HU
  std::optional<PatientFrame> frame = {};  ///< without one, world axes are patient axes (LPS)
  /// Patient and study to which the series is added; without one, both are new.
  std::shared_ptr<const DicomStudy> study = {};
  std::string series_description = {};
  std::string derivation_description = {};  ///< algorithm and parameters in words
  std::string manufacturer = "Gantry";
  std::string software_version = {};
  std::optional<DerivationCode> derivation_code = {};
  double slice_thickness_mm = 0;          ///< 0: the distance of the slices
  std::optional<int> series_number = {};  ///< none: 1, with a study one not in use there
  FileAccess access = FileAccess::usual;  ///< of new files; with a study, always the owner only
  /// Write nothing that identifies the patient, see deidentified().
  bool deidentify = false;
  bool overwrite = false;  ///< replace a series that Gantry wrote earlier
  std::function<void(int done, int total)> progress = {};  ///< in slices; may throw Interrupted
};

/// Writes one CT Image Storage file per slice, explicit VR little endian, into `folder`.
/// HU are stored in 16 bits: with slope 1 and intercept -1024 where all values fit (-33792 to
/// 31743 HU), else with a slope that just covers their range. Positions are exact, also those of
/// sheared (tilted) stacks.
/// The series is written as a whole or not at all: the files are made in a hidden folder beside the
/// target, which is then renamed. The target must be a folder that does not exist yet, is empty,
/// or, with `overwrite`, holds nothing but a series that Gantry wrote. With a study, only the owner
/// may access files and folder.
/// Throws OutputError when the series cannot be written or de-identified, or a voxel is not finite;
/// UsageError for a frame, mu_water or grid that DICOM cannot express, and when this build has no
/// DICOM support; InputError when the grid is not valid; ShapeError when `mu` does not have
/// grid.voxels() values.
void write_dicom_series(const std::string& folder, const DicomWriteRequest& request);

/// Throws OutputError where write_dicom_series() could not write to `folder`, and UsageError when
/// this build has no DICOM support. Leaves the folder as it is.
void require_writable_dicom(const std::string& folder, bool overwrite);

}  // namespace gantry
