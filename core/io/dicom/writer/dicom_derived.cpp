#include "core/io/dicom/writer/dicom_derived.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_uid.hpp"
#include "core/io/dicom/series/dicom_study.hpp"
#include "core/io/dicom/writer/dicom_encode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace gantry {

namespace {

std::string now(const char* format) {
  const std::time_t seconds = std::time(nullptr);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &local)};
}

std::string joined(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) {
    if (!text.empty()) text += '\\';
    text += decimal_string(value);
  }
  return text;
}

/// Returns the value where it is one of `terms`, those that the standard defines, else an empty
/// string.
std::string one_of(const std::string& value, std::initializer_list<const char*> terms) {
  const bool defined =
      std::any_of(terms.begin(), terms.end(), [&](const char* term) { return value == term; });
  return defined ? value : std::string();
}

/// Returns whether a body part is not one of a pair. Laterality is forbidden for such parts; for
/// parts that may be one of a pair, Laterality is required but may be empty.
bool is_single_part(const std::string& body_part) {
  const std::string term = one_of(body_part, {"HEAD",
                                              "BRAIN",
                                              "SKULL",
                                              "NECK",
                                              "CSPINE",
                                              "TSPINE",
                                              "LSPINE",
                                              "SSPINE",
                                              "SPINE",
                                              "COCCYX",
                                              "CHEST",
                                              "ABDOMEN",
                                              "PELVIS",
                                              "HEART",
                                              "LIVER",
                                              "PANCREAS",
                                              "SPLEEN",
                                              "STOMACH",
                                              "COLON",
                                              "BLADDER",
                                              "UTERUS",
                                              "PROSTATE",
                                              "AORTA",
                                              "WHOLEBODY",
                                              "JAW",
                                              "FACE",
                                              "NOSE",
                                              "TONGUE",
                                              "LARYNX",
                                              "THYROID",
                                              "MEDIASTINUM",
                                              "BACK",
                                              "RECTUM",
                                              "STERNUM",
                                              "ESOPHAGUS",
                                              "MAXILLA",
                                              "ABDOMENPELVIS",
                                              "CHESTABDPELVIS",
                                              "CHESTABDOMEN",
                                              "HEADNECK",
                                              "NECKCHEST",
                                              "TLSPINE",
                                              "LSSPINE",
                                              "CTSPINE",
                                              "NECKCHESTABDPELV",
                                              "NECKCHESTABDOMEN"});
  return !term.empty();
}

std::string uid_or_new(const std::string& uid) { return is_dicom_uid(uid) ? uid : new_dicom_uid(); }

void check_frame(const PatientFrame& frame) {
  const Vec3 normal = cross(frame.x_axis, frame.y_axis);
  const bool sound = std::abs(norm(frame.x_axis) - 1) < 1e-3 &&
                     std::abs(norm(frame.y_axis) - 1) < 1e-3 &&
                     std::abs(dot(frame.x_axis, frame.y_axis)) < 1e-2 &&
                     std::abs(dot(frame.z_axis, normal) - 1) < 1e-2 &&
                     std::isfinite(norm(frame.origin_mm)) && std::isfinite(norm(frame.z_axis));
  if (!sound)
    throw UsageError("the patient frame does not keep lengths along rows, columns and normal",
                     "frame", "use perpendicular unit axes");
}

}  // namespace

DerivedSeries::DerivedSeries(const DicomWriteRequest& request, const HuScale& scale)
    : request_(request), frame_(request.frame.value_or(PatientFrame{})) {
  check_frame(frame_);
  add_patient_and_study();
  add_series();
  add_image_constants(scale);
}

std::string DerivedSeries::from_study(DicomTag tag) const {
  if (!request_.study) return {};
  const auto found = request_.study->attributes.find(tag.keyword);
  return found == request_.study->attributes.end() ? std::string() : found->second;
}

void DerivedSeries::add_from_study(DicomTag tag) { add(tag, from_study(tag)); }

