#include "gui/matrix/matrix_pictures.hpp"

#include "charts/run_colours.hpp"
#include "gui/widgets/palette.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace gantry {

namespace {

constexpr double faintest = 0.3;  // strength of the smallest weight
constexpr double behindShare = 0.3;

QColor onPaper(int index, const QPalette& palette) {
  const Rgb readable =
      readableOn(rgbOf(runQColor(index)), rgbOf(palette.color(QPalette::Base)), 2.2);
  return {readable.r, readable.g, readable.b};
}

/// Returns the part of the colour for a value: 0 for 0, and at least `faintest` for all positive
/// values, so that they are visible.
double strength(double value, double largest) {
  return value > 0 && largest > 0 ? faintest + (1 - faintest) * value / largest : 0;
}

/// Returns the row of the picture, counted from the top, for row y of an image whose rows run
/// upwards (up) or downwards.
int rowOf(int y, int height, bool up) { return up ? height - 1 - y : y; }

/// Returns the values of the slice behind the footprints, at the centres of the picture's dots.
Raster faintSlice(const SliceImage& dots, const FootprintLook& look) {
  Raster raster{dots.width, dots.height, std::vector<float>(dots.values.size())};
  if (look.behind == nullptr || look.behind->values.empty()) return raster;
  for (int y = 0; y < dots.height; ++y)
    for (int x = 0; x < dots.width; ++x)
      raster.at(x, rowOf(y, dots.height, look.up)) = static_cast<float>(
          look.behind->value_at(dots.u0_mm + x * dots.du_mm, dots.v0_mm + y * dots.dv_mm));
  return raster;
}

void drawOver(QImage& picture, const SliceImage& weights, const QColor& colour, bool up) {
  const double largest = std::ranges::max(weights.values);
  for (int y = 0; y < weights.height; ++y)
    for (int x = 0; x < weights.width; ++x) {
      const auto place = static_cast<std::size_t>(y) * static_cast<std::size_t>(weights.width) +
                         static_cast<std::size_t>(x);
      const double part = strength(weights.values[place], largest);
      const int row = rowOf(y, weights.height, up);
      if (part > 0) picture.setPixelColor(x, row, mixed(picture.pixelColor(x, row), colour, part));
    }
}

}  // namespace

QColor ray_colour(std::size_t copy, const QPalette& palette) {
  if (copy == 0) return onPaper(0, palette);
  const int others = runColourCount() - 2, index = static_cast<int>(copy - 1);
  // When all colours are used they are used again, paler.
  return mixed(onPaper(2 + index % others, palette), palette.color(QPalette::Text),
               0.35 * (index / others));
}

QColor voxel_colour(const QPalette& palette) { return onPaper(1, palette); }

QImage sparsity_picture(const ViewSparsity& sparsity, const QPalette& palette) {
  Raster raster{sparsity.width, sparsity.height, {}};
  raster.values.reserve(sparsity.count.size());
  for (const std::uint32_t count : sparsity.count)
    raster.values.push_back(std::log1p(static_cast<float>(count)));
  const QColor ground = palette.color(QPalette::Base), ink = palette.color(QPalette::Text);
  // The scale begins at the smallest positive count, so that differences are visible even where all
  // dots are filled.
  float fewest = raster.largest();
  for (const float value : raster.values)
    if (value > 0) fewest = std::min(fewest, value);
  const double least = fewest, range = raster.largest() - least;
  return painted(raster, [&](float value) {
    const double part = range > 0 ? strength(value - least + 1e-6, range) : 1;
    return value > 0 ? mixed(ground, ink, part) : ground;
  });
}

QImage footprint_picture(const std::vector<RayCopy>& rays, const VolumeGrid& grid,
                         const FootprintLook& look, const QPalette& palette) {
  const QColor ground = palette.color(QPalette::Base), ink = palette.color(QPalette::Text);
  const auto dots_of = [&](const RowWeights& row) {
    return footprint(row, grid, look.slice, look.dots.width(), look.dots.height());
  };
  const Raster below = faintSlice(dots_of({}), look);
  const double brightest = below.largest();
  QImage picture = painted(below, [&](float value) {
    return mixed(ground, ink, brightest > 0 ? behindShare * value / brightest : 0);
  });
  for (std::size_t i = rays.size(); i-- > 0;)
    drawOver(picture, dots_of(rays[i].row), ray_colour(i, palette), look.up);
  return picture;
}

QImage column_picture(const std::vector<RayWeight>& column, QSize elements, QSize dots,
                      const QPalette& palette) {
  Raster raster{
      std::min(elements.width(), dots.width()), std::min(elements.height(), dots.height()), {}};
  raster.values.assign(raster.place(0, raster.height), 0.0F);
  std::map<std::pair<int, int>, double> sums;  // by (view, detector column)
  for (const RayWeight& element : column)
    sums[{element.ray.view, element.ray.column}] += element.weight;
  for (const auto& [at, weight] : sums) {
    const auto dot = [](std::int64_t i, int of, int count) {
      return static_cast<int>(i * count / of);
    };
    float& value = raster.at(dot(at.second, elements.width(), raster.width),
                             dot(at.first, elements.height(), raster.height));
    value = std::max(value, static_cast<float>(weight));
  }
  const QColor ground = palette.color(QPalette::Base), colour = voxel_colour(palette);
  const double largest = raster.largest();
  return painted(raster,
                 [&](float value) { return mixed(ground, colour, strength(value, largest)); });
}

QImage occupancy_picture(const BlockOccupancy& blocks, float fullest, const QPalette& palette) {
  const QColor ground = palette.color(QPalette::Base), ink = palette.color(QPalette::Text);
  return painted({blocks.width, blocks.height, blocks.share},
                 [&](float share) { return mixed(ground, ink, strength(share, fullest)); });
}

}  // namespace gantry
