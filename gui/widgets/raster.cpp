#include "gui/widgets/raster.hpp"

#include <algorithm>

namespace gantry {

float Raster::largest() const { return values.empty() ? 0 : *std::ranges::max_element(values); }

QColor mixed(const QColor& from, const QColor& to, double part) {
  const double t = std::clamp(part, 0.0, 1.0);
  const auto channel = [t](int a, int b) { return qRound(a + t * (b - a)); };
  return {channel(from.red(), to.red()), channel(from.green(), to.green()),
          channel(from.blue(), to.blue())};
}

QImage painted(const Raster& raster, const std::function<QColor(float)>& colour) {
  QImage image(raster.width, raster.height, QImage::Format_RGB32);
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x) image.setPixelColor(x, y, colour(raster.at(x, y)));
  return image;
}

}  // namespace gantry
