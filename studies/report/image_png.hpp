#pragma once

#include "studies/study.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// Returns an image as a PNG file: its window in 256 greys, the first row at the bottom.
std::vector<std::byte> png_of(const StudyImage& image);

/// Returns the title with the window: "Shepp-Logan, ART; window 1 about 0.5". The unit follows the
/// numbers.
std::string caption_of(const StudyImage& image);

}  // namespace gantry
