#include "core/io/dicom/writer/deidentify.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_uid.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gantry {

namespace {

using enum ConfidentialityAction;

constexpr std::array rules = {
    ConfidentialityRule{dicom::specific_character_set, keep},
    ConfidentialityRule{dicom::image_type, keep},
    ConfidentialityRule{dicom::instance_creation_date, remove},
    ConfidentialityRule{dicom::instance_creation_time, remove},
    ConfidentialityRule{dicom::sop_class_uid, keep},
    ConfidentialityRule{dicom::sop_instance_uid, new_uid},
    ConfidentialityRule{dicom::study_date, empty},
    ConfidentialityRule{dicom::series_date, remove},
    ConfidentialityRule{dicom::content_date, empty},
    ConfidentialityRule{dicom::study_time, empty},
    ConfidentialityRule{dicom::series_time, remove},
    ConfidentialityRule{dicom::content_time, empty},
    ConfidentialityRule{dicom::accession_number, empty},
    ConfidentialityRule{dicom::modality, keep},
    ConfidentialityRule{dicom::manufacturer, keep},
    ConfidentialityRule{dicom::institution_name, remove},
    ConfidentialityRule{dicom::referring_physician_name, empty},
    ConfidentialityRule{dicom::study_description, remove},
    ConfidentialityRule{dicom::series_description, remove},
    ConfidentialityRule{dicom::derivation_description, remove},
    ConfidentialityRule{dicom::source_image_sequence, new_uid},
    ConfidentialityRule{dicom::derivation_code_sequence, keep},

    ConfidentialityRule{dicom::patient_name, empty},
    ConfidentialityRule{dicom::patient_id, empty},
    ConfidentialityRule{dicom::issuer_of_patient_id, remove},
    ConfidentialityRule{dicom::patient_birth_date, empty},
    ConfidentialityRule{dicom::patient_sex, empty},
    ConfidentialityRule{dicom::patient_age, remove},
    ConfidentialityRule{dicom::patient_size, remove},
    ConfidentialityRule{dicom::patient_weight, remove},
    ConfidentialityRule{dicom::patient_identity_removed, remove},  // written anew
    ConfidentialityRule{dicom::deidentification_method, remove},   // written anew

    ConfidentialityRule{dicom::body_part_examined, remove},
    ConfidentialityRule{dicom::slice_thickness, keep},
    ConfidentialityRule{dicom::kvp, keep},
    ConfidentialityRule{dicom::spacing_between_slices, keep},
    ConfidentialityRule{dicom::software_versions, keep},
    ConfidentialityRule{dicom::gantry_tilt, keep},
    ConfidentialityRule{dicom::exposure_time, keep},
    ConfidentialityRule{dicom::tube_current, keep},
    ConfidentialityRule{dicom::exposure, keep},
    ConfidentialityRule{dicom::convolution_kernel, remove},
    ConfidentialityRule{dicom::patient_position, keep},

    ConfidentialityRule{dicom::study_instance_uid, new_uid},
    ConfidentialityRule{dicom::series_instance_uid, new_uid},
    ConfidentialityRule{dicom::study_id, empty},
    ConfidentialityRule{dicom::series_number, keep},
    ConfidentialityRule{dicom::acquisition_number, keep},
    ConfidentialityRule{dicom::instance_number, keep},
    ConfidentialityRule{dicom::image_position, keep},
    ConfidentialityRule{dicom::image_orientation, keep},
    ConfidentialityRule{dicom::frame_of_reference_uid, new_uid},
    ConfidentialityRule{dicom::laterality, keep},
    ConfidentialityRule{dicom::position_reference, empty},

    ConfidentialityRule{dicom::samples_per_pixel, keep},
    ConfidentialityRule{dicom::photometric, keep},
    ConfidentialityRule{dicom::rows, keep},
    ConfidentialityRule{dicom::columns, keep},
    ConfidentialityRule{dicom::pixel_spacing, keep},
    ConfidentialityRule{dicom::bits_allocated, keep},
    ConfidentialityRule{dicom::bits_stored, keep},
    ConfidentialityRule{dicom::high_bit, keep},
    ConfidentialityRule{dicom::pixel_representation, keep},
    ConfidentialityRule{dicom::burned_in_annotation, keep},
    ConfidentialityRule{dicom::window_center, keep},
    ConfidentialityRule{dicom::window_width, keep},
    ConfidentialityRule{dicom::rescale_intercept, keep},
    ConfidentialityRule{dicom::rescale_slope, keep},
    ConfidentialityRule{dicom::rescale_type, keep},
    ConfidentialityRule{dicom::lossy_compression, keep},
    ConfidentialityRule{dicom::lossy_compression_ratio, keep},
    ConfidentialityRule{dicom::lossy_compression_method, remove},
    ConfidentialityRule{dicom::pixel_data, keep},
};

constexpr DerivationCode basic_profile{"113100", "DCM",
                                       "Basic Application Confidentiality Profile"};

ConfidentialityAction action_for(DicomTag tag) {
  const auto rule = std::ranges::find(rules, tag.number(),
                                      [](const ConfidentialityRule& r) { return r.tag.number(); });
  return rule == rules.end() ? remove : rule->action;
}

/// Returns what only those know who have the source's images.
std::string secret_of(const DicomStudy* study) {
  std::string secret;
  if (study == nullptr) return secret;
  for (const DicomTag tag :
       {dicom::study_instance_uid, dicom::patient_id, dicom::patient_birth_date}) {
    const auto found = study->attributes.find(tag.keyword);
    if (found != study->attributes.end()) secret += found->second;
    secret += '\n';
  }
  return secret;
}

bool is_ct_class(const std::string& uid) {
  const std::string ct = "1.2.840.10008.5.1.4.1.1.2";  // CT; enhanced; converted to enhanced
  return uid == ct || uid == ct + ".1" || uid == ct + ".2";
}

void require_clean_pixels(const DicomStudy* study) {
  if (study == nullptr) return;
  const auto found = study->attributes.find(dicom::burned_in_annotation.keyword);
  if (found != study->attributes.end() && found->second == "YES")
    throw OutputError("text in the pixels of the source identifies the patient",
                      describe(dicom::burned_in_annotation) + " YES",
                      "blacken it in the source first; de-identification changes no pixels");
}

}  // namespace

std::span<const ConfidentialityRule> confidentiality_rules() { return rules; }

DicomImageFile deidentified(DicomImageFile image, const DicomStudy* study) {
  require_clean_pixels(study);
  const std::string secret = secret_of(study);
  std::vector<std::pair<DicomTag, std::string>> kept;
  for (auto& [tag, value] : image.attributes) {
    const ConfidentialityAction action = action_for(tag);
    if (action == remove) continue;
    if (action == empty) value.clear();
    if (action == new_uid) value = replaced_dicom_uid(value, secret);
    kept.emplace_back(tag, std::move(value));
  }
  kept.emplace_back(dicom::patient_identity_removed, "YES");
  kept.emplace_back(dicom::deidentification_method,
                    "Gantry: PS3.15 Basic Application Confidentiality Profile");
  kept.emplace_back(dicom::longitudinal_modified, "REMOVED");
  image.attributes = std::move(kept);
  image.deidentification_code = basic_profile;
  image.sop_instance_uid = replaced_dicom_uid(image.sop_instance_uid, secret);
  for (std::string& uid : image.source_uids) uid = replaced_dicom_uid(uid, secret);
  if (!is_ct_class(image.source_class_uid)) image.source_class_uid.clear();
  return image;
}

}  // namespace gantry
