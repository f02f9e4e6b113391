#pragma once

#include "core/io/dicom/file/dicom_tags.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// The linear map from stored 16-bit values to HU: HU = slope * stored + intercept.
struct HuScale {
  double slope = 1, intercept = -1024;
  double lowest_hu = 0, highest_hu = 0;  ///< range of the volume
};

/// The attributes of a series that is derived from a volume: those common to all images, and those
/// of each slice.
class DerivedSeries {
 public:
  using Attributes = std::vector<std::pair<DicomTag, std::string>>;

  /// Generates new UIDs. `request` must outlive this object. Throws UsageError when DICOM cannot
  /// express the patient frame: its x and y axes must be perpendicular unit vectors, and its z axis
  /// must have the component 1 along their normal, so that distances along z are kept.
  DerivedSeries(const DicomWriteRequest& request, const HuScale& scale);

  /// Returns the attributes of slice `iz`, without its UID and pixels.
  Attributes slice(int iz) const;
  /// Returns the SOP instance UIDs of the source images of slice `iz`: image `iz` of the source
  /// where source and result have equally many slices, else all images.
  std::vector<std::string> sources(int iz) const;
  /// Returns the SOP class UID of the source images; empty when it is not known.
  std::string source_class() const;

 private:
  void add_patient_and_study();
  void add_series();
  void add_image_constants(const HuScale& scale);
  int series_number() const;
  /// Returns an attribute of the request's study; empty when the study does not have it.
  std::string from_study(DicomTag tag) const;
  /// Returns whether each slice is a slice of the source that was only rewritten.
  bool keeps_slices() const;
  void add(DicomTag tag, std::string value) { common_.emplace_back(tag, std::move(value)); }
  /// Adds an attribute of the study, even if it is empty; add_if_known() leaves out empty ones.
  void add_from_study(DicomTag tag);
  void add_if_known(DicomTag tag);

  const DicomWriteRequest& request_;
  PatientFrame frame_;
  Attributes common_;  ///< of all images
};

}  // namespace gantry