void DerivedSeries::add_if_known(DicomTag tag) {
  if (!from_study(tag).empty()) add_from_study(tag);
}

void DerivedSeries::add_patient_and_study() {
  if (request_.study) {
    add_from_study(dicom::patient_name);
    add_from_study(dicom::patient_id);
  } else {
    add(dicom::patient_name, "Anonymous");
    add(dicom::patient_id, "ANONYMOUS");
  }
  add_if_known(dicom::issuer_of_patient_id);
  add_from_study(dicom::patient_birth_date);
  add(dicom::patient_sex, one_of(from_study(dicom::patient_sex), {"M", "F", "O"}));
  for (const DicomTag tag :
       {dicom::patient_age, dicom::patient_size, dicom::patient_weight, dicom::study_description,
        dicom::institution_name, dicom::body_part_examined})
    add_if_known(tag);
  const std::string removed = one_of(from_study(dicom::patient_identity_removed), {"YES", "NO"});
  if (!removed.empty()) add(dicom::patient_identity_removed, removed);
  const std::string method = from_study(dicom::deidentification_method);
  if (removed == "YES")
    add(dicom::deidentification_method, method.empty() ? "see the source images" : method);
  add(dicom::study_instance_uid, uid_or_new(from_study(dicom::study_instance_uid)));
  add(dicom::study_date, request_.study ? from_study(dicom::study_date) : now("%Y%m%d"));
  add(dicom::study_time, request_.study ? from_study(dicom::study_time) : now("%H%M%S"));
  for (const DicomTag tag :
       {dicom::study_id, dicom::accession_number, dicom::referring_physician_name})
    add_from_study(tag);
}

void DerivedSeries::add_series() {
  add(dicom::modality, "CT");
  add(dicom::series_instance_uid, new_dicom_uid());
  add(dicom::series_number, std::to_string(series_number()));
  add(dicom::series_description, request_.series_description);
  for (const DicomTag tag :
       {dicom::series_date, dicom::content_date, dicom::instance_creation_date})
    add(tag, now("%Y%m%d"));
  for (const DicomTag tag :
       {dicom::series_time, dicom::content_time, dicom::instance_creation_time})
    add(tag, now("%H%M%S"));
  // Without the body part, which de-identification removes, the side has to be there.
  if (request_.deidentify || !is_single_part(from_study(dicom::body_part_examined)))
    add(dicom::laterality, one_of(from_study(dicom::laterality), {"L", "R"}));
  add(dicom::manufacturer, request_.manufacturer);
  if (!request_.software_version.empty()) add(dicom::software_versions, request_.software_version);
  // The source's frame of reference holds only for positions in the source's patient frame.
  const bool same_space = request_.study && request_.frame;
  add(dicom::frame_of_reference_uid,
      uid_or_new(same_space ? from_study(dicom::frame_of_reference_uid) : std::string()));
  add(dicom::position_reference,
      same_space ? from_study(dicom::position_reference) : std::string());
  const std::string position = one_of(from_study(dicom::patient_position),
                                      {"HFS", "HFP", "HFDR", "HFDL", "FFS", "FFP", "FFDR", "FFDL",
                                       "LFP", "LFS", "RFP", "RFS", "AFDR", "AFDL", "PFDR", "PFDL"});
  add(dicom::patient_position, request_.study ? position : "HFS");
  if (same_space) add_if_known(dicom::gantry_tilt);
}

