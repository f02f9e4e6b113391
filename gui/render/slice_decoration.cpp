#include "gui/render/slice_decoration.hpp"

#include "gui/render/nice_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double header_px = 22, frame_px = 2, margin_px = 8;
constexpr double title_size = 12, text_size = 12, letter_size = 13;
constexpr double dot_radius = 4.5;

TextStyle titleStyle(const Theme& theme) { return {theme.text, title_size, true}; }
TextStyle statusStyle(const Theme& theme) { return {mix(theme.muted, theme.text, 0.5), text_size}; }
/// Text on the picture: outlined, so readable on anything; light on maps that are mostly dark.
TextStyle onPicture(const SliceDecoration& d, double size = text_size) {
  const bool light_map = d.map == ColourMap::diverging;
  return {rgb(light_map ? 0x101010 : 0xFFFFFF), size, false, rgb(light_map ? 0xFFFFFF : 0x000000)};
}

double titleLeft(const SliceLayout& layout, const SliceDecoration& d) {
  return layout.header.x + margin_px + (d.frame ? 2 * dot_radius + 6 : 0);
}

void drawHeader(Painter& painter, const SliceLayout& layout, const SliceDecoration& d,
                const Theme& theme) {
  const RectPx& header = layout.header;
  if (header.height <= 0) return;
  painter.fill(header,
               d.frame ? mix(theme.panel, *d.frame, theme.dark ? 0.16 : 0.12) : theme.panel);
  const double middle = header.y + header.height / 2;
  if (d.frame) painter.disc({header.x + margin_px + dot_radius, middle}, dot_radius, *d.frame);
  double right = header.right() - margin_px;
  if (layout.status_in_header) {
    const RectPx box =
        painter.text(right, middle, d.status, statusStyle(theme), AlignX::right, AlignY::middle);
    right = box.x - margin_px;
  }
  const double left = titleLeft(layout, d);
  painter.text(left, middle, painter.elided(d.title, titleStyle(theme), right - left),
               titleStyle(theme), AlignX::left, AlignY::middle);
}

void drawLetters(Painter& painter, const SliceLayout& layout, const SliceDecoration& d) {
  const EdgeLetters& letters = d.letters;
  TextStyle style = onPicture(d, letter_size);
  style.bold = true;
  const RectPx& p = layout.picture;
  const PointPx c = p.centre();
  painter.text(p.x + margin_px, c.y, letters.left, style, AlignX::left, AlignY::middle);
  painter.text(p.right() - margin_px, c.y, letters.right, style, AlignX::right, AlignY::middle);
  painter.text(c.x, p.y + 5, letters.top, style, AlignX::centre, AlignY::top);
  painter.text(c.x, p.bottom() - 5, letters.bottom, style, AlignX::centre, AlignY::bottom);
}

void drawScaleBar(Painter& painter, const SliceLayout& layout, const SliceDecoration& d,
                  double mm_per_pixel) {
  const std::optional<ScaleBar> bar = scaleBarFor(layout, mm_per_pixel);
  if (!bar) return;
  const TextStyle style = onPicture(d);
  const RectPx& line = bar->line;
  constexpr double tick = 6;
  const RectPx ends[3] = {line,
                          {line.x, line.bottom() - tick, 2, tick},
                          {line.right() - 2, line.bottom() - tick, 2, tick}};
  for (const RectPx& part : ends) painter.fill(part.grown(1), *style.halo);
  for (const RectPx& part : ends) painter.fill(part, style.colour);
  painter.text(line.x, line.bottom() - tick - 3, lengthText(bar->length_mm), style, AlignX::left,
               AlignY::bottom);
}

void drawColourBar(Painter& painter, const SliceLayout& layout, const SliceDecoration& d) {
  if (!layout.colour_bar) return;
  const RectPx& bar = *layout.colour_bar;
  const TextStyle style = onPicture(d);
  painter.frame(bar.grown(1), painter.hairline(), style.colour);
  painter.frame(bar.grown(2), painter.hairline(), *style.halo);
  const double low = d.level - d.window / 2, high = d.level + d.window / 2;
  for (const Tick& tick : linearTicks(low, high, std::max(3, static_cast<int>(bar.height / 26)))) {
    const double y = bar.bottom() - (tick.value - low) / (high - low) * bar.height;
    painter.fill({bar.x - 4, y - 0.5, 3, 1}, style.colour);
    painter.text(bar.x - 7, y, tick.label, style, AlignX::right, AlignY::middle);
  }
  painter.text(bar.right(), bar.y - 8, d.unit, style, AlignX::right, AlignY::bottom);
}

