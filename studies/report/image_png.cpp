#include "studies/report/image_png.hpp"

#include "core/io/pictures/png.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::vector<std::uint8_t> greys_of(const StudyImage& image) {
  std::vector<std::uint8_t> greys(image.values.size());
  for (std::size_t i = 0; i < greys.size(); ++i) {
    const double share = (image.values[i] - image.low) / (image.high - image.low);
    if (!std::isnan(share))
      greys[i] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
  }
  return greys;
}

std::string file_name(const StudyImage& image) { return image.key + ".png"; }

std::vector<std::byte> png_of(const StudyImage& image) {
  const auto width = static_cast<std::ptrdiff_t>(image.width),
             height = static_cast<std::ptrdiff_t>(image.height);
  const std::vector<std::uint8_t> greys = greys_of(image);
  std::vector<std::uint8_t> from_the_top;
  for (std::ptrdiff_t y = height - 1; y >= 0; --y)
    from_the_top.insert(from_the_top.end(), greys.begin() + y * width,
                        greys.begin() + (y + 1) * width);
  return grey_png(image.width, image.height, from_the_top);
}

std::string caption_of(const StudyImage& image) {
  const std::string unit = image.unit.empty() ? "" : " " + image.unit;
  return image.title + "; grey from " + shown(image.low) + " to " + shown(image.high) + unit;
}

}  // namespace gantry
