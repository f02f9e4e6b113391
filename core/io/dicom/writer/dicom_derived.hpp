#pragma once

#include "core/io/dicom/file/dicom_tags.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// Straight line from stored 16-bit values to HU: HU = slope * stored + intercept.
struct HuScale {
  double slope = 1, intercept = -1024;
  double lowest_hu = 0, highest_hu = 0;  ///< of the data
};

/// What a series derived from a volume says in every one of its images, and what in one.
class DerivedSeries {
 public:
  using Attributes = std::vector<std::pair<DicomTag, std::string>>;

  /// Draws new UIDs; `request` outlives this. Throws UsageError when the frame cannot be said in
  /// DICOM: its x and y axes are perpendicular unit vectors and its z axis advances along the
  /// normal by as much as the world's.
  DerivedSeries(const DicomWriteRequest& request, const HuScale& scale);

  /// The attributes of slice `iz`, without its UID and pixels.
  Attributes slice(int iz) const;
  /// The source images of slice `iz`: its own where source and result have as many slices, else
  /// all.
  std::vector<std::string> sources(int iz) const;
  std::string source_class() const;

 private:
  void add_patient_and_study();
  void add_series();
  void add_image_constants(const HuScale& scale);
  int series_number() const;
  std::string from_study(DicomTag tag) const;
  /// Whether each slice is one of the source's, only written anew.
  bool keeps_slices() const;
  void add(DicomTag tag, std::string value) { common_.emplace_back(tag, std::move(value)); }
  void add_from_study(DicomTag tag);
  void add_if_known(DicomTag tag);

  const DicomWriteRequest& request_;
  PatientFrame frame_;
  Attributes common_;
};

}  // namespace gantry
