#pragma once

#include "core/io/dicom/file/dicom_tags.hpp"

#include <array>
#include <cstdint>

namespace gantry {

/// The private attributes of DICOM-CT-PD, projections of clinical scanners as the Mayo Clinic and
/// The Cancer Imaging Archive publish them (Chen et al., Proc. SPIE 9412, 2015; Moen et al., Med.
/// Phys. 48, 2021, table IV). Lengths in mm, angles in radians.
namespace ct_pd {

inline constexpr DicomTag column_spacing{0x7029, 0x1002, "DetectorElementTransverseSpacing"};
inline constexpr DicomTag row_spacing{0x7029, 0x1006, "DetectorElementAxialSpacing"};
inline constexpr DicomTag detector_shape{0x7029, 0x100b, "DetectorShape"};
inline constexpr DicomTag detector_rows{0x7029, 0x1010, "NumberofDetectorRows"};
inline constexpr DicomTag detector_columns{0x7029, 0x1011, "NumberofDetectorColumns"};
inline constexpr DicomTag focal_centre_angle{0x7031, 0x1001, "DetectorFocalCenterAngularPosition"};
inline constexpr DicomTag focal_centre_height{0x7031, 0x1002, "DetectorFocalCenterAxialPosition"};
inline constexpr DicomTag focal_centre_distance{0x7031, 0x1003,
                                                "DetectorFocalCenterRadialDistance"};
inline constexpr DicomTag detector_distance{0x7031, 0x1031, "ConstantRadialDistance"};
inline constexpr DicomTag central_element{0x7031, 0x1033, "DetectorCentralElement"};
inline constexpr DicomTag source_angle_shift{0x7033, 0x100b, "SourceAngularPositionShift"};
inline constexpr DicomTag source_height_shift{0x7033, 0x100c, "SourceAxialPositionShift"};
inline constexpr DicomTag source_distance_shift{0x7033, 0x100d, "SourceRadialDistanceShift"};
inline constexpr DicomTag focal_spot_mode{0x7033, 0x100e, "FlyingFocalSpotMode"};
inline constexpr DicomTag angular_steps{0x7033, 0x1013, "NumberofSourceAngularSteps"};
inline constexpr DicomTag spectra{0x7033, 0x1061, "NumberofSpectra"};
inline constexpr DicomTag spectrum_index{0x7033, 0x1063, "SpectrumIndex"};
inline constexpr DicomTag orbit_type{0x7037, 0x1009, "TypeofProjectionData"};
inline constexpr DicomTag beam_type{0x7037, 0x100a, "TypeofProjectionGeometry"};
inline constexpr DicomTag log_flag{0x7039, 0x1009, "LogFlag"};
inline constexpr DicomTag water_attenuation{0x7041, 0x1001, "WaterAttenuationCoefficient"};
/// Where files of the first dictionaries state the attenuation of water.
inline constexpr DicomTag hu_calibration{0x0018, 0x0061, "HUCalibrationFactor"};

/// How the value of a private attribute is coded where a file does not say.
enum class Coding { float32, uint16, text };

/// Returns whether the attribute is in one of the groups of DICOM-CT-PD.
constexpr bool has_group(std::uint16_t group) {
  return group % 2 == 1 && group >= 0x7029 && group <= 0x7041;
}

constexpr Coding coding_of(std::uint16_t group, std::uint16_t element) {
  if (group == 0x7039 || group == 0x7041 || group == 0x7037 || element < 0x100) return Coding::text;
  constexpr std::array text = {detector_shape, focal_spot_mode};
  for (const DicomTag& tag : text)
    if (tag.group == group && tag.element == element) return Coding::text;
  constexpr std::array whole = {detector_rows, detector_columns, angular_steps, spectra,
                                spectrum_index};
  for (const DicomTag& tag : whole)
    if (tag.group == group && tag.element == element) return Coding::uint16;
  return Coding::float32;
}

}  // namespace ct_pd

}  // namespace gantry
