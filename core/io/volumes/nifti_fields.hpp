#pragma once

#include <cstddef>
#include <string_view>

/// Positions of the fields of a NIfTI-1 header (nifti.nimh.nih.gov/nifti-1), bytes.
namespace gantry::nifti {

inline constexpr std::size_t header_bytes = 348, dim_at = 40, datatype_at = 70, bitpix_at = 72,
                             pixdim_at = 76, vox_offset_at = 108, slope_at = 112,
                             intercept_at = 116, units_at = 123, description_at = 148,
                             description_bytes = 80, qform_at = 252, sform_at = 254,
                             quaternion_at = 256, q_offset_at = 268, s_rows_at = 280,
                             magic_at = 344, least_offset = 352;
inline constexpr std::string_view magic("n+1\0", 4);
/// Of a header whose values lie in a file beside it.
inline constexpr std::string_view magic_of_pair("ni1\0", 4);

}  // namespace gantry::nifti
