#pragma once

#include "core/data/patient_frame.hpp"
#include "core/data/volume.hpp"
#include "core/physics/units.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Attributes of patient, study and equipment that a DICOM series states, kept so that a derived
/// series can repeat these attributes. Keys are DICOM keywords ("PatientName", "StudyInstanceUID",
/// "FrameOfReferenceUID"), values are those of the file (UTF-8).
struct DicomStudy {
  std::map<std::string, std::string> attributes;
  std::string sop_class_uid;
  std::vector<std::string> instance_uids;  ///< of the source images, in slice order
  /// Acquisition parameters of each slice (tube current, exposure, ...), by keyword. Empty if the
  /// slices were resampled or a file holds several images.
  std::vector<std::map<std::string, std::string>> slices;
  double slice_thickness_mm = 0;    ///< of the source images, mm; 0: not stated
  std::vector<int> series_numbers;  ///< numbers of all series of the study that were found
};

/// A volume as read from a file or folder: attenuation on the host, and its origin.
struct LoadedVolume {
  VolumeGrid grid;
  std::vector<float> mu;  ///< 1/mm, [iz][iy][ix]
  /// Marks the voxels whose value in the file is not finite by a number other than 0; their mu is
  /// that of air, 0. Empty if all values are finite.
  std::vector<std::uint8_t> unknown;
  double mu_water = default_mu_water;  ///< for the conversion from HU, 1/mm
  bool from_hu = false;                ///< the file held HU
  std::optional<PatientFrame> frame;   ///< for a DICOM series, which is shown with +y downwards
  std::shared_ptr<const DicomStudy> study;  ///< for a DICOM series
  bool resampled = false;                   ///< interpolated from uneven or sheared slices
  bool lengths_are_known = true;            ///< false: the file says that its mm are cells
  /// Sizes of the voxels along x, y and z that the file does not state: they were taken for
  /// granted, as these of the notes say.
  std::array<bool, 3> is_size_assumed{};
  std::vector<std::string> notes_of_size;
  std::string source;              ///< path of the file or folder
  std::vector<std::string> notes;  ///< what a user should know, one line each ("gantry tilt ...")
};

}  // namespace gantry
