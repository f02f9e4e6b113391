#pragma once

namespace gantry {

/// A coded DICOM term for the way in which images were derived from others, or de-identified.
struct DerivationCode {
  const char *value, *scheme, *meaning;
};

/// Terms of the DICOM controlled terminology (PS3.16, annex D).
inline constexpr DerivationCode filtered_back_projection{"113962", "DCM",
                                                         "Filtered Back Projection"};
inline constexpr DerivationCode iterative_reconstruction{"113963", "DCM",
                                                         "Iterative Reconstruction"};
inline constexpr DerivationCode spatial_resampling{"113085", "DCM", "Spatial resampling"};
/// A private term for images that were only rewritten. The standard has none: CID 7203, which may
/// be extended, lists compression with loss, arithmetic, filters, resampling and reformatting.
inline constexpr DerivationCode format_conversion{"CONVERSION", "99GANTRY", "Format conversion"};

}  // namespace gantry
