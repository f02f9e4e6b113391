#include "core/io/dicom/series/dicom_study.hpp"

#include <array>

namespace gantry {

namespace {

constexpr std::array tags = {
    dicom::study_date,
    dicom::study_time,
    dicom::accession_number,
    dicom::institution_name,
    dicom::referring_physician_name,

    dicom::study_description,
    dicom::series_description,
    dicom::patient_name,
    dicom::patient_id,
    dicom::issuer_of_patient_id,
    dicom::patient_birth_date,
    dicom::patient_sex,
    dicom::patient_age,
    dicom::patient_size,
    dicom::patient_weight,
    dicom::patient_identity_removed,
    dicom::deidentification_method,
    dicom::body_part_examined,
    dicom::kvp,
    dicom::gantry_tilt,
    dicom::tube_current,
    dicom::convolution_kernel,
    dicom::patient_position,
    dicom::study_instance_uid,
    dicom::series_instance_uid,
    dicom::study_id,
    dicom::series_number,
    dicom::frame_of_reference_uid,
    dicom::laterality,
    dicom::position_reference,
    dicom::burned_in_annotation,
    dicom::lossy_compression,
    dicom::lossy_compression_ratio,
    dicom::lossy_compression_method,
};

}  // namespace

std::span<const DicomTag> slice_tags() {
  static constexpr std::array of_slices = {dicom::acquisition_number, dicom::kvp,
                                           dicom::exposure_time, dicom::tube_current,
                                           dicom::exposure};
  return of_slices;
}

std::map<std::string, std::string> read_slice(const DicomHeader& header) {
  std::map<std::string, std::string> attributes;
  for (const DicomTag tag : slice_tags())
    if (header.data.has(tag)) attributes[tag.keyword] = header.data.text(tag);
  return attributes;
}

std::span<const DicomTag> study_tags() { return tags; }

DicomStudy read_study(const DicomHeader& header) {
  DicomStudy study;
  for (const DicomTag tag : tags)
    if (header.data.has(tag)) study.attributes[tag.keyword] = header.data.text(tag);
  study.sop_class_uid = header.data.text(dicom::sop_class_uid);
  return study;
}

}  // namespace gantry
