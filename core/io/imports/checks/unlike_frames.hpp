#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// The medians of the finite values in blocks of a frame, [row][column], which neither noise nor
/// single cells change: at most 16 x 16 of them, of 8 x 8 cells or more where the frame is so
/// large.
std::vector<float> coarse_picture(std::span<const float> values, std::size_t columns);

/// Return the indices of pictures that differ grossly from the median of all. Of flats, less
/// `dark`: in their brightness by more than a fifth, or, made as bright as that, in a block by more
/// than a tenth of its mean. Of darks: in a block by more than a tenth of `beam`.
std::vector<int> unlike_flats(std::span<const std::vector<float>> pictures, double dark);
std::vector<int> unlike_darks(std::span<const std::vector<float>> pictures, double beam);

}  // namespace gantry