void drawCursor(Painter& painter, const SliceLayout& layout, PointPx at, ColourMap map) {
  const RectPx& p = layout.picture;
  if (!p.contains(at.x, at.y)) return;
  constexpr double gap = 9;
  const Rgb colour = rgb(map == ColourMap::diverging ? 0x00838F : 0x5CE1E6);
  const auto part = [&](PointPx a, PointPx b) { painter.line(a, b, 1, colour, 0.85); };
  if (at.x - gap > p.x) part({p.x, at.y}, {at.x - gap, at.y});
  if (at.x + gap < p.right()) part({at.x + gap, at.y}, {p.right(), at.y});
  if (at.y - gap > p.y) part({at.x, p.y}, {at.x, at.y - gap});
  if (at.y + gap < p.bottom()) part({at.x, at.y + gap}, {at.x, p.bottom()});
}

void drawProfile(Painter& painter, PointPx start, PointPx end) {
  const Rgb colour = rgb(0xFFD23F), shadow = rgb(0x000000);
  painter.line(start, end, 4, shadow, 0.55);
  painter.line(start, end, 2, colour);
  painter.disc(start, 6, shadow, 0.65);
  painter.disc(start, 4.5, colour);  // filled: where the profile's position 0 is
  painter.disc(end, 6, shadow, 0.65);
  painter.disc(end, 4.5, colour);
  painter.disc(end, 2.5, shadow);
}

void drawTexts(Painter& painter, const SliceLayout& layout, const SliceDecoration& d,
               const Theme& theme) {
  const RectPx& p = layout.picture;
  if (layout.status_in_picture)
    painter.text(p.x + margin_px, p.y + 5,
                 painter.elided(d.status, onPicture(d), p.width - 2 * margin_px), onPicture(d));
  const TextStyle style{rgb(0x1A1200), text_size, true};
  const std::string notice = painter.elided(d.notice, style, p.width - 4 * margin_px);
  if (notice.empty() || p.height < 70) return;
  painter.pill(p.centre().x, p.y + (layout.letters || layout.status_in_picture ? 36 : 16), notice,
               style, theme.notice, 0.92);
}

}  // namespace

SliceLayout layoutSlice(double width, double height, double scale, const SliceDecoration& d) {
  SliceLayout layout;
  layout.view = {0, 0, width, height};
  const double border = d.frame ? frame_px : 0;
  const bool header = (!d.title.empty() || d.frame) && height >= 90;
  layout.header = {border, border, std::max(0.0, width - 2 * border), header ? header_px : 0};
  layout.picture = {border, layout.header.bottom(), layout.header.width,
                    std::max(1.0, height - border - layout.header.bottom())};
  const RectPx& p = layout.picture;
  const TextStyle title{{}, title_size, true}, text{{}, text_size};
  if (header && !d.status.empty()) {
    const double needed = titleLeft(layout, d) - layout.header.x +
                          measureText(d.title, title, scale).width +
                          measureText(d.status, text, scale).width + 3 * margin_px;
    layout.status_in_header = needed <= layout.header.width;
  }
  layout.status_in_picture =
      !d.status.empty() && !layout.status_in_header && p.height >= 80 && p.width >= 80;
  layout.letters = p.width >= 170 && p.height >= 150;
  if (d.colour_bar && p.width >= 200 && p.height >= 150) {
    const double bar_height = std::clamp(0.4 * p.height - 24, 44.0, 170.0);
    layout.colour_bar =
        RectPx{p.right() - margin_px - 12, p.bottom() - 16 - bar_height, 12, bar_height};
  }
  return layout;
}

std::optional<ScaleBar> scaleBarFor(const SliceLayout& layout, double mm_per_pixel) {
  const RectPx& p = layout.picture;
  if (p.width < 120 || p.height < 90) return std::nullopt;
  // At most 30 % of the width: the letter at the bottom edge stands in the middle.
  const double length_mm = roundLengthBelow(std::min(0.3 * p.width, 140.0) * mm_per_pixel);
  if (length_mm <= 0) return std::nullopt;
  return ScaleBar{length_mm,
                  {p.x + margin_px + 2, p.bottom() - margin_px - 4, length_mm / mm_per_pixel, 2}};
}

void drawSliceDecoration(Painter& painter, const SliceLayout& layout, const SliceDecoration& d,
                         const SliceTransform& transform, const Theme& theme) {
  if (d.cursor) drawCursor(painter, layout, transform.toDisplay(d.cursor->u, d.cursor->v), d.map);
  if (layout.letters) drawLetters(painter, layout, d);
  if (d.scale_bar) drawScaleBar(painter, layout, d, transform.camera.mm_per_pixel);
  drawColourBar(painter, layout, d);
  if (d.profile)
    drawProfile(painter, transform.toDisplay(d.profile->u0_mm, d.profile->v0_mm),
                transform.toDisplay(d.profile->u1_mm, d.profile->v1_mm));
  drawTexts(painter, layout, d, theme);
  drawHeader(painter, layout, d, theme);  // over a profile line that runs out of the picture
  if (d.frame) painter.frame(layout.view, frame_px, *d.frame);
}

}  // namespace gantry
