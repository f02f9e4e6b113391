#pragma once

#include "core/base/vec3.hpp"
#include "core/io/dicom/file/dicom_file.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// What the header of a DICOM file says about one of its images: all that is needed to place the
/// image in space and to turn its stored values into HU.
struct DicomFrame {
  std::string path;
  int index = 0, count = 1;  ///< which image of how many in the file
  std::string sop_instance_uid;
  int rows = 0, columns = 0;
  std::optional<Vec3> position_mm;                  ///< centre of the first pixel, patient
  std::optional<std::array<Vec3, 2>> directions;    ///< along a row, along a column; unit vectors
  std::optional<std::array<double, 2>> spacing_mm;  ///< x: between columns, y: between rows
  double thickness_mm = 0, spacing_between_mm = 0;  ///< 0: not said
  std::optional<double> slope, intercept;
  std::optional<std::array<int, 2>> padding;  ///< stored values that mean "no data", inclusive
  std::string value_unit;                     ///< empty: HU or not said
  std::map<std::string, std::string> taken;   ///< how, of a file that is one image: slice_tags()
  bool localizer = false, inverted = false, lossy = false;

  /// "I10.dcm" or "mf.dcm, image 3"
  std::string label() const;
};

/// One entry for a classic file, one per frame of a multi-frame file (functional groups).
/// Throws InputError when an attribute that is there cannot be understood; missing ones stay empty.
std::vector<DicomFrame> read_frames(const DicomHeader& header);

/// Number of images in the file. Throws InputError when NumberOfFrames is not usable.
int frame_count(const DicomHeader& header);

/// A scout view rather than a slice, by its image type.
bool is_localizer(const std::string& image_type);

}  // namespace gantry
