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

/// A volume to be written as a derived CT series, and what to say about it.
struct DicomWriteRequest {
  VolumeGrid grid = {};
  std::span<const float> mu = {};          ///< 1/mm, [iz][iy][ix]
  double mu_water = default_mu_water;      ///< 1/mm, turns attenuation into HU
  std::optional<PatientFrame> frame = {};  ///< without one the world is taken as the patient (LPS)
  std::shared_ptr<const DicomStudy> study =
      {};  ///< patient and study to join; without one both are new
  std::string series_description = {};
  std::string derivation_description = {};  ///< algorithm and parameters in words
  std::string manufacturer = "Gantry";
  std::string software_version = {};
  std::optional<DerivationCode> derivation_code = {};
  double slice_thickness_mm = 0;          ///< 0: as thick as the slices lie apart
  std::optional<int> series_number = {};  ///< none: 1, or one that is free in the study
  FileAccess access = FileAccess::usual;  ///< of new files; with a study the owner's
  bool overwrite = false;                 ///< replace a series that Gantry wrote earlier
  std::function<void(int done, int total)> progress = {};  ///< in slices; may throw Interrupted
};

/// Writes one CT Image Storage file per slice, explicit little endian, into `folder`.
/// HU are stored in 16 bits: slope 1, intercept -1024 where they fit (-33792 to 31743 HU), else the
/// slope that just covers their range. Positions are exact, also of sheared (tilted) stacks.
/// All or nothing: the series is made in a hidden folder beside the target and then renamed. The
/// target is a folder that does not exist yet, is empty, or, with `overwrite`, holds nothing but a
/// series that Gantry wrote. Files and folder of a patient (with a study) are the owner's alone.
/// Throws OutputError when it cannot be written or a voxel is not finite; UsageError for a frame,
/// mu_water or grid that DICOM cannot say; UsageError when this build has no DICOM support.
void write_dicom_series(const std::string& folder, const DicomWriteRequest& request);

/// Throws, as write_dicom_series would, where it could not write; changes nothing.
void require_writable_dicom(const std::string& folder, bool overwrite);

}  // namespace gantry
