#pragma once

#include "studies/study.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

/// Returns the window of an image in 256 greys, [iy][ix]; black for what is no number.
std::vector<std::uint8_t> greys_of(const StudyImage& image);

/// Returns the name of an image's file: "KEY.png".
std::string file_name(const StudyImage& image);

/// Returns an image as a PNG file: its window in 256 greys, the first row at the bottom.
std::vector<std::byte> png_of(const StudyImage& image);

/// Returns the factor by which a report enlarges an image: the least whole one with which the image
/// is 256 pixels wide, or 1 where this would make it higher than 1024.
int enlargement(const StudyImage& image);

/// Returns an image with `factor` x `factor` pixels of the same value for each one.
StudyImage enlarged(const StudyImage& image, int factor);

/// Returns the title with the window: "Shepp-Logan, ART; grey from 0 to 1". The unit follows the
/// numbers.
std::string caption_of(const StudyImage& image);

}  // namespace gantry
