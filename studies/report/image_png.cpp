#include "studies/report/image_png.hpp"

#include "core/io/pictures/png.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::vector<std::byte> png_of(const StudyImage& image) {
  const auto width = static_cast<std::size_t>(image.width),
             height = static_cast<std::size_t>(image.height);
  std::vector<std::uint8_t> grey(width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const double value = image.values[(height - 1 - y) * width + x],
                   share = (value - image.low) / (image.high - image.low);
      if (!std::isnan(share))
        grey[y * width + x] =
            static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
    }
  return grey_png(image.width, image.height, grey);
}

std::string caption_of(const StudyImage& image) {
  const std::string unit = image.unit.empty() ? "" : " " + image.unit;
  return image.title + "; window " + shown(image.high - image.low) + unit + " about " +
         shown(0.5 * (image.low + image.high)) + unit;
}

}  // namespace gantry
