#pragma once

#include "charts/painting/painter.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gantry {

struct RgbImage;

/// Width of the halo of a text on either side of a letter, logical pixels.
inline constexpr double halo_px = 1;

/// A filled polygon.
struct DrawnArea {
  std::vector<PointPx> corners;
  Rgb colour;
  double opacity = 1;
};

struct DrawnLine {
  std::vector<PointPx> points;
  double width_px = 1;
  Rgb colour;
  double opacity = 1;
  Dash dash = {};
};

struct DrawnDisc {
  PointPx centre;
  double radius_px = 0;
  Rgb colour;
  double opacity = 1;
};

/// A rectangle with colours from its bottom to its top.
struct DrawnGradient {
  RectPx place;
  std::vector<Rgb> colours;
};

/// A text of one line. Fonts differ in width, so that the side that `ax` names stays where it is.
struct DrawnText {
  std::string text;
  PointPx at;  ///< of the base line, at the left, in the middle or at the right
  AlignX ax = AlignX::left;
  TextStyle style;  ///< with the size that the letters have
};

/// Pixels in a rectangle.
struct DrawnPicture {
  RectPx place;
  std::shared_ptr<const RgbImage> image;
};

struct Drawing;

/// Another drawing, of which the part in a rectangle of its own is shown at `place`.
struct DrawnPart {
  RectPx place;
  PointPx origin;  ///< the point of `drawing` that is at the left top of `place`
  std::shared_ptr<const Drawing> drawing;
};

/// Shapes, texts and pictures of a figure, in their order, in logical pixels: what files that can
/// be enlarged hold instead of pixels.
struct Drawing {
  using Item = std::variant<DrawnArea, DrawnLine, DrawnDisc, DrawnGradient, DrawnText, DrawnPicture,
                            DrawnPart>;
  double width_px = 0, height_px = 0;
  std::vector<Item> items;
};

}  // namespace gantry
