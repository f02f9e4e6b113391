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

int enlargement(const StudyImage& image) {
  constexpr int least_width = 256, most_height = 1024;
  const int factor = (least_width + image.width - 1) / image.width;
  return std::max(1, std::min(factor, most_height / image.height));
}

StudyImage enlarged(const StudyImage& image, int factor) {
  StudyImage large = image;
  large.width *= factor;
  large.height *= factor;
  large.values.clear();
  for (int y = 0; y < large.height; ++y)
    for (int x = 0; x < large.width; ++x)
      large.values.push_back(image.values[static_cast<std::size_t>(y / factor) *
                                              static_cast<std::size_t>(image.width) +
                                          static_cast<std::size_t>(x / factor)]);
  return large;
}

std::string caption_of(const StudyImage& image) {
  const std::string unit = image.unit.empty() ? "" : " " + image.unit;
  return image.title + "; grey from " + shown(image.low) + " to " + shown(image.high) + unit;
}

}  // namespace gantry
