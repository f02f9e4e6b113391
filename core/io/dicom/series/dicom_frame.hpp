#pragma once

#include "core/base/vec3.hpp"
#include "core/io/dicom/file/dicom_file.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// The attributes of one image of a DICOM file that are needed to position the image in space and
/// to convert its stored values to HU.
struct DicomFrame {
  std::string path;
  int index = 0, count = 1;  ///< index of the image in the file, number of images in the file
  std::string sop_instance_uid;
  int rows = 0, columns = 0;
  std::optional<Vec3> position_mm;                  ///< centre of the first pixel, patient (LPS)
  std::optional<std::array<Vec3, 2>> directions;    ///< along a row, along a column; unit vectors
  std::optional<std::array<double, 2>> spacing_mm;  ///< x: between columns, y: between rows
  double thickness_mm = 0, spacing_between_mm = 0;  ///< 0: not given
  std::optional<double> slope, intercept;           ///< HU = slope * stored + intercept
  std::optional<std::array<int, 2>> padding;  ///< stored values that mean "no data", inclusive
  std::string value_unit;                     ///< empty: HU or not given
  std::map<std::string, std::string> taken;   ///< slice_tags(), of a file with one image only
  bool localizer = false, inverted = false, lossy = false;  ///< inverted: MONOCHROME1

  /// Returns the name of the file and the number of the image: "I10.dcm" or "mf.dcm, image 3".
  std::string label() const;
};

/// Returns one entry for a classic file, one per image of a multi-frame file (functional groups).
/// Throws InputError when an attribute is present but not usable; missing attributes remain empty.
std::vector<DicomFrame> read_frames(const DicomHeader& header);

/// Returns the number of images in the file. Throws InputError when NumberOfFrames is not usable.
int frame_count(const DicomHeader& header);

/// Returns whether ImageType or FrameType (values separated by backslashes) is that of a localiser
/// (scout view) rather than a slice.
bool is_localizer(const std::string& image_type);

}  // namespace gantry
