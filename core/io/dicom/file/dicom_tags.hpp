#pragma once

#include <cstdint>
#include <string>

namespace gantry {

/// The group, the element and the keyword of a DICOM attribute.
struct DicomTag {
  std::uint16_t group, element;
  const char* keyword;

  /// Returns group and element as one number, 0xggggeeee.
  constexpr std::uint32_t number() const {
    return static_cast<std::uint32_t>(group) << 16 | static_cast<std::uint32_t>(element);
  }
};

/// Returns the keyword and the number of an attribute, as in "PixelSpacing (0028,0030)".
std::string describe(DicomTag tag);

/// The attributes that Gantry reads or writes, ordered by group.
namespace dicom {

inline constexpr DicomTag media_storage_sop_class_uid{0x0002, 0x0002, "MediaStorageSOPClassUID"};
inline constexpr DicomTag transfer_syntax_uid{0x0002, 0x0010, "TransferSyntaxUID"};
inline constexpr DicomTag implementation_version_name{0x0002, 0x0013, "ImplementationVersionName"};

inline constexpr DicomTag specific_character_set{0x0008, 0x0005, "SpecificCharacterSet"};
inline constexpr DicomTag image_type{0x0008, 0x0008, "ImageType"};
inline constexpr DicomTag instance_creation_date{0x0008, 0x0012, "InstanceCreationDate"};
inline constexpr DicomTag instance_creation_time{0x0008, 0x0013, "InstanceCreationTime"};
inline constexpr DicomTag sop_class_uid{0x0008, 0x0016, "SOPClassUID"};
inline constexpr DicomTag sop_instance_uid{0x0008, 0x0018, "SOPInstanceUID"};
inline constexpr DicomTag study_date{0x0008, 0x0020, "StudyDate"};
inline constexpr DicomTag series_date{0x0008, 0x0021, "SeriesDate"};
inline constexpr DicomTag acquisition_date{0x0008, 0x0022, "AcquisitionDate"};
inline constexpr DicomTag content_date{0x0008, 0x0023, "ContentDate"};
inline constexpr DicomTag study_time{0x0008, 0x0030, "StudyTime"};
inline constexpr DicomTag series_time{0x0008, 0x0031, "SeriesTime"};
inline constexpr DicomTag acquisition_time{0x0008, 0x0032, "AcquisitionTime"};
inline constexpr DicomTag content_time{0x0008, 0x0033, "ContentTime"};
inline constexpr DicomTag accession_number{0x0008, 0x0050, "AccessionNumber"};
inline constexpr DicomTag modality{0x0008, 0x0060, "Modality"};
inline constexpr DicomTag manufacturer{0x0008, 0x0070, "Manufacturer"};
inline constexpr DicomTag institution_name{0x0008, 0x0080, "InstitutionName"};
inline constexpr DicomTag referring_physician_name{0x0008, 0x0090, "ReferringPhysicianName"};
inline constexpr DicomTag code_value{0x0008, 0x0100, "CodeValue"};
inline constexpr DicomTag coding_scheme{0x0008, 0x0102, "CodingSchemeDesignator"};
inline constexpr DicomTag code_meaning{0x0008, 0x0104, "CodeMeaning"};
inline constexpr DicomTag study_description{0x0008, 0x1030, "StudyDescription"};
inline constexpr DicomTag series_description{0x0008, 0x103e, "SeriesDescription"};
inline constexpr DicomTag manufacturer_model_name{0x0008, 0x1090, "ManufacturerModelName"};
inline constexpr DicomTag referenced_sop_class_uid{0x0008, 0x1150, "ReferencedSOPClassUID"};
inline constexpr DicomTag referenced_sop_instance_uid{0x0008, 0x1155, "ReferencedSOPInstanceUID"};
inline constexpr DicomTag derivation_description{0x0008, 0x2111, "DerivationDescription"};
inline constexpr DicomTag source_image_sequence{0x0008, 0x2112, "SourceImageSequence"};
inline constexpr DicomTag derivation_code_sequence{0x0008, 0x9215, "DerivationCodeSequence"};
inline constexpr DicomTag frame_type{0x0008, 0x9007, "FrameType"};

inline constexpr DicomTag patient_name{0x0010, 0x0010, "PatientName"};
inline constexpr DicomTag patient_id{0x0010, 0x0020, "PatientID"};
inline constexpr DicomTag issuer_of_patient_id{0x0010, 0x0021, "IssuerOfPatientID"};
inline constexpr DicomTag patient_birth_date{0x0010, 0x0030, "PatientBirthDate"};
inline constexpr DicomTag patient_sex{0x0010, 0x0040, "PatientSex"};
inline constexpr DicomTag patient_age{0x0010, 0x1010, "PatientAge"};
inline constexpr DicomTag patient_size{0x0010, 0x1020, "PatientSize"};
inline constexpr DicomTag patient_weight{0x0010, 0x1030, "PatientWeight"};
inline constexpr DicomTag patient_identity_removed{0x0012, 0x0062, "PatientIdentityRemoved"};
inline constexpr DicomTag deidentification_method{0x0012, 0x0063, "DeidentificationMethod"};
inline constexpr DicomTag deidentification_code_sequence{0x0012, 0x0064,
                                                         "DeidentificationMethodCodeSequence"};

inline constexpr DicomTag body_part_examined{0x0018, 0x0015, "BodyPartExamined"};
inline constexpr DicomTag slice_thickness{0x0018, 0x0050, "SliceThickness"};
inline constexpr DicomTag kvp{0x0018, 0x0060, "KVP"};
inline constexpr DicomTag spacing_between_slices{0x0018, 0x0088, "SpacingBetweenSlices"};
inline constexpr DicomTag software_versions{0x0018, 0x1020, "SoftwareVersions"};
inline constexpr DicomTag gantry_tilt{0x0018, 0x1120, "GantryDetectorTilt"};
inline constexpr DicomTag exposure_time{0x0018, 0x1150, "ExposureTime"};
inline constexpr DicomTag tube_current{0x0018, 0x1151, "XRayTubeCurrent"};
inline constexpr DicomTag exposure{0x0018, 0x1152, "Exposure"};
inline constexpr DicomTag convolution_kernel{0x0018, 0x1210, "ConvolutionKernel"};
inline constexpr DicomTag patient_position{0x0018, 0x5100, "PatientPosition"};
inline constexpr DicomTag spiral_pitch_factor{0x0018, 0x9311, "SpiralPitchFactor"};
inline constexpr DicomTag ct_frame_type_sequence{0x0018, 0x9329, "CTImageFrameTypeSequence"};

inline constexpr DicomTag study_instance_uid{0x0020, 0x000d, "StudyInstanceUID"};
inline constexpr DicomTag series_instance_uid{0x0020, 0x000e, "SeriesInstanceUID"};
inline constexpr DicomTag study_id{0x0020, 0x0010, "StudyID"};
inline constexpr DicomTag series_number{0x0020, 0x0011, "SeriesNumber"};
inline constexpr DicomTag acquisition_number{0x0020, 0x0012, "AcquisitionNumber"};
inline constexpr DicomTag instance_number{0x0020, 0x0013, "InstanceNumber"};
inline constexpr DicomTag image_position{0x0020, 0x0032, "ImagePositionPatient"};
inline constexpr DicomTag image_orientation{0x0020, 0x0037, "ImageOrientationPatient"};
inline constexpr DicomTag frame_of_reference_uid{0x0020, 0x0052, "FrameOfReferenceUID"};
inline constexpr DicomTag laterality{0x0020, 0x0060, "Laterality"};
inline constexpr DicomTag position_reference{0x0020, 0x1040, "PositionReferenceIndicator"};
inline constexpr DicomTag plane_position_sequence{0x0020, 0x9113, "PlanePositionSequence"};
inline constexpr DicomTag plane_orientation_sequence{0x0020, 0x9116, "PlaneOrientationSequence"};

inline constexpr DicomTag samples_per_pixel{0x0028, 0x0002, "SamplesPerPixel"};
inline constexpr DicomTag photometric{0x0028, 0x0004, "PhotometricInterpretation"};
inline constexpr DicomTag number_of_frames{0x0028, 0x0008, "NumberOfFrames"};
inline constexpr DicomTag rows{0x0028, 0x0010, "Rows"};
inline constexpr DicomTag columns{0x0028, 0x0011, "Columns"};
inline constexpr DicomTag pixel_spacing{0x0028, 0x0030, "PixelSpacing"};
inline constexpr DicomTag bits_allocated{0x0028, 0x0100, "BitsAllocated"};
inline constexpr DicomTag bits_stored{0x0028, 0x0101, "BitsStored"};
inline constexpr DicomTag high_bit{0x0028, 0x0102, "HighBit"};
inline constexpr DicomTag pixel_representation{0x0028, 0x0103, "PixelRepresentation"};
inline constexpr DicomTag pixel_padding_value{0x0028, 0x0120, "PixelPaddingValue"};
inline constexpr DicomTag pixel_padding_range_limit{0x0028, 0x0121, "PixelPaddingRangeLimit"};
inline constexpr DicomTag burned_in_annotation{0x0028, 0x0301, "BurnedInAnnotation"};
inline constexpr DicomTag longitudinal_modified{0x0028, 0x0303,
                                                "LongitudinalTemporalInformationModified"};
inline constexpr DicomTag window_center{0x0028, 0x1050, "WindowCenter"};
inline constexpr DicomTag window_width{0x0028, 0x1051, "WindowWidth"};
inline constexpr DicomTag rescale_intercept{0x0028, 0x1052, "RescaleIntercept"};
inline constexpr DicomTag rescale_slope{0x0028, 0x1053, "RescaleSlope"};
inline constexpr DicomTag rescale_type{0x0028, 0x1054, "RescaleType"};
inline constexpr DicomTag lossy_compression{0x0028, 0x2110, "LossyImageCompression"};
inline constexpr DicomTag lossy_compression_ratio{0x0028, 0x2112, "LossyImageCompressionRatio"};
inline constexpr DicomTag lossy_compression_method{0x0028, 0x2114, "LossyImageCompressionMethod"};
inline constexpr DicomTag modality_lut_sequence{0x0028, 0x3000, "ModalityLUTSequence"};
inline constexpr DicomTag pixel_measures_sequence{0x0028, 0x9110, "PixelMeasuresSequence"};
inline constexpr DicomTag pixel_transformation_sequence{0x0028, 0x9145,
                                                        "PixelValueTransformationSequence"};

inline constexpr DicomTag measurement_units_sequence{0x0040, 0x08ea,
                                                     "MeasurementUnitsCodeSequence"};
inline constexpr DicomTag real_world_value_sequence{0x0040, 0x9096,
                                                    "RealWorldValueMappingSequence"};
inline constexpr DicomTag shared_groups{0x5200, 0x9229, "SharedFunctionalGroupsSequence"};
inline constexpr DicomTag per_frame_groups{0x5200, 0x9230, "PerFrameFunctionalGroupsSequence"};
inline constexpr DicomTag pixel_data{0x7fe0, 0x0010, "PixelData"};

}  // namespace dicom

}  // namespace gantry
