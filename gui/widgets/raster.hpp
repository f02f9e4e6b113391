#pragma once

#include <QColor>
#include <QImage>

#include <functional>
#include <vector>

namespace gantry {

/// Values of a picture, [y][x] with rows from top to bottom.
struct Raster {
  int width = 0, height = 0;
  std::vector<float> values;

  std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  float& at(int x, int y) { return values[place(x, y)]; }
  float at(int x, int y) const { return values[place(x, y)]; }
  float largest() const;
};

/// Returns the colour at `part` (0 .. 1) between two colours.
QColor mixed(const QColor& from, const QColor& to, double part);
/// Returns the picture in which each value has the colour that `colour` maps it to.
QImage painted(const Raster& raster, const std::function<QColor(float)>& colour);

}  // namespace gantry