/// Returns the number of the new series. Unless the request gives one, the number for a series of a
/// study is far above those that scanners assign, and none that is known to be taken in the study.
int DerivedSeries::series_number() const {
  if (request_.series_number) return *request_.series_number;
  if (!request_.study) return 1;
  constexpr int far = 1000;
  int number = far;
  const std::string source = from_study(dicom::series_number);
  int source_number = 0;
  std::from_chars(source.data(), source.data() + source.size(), source_number);
  if (source_number > 0 && source_number < 1'000'000'000) number += source_number;
  const std::vector<int>& taken = request_.study->series_numbers;
  while (std::ranges::find(taken, number) != taken.end()) ++number;
  return number;
}

void DerivedSeries::add_image_constants(const HuScale& scale) {
  const VolumeGrid& grid = request_.grid;
  add(dicom::image_type, "DERIVED\\PRIMARY\\AXIAL");
  if (!keeps_slices()) {  // else slice() adds the attributes of the source image
    add(dicom::acquisition_number, "");
    add_from_study(dicom::kvp);
    add_if_known(dicom::tube_current);
  }
  add_if_known(dicom::convolution_kernel);
  if (!request_.derivation_description.empty())
    add(dicom::derivation_description, request_.derivation_description);
  const bool lossy = from_study(dicom::lossy_compression) == "01";
  add(dicom::lossy_compression, lossy ? "01" : "00");
  if (lossy) add_if_known(dicom::lossy_compression_ratio);
  if (lossy) add_if_known(dicom::lossy_compression_method);
  // Whoever de-identifies has to say whether the pixels still tell the patient; YES is refused.
  if (request_.deidentify && from_study(dicom::burned_in_annotation) == "NO")
    add(dicom::burned_in_annotation, "NO");
  add(dicom::pixel_spacing, joined({grid.spacing_mm.y, grid.spacing_mm.x}));  // DICOM gives y first
  add(dicom::slice_thickness,
      decimal_string(request_.slice_thickness_mm > 0 ? request_.slice_thickness_mm
                                                     : grid.spacing_mm.z));
  add(dicom::spacing_between_slices, decimal_string(grid.spacing_mm.z));
  const Vec3 x = normalized(frame_.x_axis), y = normalized(frame_.y_axis);
  add(dicom::image_orientation, joined({x.x, x.y, x.z, y.x, y.y, y.z}));
  add(dicom::rescale_slope, decimal_string(scale.slope));
  add(dicom::rescale_intercept, decimal_string(scale.intercept));
  add(dicom::rescale_type, "HU");
  add(dicom::window_center, decimal_string(std::round(scale.lowest_hu + scale.highest_hu) / 2));
  add(dicom::window_width,
      decimal_string(std::max(1.0, std::ceil(scale.highest_hu - scale.lowest_hu))));
}

bool DerivedSeries::keeps_slices() const {
  const bool is_conversion = request_.derivation_code && request_.derivation_code->value ==
                                                             std::string(format_conversion.value);
  return is_conversion && request_.study &&
         request_.study->slices.size() == static_cast<std::size_t>(request_.grid.nz);
}

DerivedSeries::Attributes DerivedSeries::slice(int iz) const {
  Attributes attributes = common_;
  const Vec3 p = frame_.to_patient(request_.grid.voxel_center_mm(0, 0, iz));
  attributes.emplace_back(dicom::image_position, joined({p.x, p.y, p.z}));
  attributes.emplace_back(dicom::instance_number, std::to_string(iz + 1));
  if (!keeps_slices()) return attributes;
  const auto& own = request_.study->slices[static_cast<std::size_t>(iz)];
  for (const DicomTag tag : {dicom::acquisition_number, dicom::kvp})  // required, may be empty
    if (!own.contains(tag.keyword)) attributes.emplace_back(tag, "");
  for (const DicomTag tag : slice_tags())
    if (const auto found = own.find(tag.keyword); found != own.end())
      attributes.emplace_back(tag, found->second);
  return attributes;
}

std::vector<std::string> DerivedSeries::sources(int iz) const {
  if (!request_.study || source_class().empty()) return {};
  std::vector<std::string> uids = request_.study->instance_uids;
  std::erase_if(uids, [](const std::string& uid) { return !is_dicom_uid(uid); });
  if (uids.size() == static_cast<std::size_t>(request_.grid.nz))
    return {uids[static_cast<std::size_t>(iz)]};
  return uids;
}

std::string DerivedSeries::source_class() const {
  if (!request_.study || !is_dicom_uid(request_.study->sop_class_uid)) return {};
  return request_.study->sop_class_uid;
}

}  // namespace gantry
