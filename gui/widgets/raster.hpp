#pragma once

#include <QColor>
#include <QImage>

#include <functional>
#include <vector>

namespace gantry {

/// Values on a rectangle, from the top row of a picture downwards.
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

/// 0 .. 1 on the way from one colour to the other.
QColor mixed(const QColor& from, const QColor& to, double part);
/// Each value as the colour that is made of it.
QImage painted(const Raster& raster, const std::function<QColor(float)>& colour);

}  // namespace gantry
