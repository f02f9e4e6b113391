#include "gui/render/painting/triangle_painter.hpp"

#include "gui/render/painting/text_atlas.hpp"
#include "gui/render/painting/window_texts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gantry {

TrianglePainter::TrianglePainter(TextAtlas& atlas, int width_device, int height_device,
                                 double scale)
    : Painter(width_device / scale, height_device / scale, windowRuler(scale)), atlas_(atlas) {}

double TrianglePainter::snap(double logical) const { return std::round(logical * scale()); }

TrianglePainter::Vertex TrianglePainter::solid(double x, double y, Rgb colour,
                                               double opacity) const {
  constexpr float inside_white = 2;
  return {static_cast<float>(x), static_cast<float>(y),      inside_white,
          inside_white,          colour.r / 255.0F,          colour.g / 255.0F,
          colour.b / 255.0F,     static_cast<float>(opacity)};
}

/// Leaves out what is not finite or far outside: software OpenGL interpolates texture coordinates
/// there that lie outside the texture, and reads them.
void TrianglePainter::triangle(const Vertex& a, const Vertex& b, const Vertex& c) {
  constexpr float most_px = 1e5F;
  for (const Vertex& v : {a, b, c})
    if (!(std::abs(v.x) < most_px && std::abs(v.y) < most_px)) return;
  vertices_.insert(vertices_.end(), {a, b, c});
}

void TrianglePainter::quad(double x0, double y0, double x1, double y1, Rgb colour, double opacity) {
  const Vertex a = solid(x0, y0, colour, opacity), b = solid(x1, y0, colour, opacity);
  const Vertex c = solid(x1, y1, colour, opacity), d = solid(x0, y1, colour, opacity);
  triangle(a, b, c);
  triangle(a, c, d);
}

void TrianglePainter::fill(const RectPx& rect, Rgb colour, double opacity) {
  quad(snap(rect.x), snap(rect.y), snap(rect.right()), snap(rect.bottom()), colour, opacity);
}

void TrianglePainter::gradient(const RectPx& rect, const std::vector<Rgb>& colours) {
  const double x0 = snap(rect.x), x1 = snap(rect.right()), top = snap(rect.y),
               bottom = snap(rect.bottom());
  const double step = (top - bottom) / static_cast<double>(colours.size() - 1);
  for (std::size_t i = 1; i < colours.size(); ++i) {
    const double y0 = bottom + step * static_cast<double>(i - 1), y1 = y0 + step;
    const Vertex a = solid(x0, y0, colours[i - 1], 1), b = solid(x1, y0, colours[i - 1], 1);
    const Vertex c = solid(x1, y1, colours[i], 1), d = solid(x0, y1, colours[i], 1);
    triangle(a, b, c);
    triangle(a, c, d);
  }
}

void TrianglePainter::frame(const RectPx& rect, double thickness_px, Rgb colour, double opacity) {
  const double x0 = snap(rect.x), y0 = snap(rect.y), x1 = snap(rect.right()),
               y1 = snap(rect.bottom());
  const double t = std::max(1.0, std::round(thickness_px * scale()));
  quad(x0, y0, x1, y0 + t, colour, opacity);
  quad(x0, y1 - t, x1, y1, colour, opacity);
  quad(x0, y0 + t, x0 + t, y1 - t, colour, opacity);
  quad(x1 - t, y0 + t, x1, y1 - t, colour, opacity);
}

void TrianglePainter::line(PointPx a, PointPx b, double width_px, Rgb colour, double opacity) {
  const double width = std::max(1.0, width_px * scale());
  double ax = a.x * scale(), ay = a.y * scale(), bx = b.x * scale(), by = b.y * scale();
  if (a.x == b.x || a.y == b.y) {  // parallel to an axis: sharp, on whole pixels
    const double w = std::round(width);
    if (a.x == b.x) {
      const double left = std::round(ax - w / 2);
      quad(left, std::min(ay, by), left + w, std::max(ay, by), colour, opacity);
    } else {
      const double top = std::round(ay - w / 2);
      quad(std::min(ax, bx), top, std::max(ax, bx), top + w, colour, opacity);
    }
    return;
  }
  strip({{ax, ay}, {bx, by}}, width, colour, opacity);
}

void TrianglePainter::strip(const std::vector<PointPx>& p, double width, Rgb colour,
                            double opacity) {
  if (p.size() < 2) return;
  const double inner = std::max(0.0, width / 2 - 0.5), outer = width / 2 + 0.5;
  const double offsets[4] = {-outer, -inner, inner, outer}, alphas[4] = {0, opacity, opacity, 0};
  const auto normal = [&](std::size_t i) {
    const double dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y,
                 length = std::max(std::hypot(dx, dy), 1e-9);
    return PointPx{-dy / length, dx / length};
  };
  Vertex before[4], here[4];
  for (std::size_t i = 0; i < p.size(); ++i) {
    const PointPx n0 = normal(i == 0 ? 0 : i - 1), n1 = normal(std::min(i, p.size() - 2));
    // Mitre: the corner lies along the mean normal, at the half width divided by the cosine of half
    // the angle between the segments. Callers keep that angle below 90 degrees.
    const double mx = n0.x + n1.x, my = n0.y + n1.y, square = std::max(mx * mx + my * my, 0.5);
    for (int k = 0; k < 4; ++k)
      here[k] = solid(p[i].x + 2 * offsets[k] * mx / square, p[i].y + 2 * offsets[k] * my / square,
                      colour, alphas[k]);
    for (int k = 0; k < 3 && i > 0; ++k) {
      triangle(before[k], here[k], here[k + 1]);
      triangle(before[k], here[k + 1], before[k + 1]);
    }
    std::copy(here, here + 4, before);
  }
}

