#pragma once

#include "gui/render/render_offscreen.hpp"

#include <QtTest>

#include <cstdlib>

/// Skips a test function where there is no display to draw on.
#define NEEDS_DISPLAY() \
  if (!qEnvironmentVariableIsSet("DISPLAY")) QSKIP("no display")

namespace gantry {

/// Returns the largest difference of a channel.
inline int colourDistance(Rgb a, Rgb b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/// Returns the number of pixels of a rectangle within `tolerance` of a colour.
inline int countNear(const RgbImage& image, Rgb colour, int tolerance, int x0, int y0, int x1,
                     int y1) {
  int count = 0;
  for (int y = std::max(y0, 0); y < std::min(y1, image.height); ++y)
    for (int x = std::max(x0, 0); x < std::min(x1, image.width); ++x)
      count += colourDistance(image.at(x, y), colour) <= tolerance ? 1 : 0;
  return count;
}
inline int countNear(const RgbImage& image, Rgb colour, int tolerance) {
  return countNear(image, colour, tolerance, 0, 0, image.width, image.height);
}

}  // namespace gantry

/// Checks that a pixel has a colour, within `tolerance` in every channel; the message has both
/// colours.
#define EXPECT_COLOUR(image, x, y, expected, tolerance)                                 \
  do {                                                                                  \
    const gantry::Rgb actual_ = (image).at(x, y), expected_ = (expected);               \
    QVERIFY2(gantry::colourDistance(actual_, expected_) <= (tolerance),                 \
             qPrintable(QStringLiteral("pixel (%1, %2) is %3 %4 %5, expected %6 %7 %8") \
                            .arg(x)                                                     \
                            .arg(y)                                                     \
                            .arg(actual_.r)                                             \
                            .arg(actual_.g)                                             \
                            .arg(actual_.b)                                             \
                            .arg(expected_.r)                                           \
                            .arg(expected_.g)                                           \
                            .arg(expected_.b)));                                        \
  } while (false)
