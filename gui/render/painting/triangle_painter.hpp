#pragma once

#include "charts/painting/painter.hpp"

namespace gantry {

class TextAtlas;

/// Collects the shapes and texts of one frame as triangles, in drawing order. Edges that are not
/// parallel to an axis fade over one device pixel, so that no multisampling is needed.
class TrianglePainter : public Painter {
 public:
  struct Vertex {
    float x, y;  ///< device pixels from the top left corner
    float s, t;  ///< position in the atlas, texels
    float r, g, b, a;
  };

  TrianglePainter(TextAtlas& atlas, int width_device, int height_device, double scale);

  RectPx text(double x, double y, const std::string& text, const TextStyle& style,
              AlignX ax = AlignX::left, AlignY ay = AlignY::top) override;
  void fill(const RectPx& rect, Rgb colour, double opacity = 1) override;
  void gradient(const RectPx& rect, const std::vector<Rgb>& colours) override;
  void frame(const RectPx& rect, double thickness_px, Rgb colour, double opacity = 1) override;
  void line(PointPx a, PointPx b, double width_px, Rgb colour, double opacity = 1) override;
  void polyline(const std::vector<PointPx>& points, double width_px, Rgb colour, double opacity = 1,
                Dash dash = {}) override;
  void disc(PointPx centre, double radius_px, Rgb colour, double opacity = 1) override;
  void polygon(const std::vector<PointPx>& corners, Rgb colour, double opacity = 1) override;

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
  std::vector<Vertex> vertices_;
  bool overflowed_ = false;
};

}  // namespace gantry
