#include "gui/render/painter.hpp"

#include "gui/render/text_atlas.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gantry {

namespace {

double text_scale = 1;

int deviceSize(const TextStyle& style, double scale) {
  return std::max(6, static_cast<int>(std::lround(style.size_px * text_scale * scale)));
}

/// Returns the index of the first byte of the UTF-8 character that ends before `end`.
std::size_t previousCharacter(const std::string& text, std::size_t end) {
  std::size_t start = end;
  do --start;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U);
  return start;
}

}  // namespace

void setTextScale(double factor) { text_scale = factor; }
double textScale() { return text_scale; }

SizePx measureText(const std::string& text, const TextStyle& style, double scale) {
  auto [width, height] = TextAtlas::measure(text, deviceSize(style, scale), style.bold);
  if (style.upwards) std::swap(width, height);
  return {width / scale, height / scale};
}

std::string elideText(const std::string& text, const TextStyle& style, double width_px,
                      double scale) {
  if (measureText(text, style, scale).width <= width_px) return text;
  for (std::size_t end = text.size(); end > 3;) {
    end = previousCharacter(text, end);
    std::string kept = text.substr(0, end);
    while (!kept.empty() && kept.back() == ' ') kept.pop_back();
    if (kept.size() < 3) break;
    kept += "\u2026";
    if (measureText(kept, style, scale).width <= width_px) return kept;
  }
  return {};
}

Painter::Painter(TextAtlas& atlas, int width_device, int height_device, double scale)
    : atlas_(atlas), width_(width_device), height_(height_device), scale_(scale) {}

double Painter::snap(double logical) const { return std::round(logical * scale_); }

Painter::Vertex Painter::solid(double x, double y, Rgb colour, double opacity) const {
  constexpr float inside_white = 2;
  return {static_cast<float>(x), static_cast<float>(y),      inside_white,
          inside_white,          colour.r / 255.0F,          colour.g / 255.0F,
          colour.b / 255.0F,     static_cast<float>(opacity)};
}

void Painter::triangle(const Vertex& a, const Vertex& b, const Vertex& c) {
  vertices_.insert(vertices_.end(), {a, b, c});
}

void Painter::quad(double x0, double y0, double x1, double y1, Rgb colour, double opacity) {
  const Vertex a = solid(x0, y0, colour, opacity), b = solid(x1, y0, colour, opacity);
  const Vertex c = solid(x1, y1, colour, opacity), d = solid(x0, y1, colour, opacity);
  triangle(a, b, c);
  triangle(a, c, d);
}

void Painter::fill(const RectPx& rect, Rgb colour, double opacity) {
  quad(snap(rect.x), snap(rect.y), snap(rect.right()), snap(rect.bottom()), colour, opacity);
}

void Painter::gradient(const RectPx& rect, const std::vector<Rgb>& colours) {
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

void Painter::frame(const RectPx& rect, double thickness_px, Rgb colour, double opacity) {
  const double x0 = snap(rect.x), y0 = snap(rect.y), x1 = snap(rect.right()),
               y1 = snap(rect.bottom());
  const double t = std::max(1.0, std::round(thickness_px * scale_));
  quad(x0, y0, x1, y0 + t, colour, opacity);
  quad(x0, y1 - t, x1, y1, colour, opacity);
  quad(x0, y0 + t, x0 + t, y1 - t, colour, opacity);
  quad(x1 - t, y0 + t, x1, y1 - t, colour, opacity);
}

void Painter::line(PointPx a, PointPx b, double width_px, Rgb colour, double opacity) {
  const double width = std::max(1.0, width_px * scale_);
  double ax = a.x * scale_, ay = a.y * scale_, bx = b.x * scale_, by = b.y * scale_;
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

void Painter::strip(const std::vector<PointPx>& p, double width, Rgb colour, double opacity) {
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

void Painter::polyline(const std::vector<PointPx>& points, double width_px, Rgb colour,
                       double opacity, Dash dash) {
  constexpr double nearest = 0.4;  // device pixels; a shorter segment has no usable direction
  const double width = std::max(1.0, width_px * scale_), on = dash.on_px * scale_,
               off = dash.off_px * scale_;
  std::vector<PointPx> run;
  double walked = 0;  // length since the dash or gap began
  bool drawing = true;
  PointPx last{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointPx next{points[i].x * scale_, points[i].y * scale_};
    if (i == 0) {
      run = {last = next};
      continue;
    }
    double length = std::hypot(next.x - last.x, next.y - last.y);
    if (length < nearest && i + 1 < points.size()) continue;
    while (off > 0 && walked + length >= (drawing ? on : off)) {
      const double t = ((drawing ? on : off) - walked) / length;
      last = {last.x + t * (next.x - last.x), last.y + t * (next.y - last.y)};
      if (drawing) {
        run.push_back(last);
        strip(run, width, colour, opacity);
      }
      drawing = !drawing;
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

void Painter::disc(PointPx centre, double radius_px, Rgb colour, double opacity) {
  const double cx = centre.x * scale_, cy = centre.y * scale_, radius = radius_px * scale_;
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

void Painter::polygon(const std::vector<PointPx>& corners, Rgb colour, double opacity) {
  const auto at = [&](const PointPx& p) {
    return solid(p.x * scale_, p.y * scale_, colour, opacity);
  };
  for (std::size_t i = 2; i < corners.size(); ++i)
    triangle(at(corners[0]), at(corners[i - 1]), at(corners[i]));
}

RectPx Painter::pill(double x, double y, const std::string& words, const TextStyle& style,
                     Rgb background, double opacity) {
  const SizePx size = measure(words, style);
  const RectPx box{x - size.width / 2 - 7, y - size.height / 2 - 2, size.width + 14,
                   size.height + 4};
  fill(box, background, opacity);
  text(x, y, words, style, AlignX::centre, AlignY::middle);
  return box;
}

void Painter::glyphs(double x, double y, const std::string& words, const TextStyle& style,
                     Rgb colour) {
  const std::optional<TextAtlas::Entry> entry =
      atlas_.place(words, deviceSize(style, scale_), style.bold);
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

RectPx Painter::text(double x, double y, const std::string& words, const TextStyle& style,
                     AlignX ax, AlignY ay) {
  const SizePx size = measure(words, style);
  const double left = x - (ax == AlignX::left     ? 0
                           : ax == AlignX::centre ? size.width / 2
                                                  : size.width);
  const double top = y - (ay == AlignY::top      ? 0
                          : ay == AlignY::middle ? size.height / 2
                                                 : size.height);
  const double dx = snap(left), dy = snap(top);
  if (style.halo) {
    const double reach = std::max(1.0, std::round(scale_));
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        if (i != 0 || j != 0) glyphs(dx + i * reach, dy + j * reach, words, style, *style.halo);
  }
  glyphs(dx, dy, words, style, style.colour);
  return {left, top, size.width, size.height};
}

}  // namespace gantry
