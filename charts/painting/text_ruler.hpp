#pragma once

#include "charts/painting/colour.hpp"

#include <optional>
#include <string>

namespace gantry {

struct TextStyle {
  Rgb colour;
  double size_px = 12;
  bool bold = false;
  std::optional<Rgb> halo{};  ///< outline that keeps the text readable on any ground
  bool upwards = false;       ///< runs from bottom to top, like the title of a y axis
};

struct SizePx {
  double width = 0, height = 0;
};

/// Measures texts in a font at a number of device pixels per logical pixel.
class TextRuler {
 public:
  /// Returns the size of a text in device pixels whose letters are `size_device` pixels high.
  using Measure = SizePx (*)(const std::string& text, int size_device, bool bold);

  /// `enlargement` multiplies the size of all texts, for an audience.
  TextRuler(Measure measure, double scale, double enlargement)
      : measure_(measure), scale_(scale), enlargement_(enlargement) {}

  double scale() const { return scale_; }
  double enlargement() const { return enlargement_; }
  /// Returns the height of the letters of a text, device pixels.
  int deviceSize(const TextStyle& style) const;
  /// Returns the size of a text in logical pixels.
  SizePx size(const std::string& text, const TextStyle& style) const;
  /// Returns `text` shortened with an ellipsis to at most `width_px`; empty when not even three
  /// letters fit.
  std::string elided(const std::string& text, const TextStyle& style, double width_px) const;

 private:
  Measure measure_;
  double scale_, enlargement_;
};

/// Returns a ruler with the widths of DejaVu Sans from a table, for drawings that become files
/// without a window: it needs no library of fonts. Letters beyond ASCII have a mean width.
TextRuler table_ruler();

}  // namespace gantry