void TrianglePainter::polyline(const std::vector<PointPx>& points, double width_px, Rgb colour,
                               double opacity, Dash dash) {
  constexpr double nearest = 0.4;  // device pixels; a shorter segment has no usable direction
  const double width = std::max(1.0, width_px * scale());
  const std::array<double, 4> parts = dash.lengths();
  const auto length_of = [&](std::size_t part) { return parts[part % parts.size()] * scale(); };
  std::vector<PointPx> run;
  double walked = 0;     // length since the stroke or gap began
  std::size_t part = 0;  // even: a stroke
  bool drawing = true;
  PointPx last{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointPx next{points[i].x * scale(), points[i].y * scale()};
    if (i == 0) {
      run = {last = next};
      continue;
    }
    double length = std::hypot(next.x - last.x, next.y - last.y);
    if (length < nearest && i + 1 < points.size()) continue;
    while (dash.off_px > 0 && walked + length >= length_of(part)) {
      const double t = (length_of(part) - walked) / length;
      last = {last.x + t * (next.x - last.x), last.y + t * (next.y - last.y)};
      if (drawing) {
        run.push_back(last);
        strip(run, width, colour, opacity);
      }
      drawing = ++part % 2 == 0;
      run = {last};
      walked = 0;
      length = std::hypot(next.x - last.x, next.y - last.y);
    }
    walked += length;
    if (drawing && run.size() > 1) {
      const PointPx& a = run[run.size() - 2];
      const double turn = (last.x - a.x) * (next.x - last.x) + (last.y - a.y) * (next.y - last.y);
      if (turn <= 0) {  // 90 degrees or more: a mitre would become a spike
        strip(run, width, colour, opacity);
        run = {last};
      }
    }
    if (drawing) run.push_back(next);
    last = next;
  }
  if (drawing) strip(run, width, colour, opacity);
}

void TrianglePainter::disc(PointPx centre, double radius_px, Rgb colour, double opacity) {
  const double cx = centre.x * scale(), cy = centre.y * scale(), radius = radius_px * scale();
  const int steps = std::clamp(static_cast<int>(4 * std::sqrt(radius)) * 2, 12, 96);
  const double inner = std::max(0.0, radius - 0.5), outer = radius + 0.5;
  for (int i = 0; i < steps; ++i) {
    const double t0 = 2 * std::numbers::pi * i / steps, t1 = 2 * std::numbers::pi * (i + 1) / steps;
    const auto at = [&](double t, double r, double alpha) {
      return solid(cx + r * std::cos(t), cy + r * std::sin(t), colour, alpha);
    };
    triangle(solid(cx, cy, colour, opacity), at(t0, inner, opacity), at(t1, inner, opacity));
    triangle(at(t0, inner, opacity), at(t0, outer, 0), at(t1, outer, 0));
    triangle(at(t0, inner, opacity), at(t1, outer, 0), at(t1, inner, opacity));
  }
}

void TrianglePainter::polygon(const std::vector<PointPx>& corners, Rgb colour, double opacity) {
  const auto at = [&](const PointPx& p) {
    return solid(p.x * scale(), p.y * scale(), colour, opacity);
  };
  for (std::size_t i = 2; i < corners.size(); ++i)
    triangle(at(corners[0]), at(corners[i - 1]), at(corners[i]));
}

void TrianglePainter::glyphs(double x, double y, const std::string& words, const TextStyle& style,
                             Rgb colour) {
  const std::optional<TextAtlas::Entry> entry =
      atlas_.place(words, ruler().deviceSize(style), style.bold);
  if (!entry) {
    overflowed_ = true;
    return;
  }
  if (entry->width == 0) return;
  const double w = style.upwards ? entry->height : entry->width,
               h = style.upwards ? entry->width : entry->height;
  const auto corner = [&](double cx, double cy) {
    Vertex v = solid(x + cx * w, y + cy * h, colour, 1);
    const double along = style.upwards ? 1 - cy : cx, up = style.upwards ? 1 - cx : 1 - cy;
    v.s = static_cast<float>(entry->x + along * entry->width);
    v.t = static_cast<float>(entry->y + up * entry->height);
    return v;
  };
  triangle(corner(0, 0), corner(1, 0), corner(1, 1));
  triangle(corner(0, 0), corner(1, 1), corner(0, 1));
}

RectPx TrianglePainter::text(double x, double y, const std::string& words, const TextStyle& style,
                             AlignX ax, AlignY ay) {
  const RectPx place = textRect(x, y, measure(words, style), ax, ay);
  const double dx = snap(place.x), dy = snap(place.y);
  if (style.halo) {
    const double reach = std::max(1.0, std::round(scale()));
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        if (i != 0 || j != 0) glyphs(dx + i * reach, dy + j * reach, words, style, *style.halo);
  }
  glyphs(dx, dy, words, style, style.colour);
  return place;
}

}  // namespace gantry
