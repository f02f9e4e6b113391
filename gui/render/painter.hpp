#pragma once

#include "gui/render/colour.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

class TextAtlas;

enum class AlignX { left, centre, right };
enum class AlignY { top, middle, bottom };

struct TextStyle {
  Rgb colour;
  double size_px = 12;
  bool bold = false;
  std::optional<Rgb> halo{};  ///< outline that keeps the text readable on any ground
  bool upwards = false;       ///< runs from bottom to top, like the title of a y axis
};

/// A point in logical pixels from the top left corner of a view; y grows downwards.
struct PointPx {
  double x = 0, y = 0;
};

struct SizePx {
  double width = 0, height = 0;
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

/// Lengths of stroke and gap along a line; a gap of 0 is a solid line.
struct Dash {
  double on_px = 0, off_px = 0;
};

/// Multiplies the size of all texts, for an audience; 1 at first.
void setTextScale(double factor);
double textScale();

/// Returns the size of a text in logical pixels at `scale` device pixels per logical pixel; needs
/// no graphics context.
SizePx measureText(const std::string& text, const TextStyle& style, double scale);

/// Returns `text` shortened with an ellipsis to at most `width_px`; empty when not even three
/// letters fit.
std::string elideText(const std::string& text, const TextStyle& style, double width_px,
                      double scale);

/// Collects the shapes and texts of one frame as triangles, in drawing order. Edges that are not
/// parallel to an axis fade over one device pixel, so that no multisampling is needed.
class Painter {
 public:
  struct Vertex {
    float x, y;  ///< device pixels from the top left corner
    float s, t;  ///< position in the atlas, texels
    float r, g, b, a;
  };

  Painter(TextAtlas& atlas, int width_device, int height_device, double scale);

  double widthPx() const { return width_ / scale_; }
  double heightPx() const { return height_ / scale_; }
  double scale() const { return scale_; }
  /// Returns the width of the thinnest line, one device pixel, in logical pixels.
  double hairline() const { return 1.0 / scale_; }

  SizePx measure(const std::string& text, const TextStyle& style) const {
    return measureText(text, style, scale_);
  }
  /// Draws `text` with its left/centre/right and top/middle/bottom at (x, y); returns the rectangle
  /// that the text covers.
  RectPx text(double x, double y, const std::string& text, const TextStyle& style,
              AlignX ax = AlignX::left, AlignY ay = AlignY::top);
  std::string elided(const std::string& text, const TextStyle& style, double width_px) const {
    return elideText(text, style, width_px, scale_);
  }

  void fill(const RectPx& rect, Rgb colour, double opacity = 1);
  /// Draws a colour scale: `colours` from the bottom of the rectangle to its top, interpolated
  /// between them.
  void gradient(const RectPx& rect, const std::vector<Rgb>& colours);
  /// Draws a frame whose outer edge is `rect`.
  void frame(const RectPx& rect, double thickness_px, Rgb colour, double opacity = 1);
  void line(PointPx a, PointPx b, double width_px, Rgb colour, double opacity = 1);
  /// Draws a connected line with mitred corners, solid without `dash`.
  void polyline(const std::vector<PointPx>& points, double width_px, Rgb colour, double opacity = 1,
                Dash dash = {});
  void disc(PointPx centre, double radius_px, Rgb colour, double opacity = 1);
  /// Draws a filled convex polygon.
  void polygon(const std::vector<PointPx>& corners, Rgb colour, double opacity = 1);
  /// Draws a rounded label, `text` on a filled background with its centre at (x, y); returns the
  /// rectangle that the label covers.
  RectPx pill(double x, double y, const std::string& text, const TextStyle& style, Rgb fill,
              double opacity);

  const std::vector<Vertex>& vertices() const { return vertices_; }
  /// Returns whether a text did not fit into the atlas; the caller then clears the atlas and draws
  /// the frame again.
  bool overflowed() const { return overflowed_; }

 private:
  double snap(double logical) const;
  void triangle(const Vertex& a, const Vertex& b, const Vertex& c);
  void strip(const std::vector<PointPx>& device, double width_device, Rgb colour, double opacity);
  void quad(double x0, double y0, double x1, double y1, Rgb colour, double opacity);
  Vertex solid(double x_device, double y_device, Rgb colour, double opacity) const;
  void glyphs(double x_device, double y_device, const std::string& text, const TextStyle& style,
              Rgb colour);

  TextAtlas& atlas_;
  double width_, height_, scale_;
  std::vector<Vertex> vertices_;
  bool overflowed_ = false;
};

}  // namespace gantry
