#pragma once

#include "charts/painting/drawing.hpp"

namespace gantry {

/// Keeps what is drawn as shapes and texts, instead of making pixels of it.
class RecordingPainter : public Painter {
 public:
  RecordingPainter(double width_px, double height_px, const TextRuler& ruler);

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

  Drawing& drawing() { return drawing_; }

 private:
  Drawing drawing_;
};

}  // namespace gantry
