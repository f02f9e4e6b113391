#pragma once

#include "charts/painting/colour.hpp"
#include "charts/painting/text_ruler.hpp"

#include <array>
#include <string>
#include <vector>

namespace gantry {

enum class AlignX { left, centre, right };
enum class AlignY { top, middle, bottom };

/// A point in logical pixels from the top left corner of a view; y grows downwards.
struct PointPx {
  double x = 0, y = 0;
};

struct RectPx {
  double x = 0, y = 0, width = 0, height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  PointPx centre() const { return {x + width / 2, y + height / 2}; }
  bool contains(double px, double py) const {
    return px >= x && px < right() && py >= y && py < bottom();
  }
  bool overlaps(const RectPx& o) const {
    return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
  }
  RectPx grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
};

/// Lengths of stroke and gap along a line; a gap of 0 is a solid line. A second stroke and gap may
/// follow the first ones.
struct Dash {
  double on_px = 0, off_px = 0, second_on_px = 0, second_off_px = 0;

  /// Returns the lengths of stroke, gap, stroke and gap, after which they begin again.
  std::array<double, 4> lengths() const {
    if (second_off_px > 0) return {on_px, off_px, second_on_px, second_off_px};
    return {on_px, off_px, on_px, off_px};
  }
};

/// Draws shapes and texts over a view. What draws with it does not know whether pixels become of
/// it or the lines of a file: see TrianglePainter and RecordingPainter.
class Painter {
 public:
  virtual ~Painter() = default;
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  double widthPx() const { return width_px_; }
  double heightPx() const { return height_px_; }
  double scale() const { return ruler_.scale(); }
  const TextRuler& ruler() const { return ruler_; }
  /// Returns the width of the thinnest line, one device pixel, in logical pixels.
  double hairline() const { return 1.0 / scale(); }

  SizePx measure(const std::string& text, const TextStyle& style) const {
    return ruler_.size(text, style);
  }
  std::string elided(const std::string& text, const TextStyle& style, double width_px) const {
    return ruler_.elided(text, style, width_px);
  }

  /// Draws `text` with its left/centre/right and top/middle/bottom at (x, y); returns the rectangle
  /// that the text covers.
  virtual RectPx text(double x, double y, const std::string& text, const TextStyle& style,
                      AlignX ax = AlignX::left, AlignY ay = AlignY::top) = 0;
  virtual void fill(const RectPx& rect, Rgb colour, double opacity = 1) = 0;
  /// Draws a colour scale: `colours` from the bottom of the rectangle to its top, interpolated
  /// between them.
  virtual void gradient(const RectPx& rect, const std::vector<Rgb>& colours) = 0;
  /// Draws a frame whose outer edge is `rect`.
  virtual void frame(const RectPx& rect, double thickness_px, Rgb colour, double opacity = 1) = 0;
  virtual void line(PointPx a, PointPx b, double width_px, Rgb colour, double opacity = 1) = 0;
  /// Draws a connected line with mitred corners, solid without `dash`.
  virtual void polyline(const std::vector<PointPx>& points, double width_px, Rgb colour,
                        double opacity = 1, Dash dash = {}) = 0;
  virtual void disc(PointPx centre, double radius_px, Rgb colour, double opacity = 1) = 0;
  /// Draws a filled convex polygon.
  virtual void polygon(const std::vector<PointPx>& corners, Rgb colour, double opacity = 1) = 0;
  /// Draws a rounded label, `text` on a filled background with its centre at (x, y); returns the
  /// rectangle that the label covers.
  RectPx pill(double x, double y, const std::string& text, const TextStyle& style, Rgb fill,
              double opacity);

 protected:
  Painter(double width_px, double height_px, const TextRuler& ruler)
      : width_px_(width_px), height_px_(height_px), ruler_(ruler) {}

 private:
  double width_px_, height_px_;
  TextRuler ruler_;
};

/// Returns the rectangle of a text of this size whose left/centre/right and top/middle/bottom is at
/// (x, y).
RectPx textRect(double x, double y, SizePx size, AlignX ax, AlignY ay);

}  // namespace gantry
