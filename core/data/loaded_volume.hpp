#pragma once

#include "core/data/patient_frame.hpp"
#include "core/data/volume.hpp"
#include "core/physics/units.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// What a DICOM series says of patient, study and equipment, kept so that a derived series can say
/// it again. Keys are DICOM keywords ("PatientName", "StudyInstanceUID", "FrameOfReferenceUID"),
/// values as in the file (UTF-8).
struct DicomStudy {
  std::map<std::string, std::string> attributes;
  std::string sop_class_uid;
  std::vector<std::string> instance_uids;  ///< of the source images, in slice order
  /// Of each slice, how it was taken (tube current, exposure, ...); empty where slices are no
  /// single source images.
  std::vector<std::map<std::string, std::string>> slices;
  double slice_thickness_mm = 0;    ///< of the source images; 0: not said
  std::vector<int> series_numbers;  ///< taken by the series of the study that were found
};

/// A volume as read from a file or folder: attenuation in 1/mm on the host, and where it came from.
struct LoadedVolume {
  VolumeGrid grid;
  std::vector<float> mu;  ///< 1/mm, [iz][iy][ix]
  /// Of mu: not 0 where the file's value is not finite and air stands for it. Empty: nowhere.
  std::vector<std::uint8_t> unknown;
  double mu_water = default_mu_water;       ///< used where HU were converted, 1/mm
  bool from_hu = false;                     ///< the file held HU
  std::optional<PatientFrame> frame;        ///< of a DICOM series; then views are radiological
  std::shared_ptr<const DicomStudy> study;  ///< of a DICOM series
  bool resampled = false;                   ///< of uneven or sheared slices
  std::string source;                       ///< path it was read from
  std::vector<std::string> notes;  ///< what a user should know, one line each ("gantry tilt ...")
};

}  // namespace gantry
