#include "gui/render/slice_decoration.hpp"

#include "core/base/nice_numbers.hpp"
#include "gui/render/painting/window_texts.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double header_height = 26, frame_px = 2, margin_px = 8;
constexpr double title_size = 12, text_size = 12, letter_size = 13;
constexpr double dot_radius = 4.5;

double line_height() { return 17 * textScale(); }

/// Returns the longest form of the title that fits; the shortest one is cut where none does.
std::string fittingTitle(const SliceDecoration& d, double room, double scale) {
  const TextStyle style{{}, title_size, true};
  std::string form = d.title;
  for (const std::string& shorter : d.shorter_titles) {
    if (measureText(form, style, scale).width <= room) break;
    form = shorter;
  }
  return elideText(form, style, room, scale);
}

double titleLeft(const SliceLayout& layout, const SliceDecoration& d) {
  return layout.header.x + margin_px + (d.colour ? 2 * dot_radius + 6 : 0);
}

/// Draws the decoration of one view, part by part.
class SliceArtist {
 public:
  SliceArtist(Painter& painter, const SliceLayout& layout, const SliceDecoration& decoration,
              const SliceTransform& transform, const Theme& theme)
      : painter_(painter),
        layout_(layout),
        d_(decoration),
        transform_(transform),
        theme_(theme),
        area_(layout.picture) {}

  void draw() {
    if (d_.cross_hair) drawCrossHair(*d_.cross_hair);
    if (d_.trace) drawTrace(*d_.trace);
    if (d_.cursor) drawCursor(transform_.toDisplay(d_.cursor->u, d_.cursor->v));
    if (d_.divider) drawDivider(*d_.divider);
    if (layout_.letters) drawLetters();
    if (d_.scale_bar && d_.slice.width > 0) drawScaleBar();  // without a slice there is no scale
    if (layout_.colour_bar) drawColourBar(*layout_.colour_bar);
    for (const RegionMark& mark : d_.regions) drawRegion(mark);
    if (d_.edge) drawEdge(*d_.edge);
    for (const RulerMark& ruler : d_.rulers) drawRuler(ruler);
    if (d_.profile)
      drawProfile(transform_.toDisplay(d_.profile->u0_mm, d_.profile->v0_mm),
                  transform_.toDisplay(d_.profile->u1_mm, d_.profile->v1_mm));
    drawTexts();
    // The header covers a profile line that runs out of the picture.
    if (layout_.header.height > 0) drawHeader();
    if (d_.selected) painter_.frame(area_, frame_px, d_.colour.value_or(theme_.text));
  }

 private:
  /// Returns the style of outlined text in `place`: dark where the slice's colour map, or the
  /// window beside the slice, is mostly light.
  TextStyle ink(const RectPx& place, double size = text_size) const {
    const bool on_slice = d_.slice.overlaps(place);
    const bool light_ground = on_slice ? d_.map == ColourMap::diverging : !theme_.dark;
    return {rgb(light_ground ? 0x101010 : 0xFFFFFF), size, false,
            rgb(light_ground ? 0xFFFFFF : 0x000000)};
  }

  RectPx put(double x, double y, const std::string& text, AlignX ax, AlignY ay,
             double size = text_size, bool bold = false) {
    const SizePx extent = painter_.measure(text, {{}, size, bold});
    const RectPx place{x - (ax == AlignX::left     ? 0
                            : ax == AlignX::centre ? extent.width / 2
                                                   : extent.width),
                       y - (ay == AlignY::top      ? 0
                            : ay == AlignY::middle ? extent.height / 2
                                                   : extent.height),
                       extent.width, extent.height};
    TextStyle style = ink(place, size);
    style.bold = bold;
    return painter_.text(x, y, text, style, ax, ay);
  }

  void drawHeader() {
    const RectPx& header = layout_.header;
    constexpr double opacity = 0.62;  // the picture shows through, and texts stay readable
    painter_.fill(header, rgb(0x000000), opacity);
    const double middle = header.y + header.height / 2;
    if (d_.colour)
      painter_.disc({header.x + margin_px + dot_radius, middle}, dot_radius, *d_.colour);
    double right = header.right() - margin_px;
    const TextStyle style{rgb(0xFFFFFF), title_size, true};
    const double left = titleLeft(layout_, d_);
    if (layout_.status_in_header || layout_.brief_in_header) {
      const TextStyle light{rgb(0xCFD5DD), text_size};
      const double room = right - left - painter_.measure(layout_.title, style).width - margin_px;
      const std::string status =
          layout_.status_in_header ? d_.status : painter_.elided(d_.brief_status, light, room);
      if (!status.empty())
        right = painter_.text(right, middle, status, light, AlignX::right, AlignY::middle).x -
                margin_px;
    }
    painter_.text(left, middle, layout_.title, style, AlignX::left, AlignY::middle);
  }

  void drawLetters() {
    const PointPx c = area_.centre();
    const auto letter = [&](double x, double y, const std::string& text, AlignX ax, AlignY ay) {
      put(x, y, text, ax, ay, letter_size, true);
    };
    const double height = letter_size * textScale();
    // The upper letter stands below a status line that reaches the middle.
    double top = layout_.header.bottom() + 5;
    if (layout_.status_in_picture &&
        area_.x + margin_px + painter_.measure(d_.status, {{}, text_size}).width >
            c.x - 2 * letter_size * textScale())
      top += line_height();
    // The right letter stands above the unit over the colour bar.
    double right_y = c.y;
    if (layout_.colour_bar)
      right_y = std::min(right_y, layout_.colour_bar->y - 10 - line_height() - height / 2);
    letter(area_.x + margin_px, c.y, d_.letters.left, AlignX::left, AlignY::middle);
    letter(area_.right() - margin_px, right_y, d_.letters.right, AlignX::right, AlignY::middle);
    letter(c.x, top, d_.letters.top, AlignX::centre, AlignY::top);
    letter(c.x, area_.bottom() - 5, d_.letters.bottom, AlignX::centre, AlignY::bottom);
  }

  void drawScaleBar() {
    const std::optional<ScaleBar> bar = scaleBarFor(layout_, transform_.camera.mm_per_pixel);
    if (!bar) return;
    const RectPx& line = bar->line;
    constexpr double tick = 6;
    const TextStyle style = ink(line.grown(tick));
    const RectPx ends[3] = {line,
                            {line.x, line.bottom() - tick, 2, tick},
                            {line.right() - 2, line.bottom() - tick, 2, tick}};
    for (const RectPx& part : ends) painter_.fill(part.grown(1), *style.halo);
    for (const RectPx& part : ends) painter_.fill(part, style.colour);
    names_.push_back(line.grown(2));  // names of marks keep clear of it
    names_.push_back(put(line.x, line.bottom() - tick - 3,
                         length_text(bar->length_mm, d_.lengths_are_known), AlignX::left,
                         AlignY::bottom));
  }

  void drawColourBar(const RectPx& bar) {
    const TextStyle style = ink(bar);
    std::vector<Rgb> colours;
    constexpr int steps = 64;  // a multiple of the 16 intervals between the maps' control points
    for (int i = 0; i <= steps; ++i)
      colours.push_back(colourAt(d_.map, static_cast<double>(i) / steps));
    painter_.gradient(bar, colours);
    painter_.frame(bar.grown(1), painter_.hairline(), style.colour);
    painter_.frame(bar.grown(2), painter_.hairline(), *style.halo);
    const double low = d_.level - d_.window / 2, high = d_.level + d_.window / 2;
    std::vector<Tick> ticks =
        linear_ticks(low, high, std::max(3, static_cast<int>(bar.height / 26)));
    if (ticks.size() < 3) {  // a low bar says where it begins and ends
      ticks.clear();
      for (const double value : {low, d_.level, high})
        ticks.push_back({value, short_number(value)});
    }
    for (const Tick& tick : ticks) {
      const double y = bar.bottom() - (tick.value - low) / (high - low) * bar.height;
      painter_.fill({bar.x - 4, y - 0.5, 3, 1}, style.colour);
      put(bar.x - 7, y, tick.label, AlignX::right, AlignY::middle);
    }
    put(bar.right(), bar.y - 8, d_.unit, AlignX::right, AlignY::bottom);
  }

  void drawCrossHair(const CrossHair& cross) {
    const PointPx at = transform_.toDisplay(cross.at.u, cross.at.v);
    if (at.x > area_.x && at.x < area_.right())
      painter_.line({at.x, area_.y}, {at.x, area_.bottom()}, 1, cross.vertical, 0.9);
    if (at.y > area_.y && at.y < area_.bottom())
      painter_.line({area_.x, at.y}, {area_.right(), at.y}, 1, cross.horizontal, 0.9);
  }

  void drawTrace(const PlaneTrace& trace) {
    const LineSegment& line = trace.line;
    painter_.polyline({transform_.toDisplay(line.u0_mm, line.v0_mm),
                       transform_.toDisplay(line.u1_mm, line.v1_mm)},
                      1.5, trace.colour, 0.9, {8, 5});
  }

  void drawCursor(PointPx at) {
    if (!area_.contains(at.x, at.y)) return;
    constexpr double gap = 9;  // the point under the cursor stays visible
    const bool light_ground =
        d_.slice.contains(at.x, at.y) ? d_.map == ColourMap::diverging : !theme_.dark;
    const Rgb colour = rgb(light_ground ? 0x00838F : 0x5CE1E6);
    const auto part = [&](PointPx a, PointPx b) { painter_.line(a, b, 1, colour, 0.85); };
    if (at.x - gap > area_.x) part({area_.x, at.y}, {at.x - gap, at.y});
    if (at.x + gap < area_.right()) part({at.x + gap, at.y}, {area_.right(), at.y});
    if (at.y - gap > area_.y) part({at.x, area_.y}, {at.x, at.y - gap});
    if (at.y + gap < area_.bottom()) part({at.x, at.y + gap}, {at.x, area_.bottom()});
  }

  void drawRegion(const RegionMark& mark) {
    std::vector<PointPx> outline;
    for (const PointMm& p : outlineOf(mark.region))
      outline.push_back(transform_.toDisplay(p.u, p.v));
    painter_.polyline(outline, 3, rgb(0x000000), 0.5);
    painter_.polyline(outline, mark.selected ? 3 : 1.5, mark.colour);
    const auto [left, right] = std::ranges::minmax(outline, {}, &PointPx::x);
    const auto [top, bottom] = std::ranges::minmax(outline, {}, &PointPx::y);
    const PointPx middle = transform_.toDisplay(mark.region.x_mm, mark.region.y_mm);
    constexpr double gap = 3;
    putName({{{middle.x, top.y - gap}, AlignX::centre, AlignY::bottom},
             {{middle.x, bottom.y + gap}, AlignX::centre, AlignY::top},
             {{right.x + gap, middle.y}, AlignX::left, AlignY::middle},
             {{left.x - gap, middle.y}, AlignX::right, AlignY::middle},
             {middle, AlignX::centre, AlignY::middle}},
            mark.label, {mark.colour, text_size, mark.selected, rgb(0x000000)});
  }

  /// A point, and which part of a text lies on it.
  struct TextSpot {
    PointPx at;
    AlignX ax;
    AlignY ay;
  };
  /// Writes the name of a mark at the first spot where the name lies in the picture and covers no
  /// other name; at the first spot of all where there is none.
  void putName(const std::vector<TextSpot>& spots, const std::string& name,
               const TextStyle& style) {
    if (name.empty()) return;
    const SizePx size = painter_.measure(name, style);
    const auto is_free = [&](const TextSpot& spot) {
      const RectPx place = textRect(spot.at.x, spot.at.y, size, spot.ax, spot.ay);
      return place.x >= area_.x && place.right() <= area_.right() &&
             place.y >= layout_.header.bottom() && place.bottom() <= area_.bottom() &&
             std::ranges::none_of(names_, [&](const RectPx& o) { return o.overlaps(place); });
    };
    const auto found = std::ranges::find_if(spots, is_free);
    const TextSpot& spot = found != spots.end() ? *found : spots.front();
    names_.push_back(painter_.text(spot.at.x, spot.at.y, name, style, spot.ax, spot.ay));
  }

  void drawEdge(const LineSegment& edge) {
    const PointPx a = transform_.toDisplay(edge.u0_mm, edge.v0_mm),
                  b = transform_.toDisplay(edge.u1_mm, edge.v1_mm);
    painter_.line(a, b, 3, rgb(0x000000), 0.5);
    painter_.line(a, b, 1.5, edgeColour());
    textBeside(a, b, "edge", edgeColour());
  }

  /// Writes a text beside the middle of a line, at the same small distance for every direction, or
  /// where that covers another name on the other side of the line, beside its ends, or further off.
  void textBeside(PointPx a, PointPx b, const std::string& text, Rgb colour, bool bold = false) {
    const TextStyle style{colour, text_size, bold, rgb(0x000000)};
    const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
    // The normal that points upwards, or to the right of an upright line.
    double nx = (b.y - a.y) / length, ny = -(b.x - a.x) / length;
    if (ny > 1e-3 || (std::abs(ny) <= 1e-3 && nx < 0)) {
      nx = -nx;
      ny = -ny;
    }
    const SizePx size = painter_.measure(text, style);
    constexpr double gap = 3;
    // Returns the spot where the text touches a point from the side of a direction.
    const auto spot = [&](PointPx from, double dx, double dy) {
      const double reach = gap + 0.5 * (std::abs(dx) * size.width + std::abs(dy) * size.height);
      return TextSpot{{from.x + reach * dx, from.y + reach * dy}, AlignX::centre, AlignY::middle};
    };
    const PointPx middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const double along_x = (b.x - a.x) / length, along_y = (b.y - a.y) / length;
    std::vector<TextSpot> spots = {spot(middle, nx, ny), spot(middle, -nx, -ny),
                                   spot(b, along_x, along_y), spot(a, -along_x, -along_y)};
    for (const double lines : {1.5, 3.0})  // off the line, where other texts lie beside it
      for (const double side : {1.0, -1.0}) {
        const double by = side * lines * size.height;
        spots.push_back(spot({middle.x + by * nx, middle.y + by * ny}, side * nx, side * ny));
      }
    putName(spots, text, style);
  }

  void drawRuler(const RulerMark& ruler) {
    std::vector<PointPx> points;
    for (const PointMm& p : ruler.points) points.push_back(transform_.toDisplay(p.u, p.v));
    if (points.size() < 2) return;
    painter_.polyline(points, 3, rgb(0x000000), 0.5);
    painter_.polyline(points, ruler.selected ? 2.5 : 1.5, rulerColour());
    for (const PointPx& p : points) painter_.disc(p, 3.5, rulerColour());
    textBeside(points[0], points[1], ruler.label, rulerColour(), ruler.selected);
  }

  void drawDivider(const Divider& divider) {
    const double x = transform_.toDisplay(divider.u_mm, 0).x;
    if (x < area_.x || x > area_.right()) return;
    const Rgb colour = rgb(0xFFD23F);
    painter_.line({x, layout_.header.bottom()}, {x, area_.bottom()}, 3, rgb(0x000000), 0.5);
    painter_.line({x, layout_.header.bottom()}, {x, area_.bottom()}, 1.5, colour);
    painter_.disc({x, area_.centre().y}, 6, colour);
    const TextStyle style{colour, text_size, true, rgb(0x000000)};
    const double y = area_.bottom() - 14 - 20 * textScale();  // above the scale bar
    const auto side = [&](double room, double at, const std::string& text, AlignX ax) {
      painter_.text(at, y, painter_.elided(text, style, room - 2 * margin_px), style, ax,
                    AlignY::bottom);
    };
    side(x - area_.x, x - margin_px, divider.left, AlignX::right);
    side(area_.right() - x, x + margin_px, divider.right, AlignX::left);
  }

  void drawProfile(PointPx start, PointPx end) {
    const Rgb colour = rgb(0xFFD23F), shadow = rgb(0x000000);
    painter_.line(start, end, 4, shadow, 0.55);
    painter_.line(start, end, 2, colour);
    for (const PointPx p : {start, end}) {
      painter_.disc(p, 6, shadow, 0.65);
      painter_.disc(p, 4.5, colour);
    }
    // The start is the filled handle: positions along the profile count from there.
    painter_.disc(end, 2.5, shadow);
  }

  void drawTexts() {
    // Below the upper letter, however large the texts are.
    const double above = 20 * std::max(1.0, textScale());
    const double top = layout_.header.bottom() + 16 * std::max(1.0, textScale()) +
                       (layout_.letters || layout_.status_in_picture ? above : 0) +
                       (layout_.letters && layout_.status_in_picture ? line_height() : 0);
    if (layout_.status_in_picture)
      put(area_.x + margin_px, layout_.header.bottom() + 5,
          painter_.elided(d_.status, {{}, text_size}, area_.width - 2 * margin_px), AlignX::left,
          AlignY::top);
    const TextStyle style{rgb(0x1A1200), text_size, true};
    const std::string notice = painter_.elided(d_.notice, style, area_.width - 4 * margin_px);
    if (!notice.empty() && area_.height >= 70)
      painter_.pill(area_.centre().x, top, notice, style, theme_.notice, 0.92);
  }

  Painter& painter_;
  const SliceLayout& layout_;
  const SliceDecoration& d_;
  const SliceTransform& transform_;
  const Theme& theme_;
  const RectPx& area_;
  std::vector<RectPx> names_;  // of marks, as far as they are drawn, and the scale bar
};

}  // namespace

double sliceHeaderHeight(double view_height) {
  return view_height < 90 ? 0 : header_height * std::max(1.0, 0.85 * textScale());
}

SliceLayout layoutSlice(double width, double height, double scale, const SliceDecoration& d) {
  SliceLayout layout;
  const bool header = (!d.title.empty() || d.colour) && sliceHeaderHeight(height) > 0;
  layout.header = {0, 0, width, header ? sliceHeaderHeight(height) : 0};
  layout.picture = {0, 0, width, std::max(1.0, height)};
  const RectPx& p = layout.picture;
  const TextStyle title{{}, title_size, true}, text{{}, text_size};
  double room = layout.header.right() - margin_px - titleLeft(layout, d);
  if (header && !d.status.empty()) {
    const double of_status = measureText(d.status, text, scale).width + margin_px;
    layout.status_in_header =
        measureText(d.title, title, scale).width + of_status + margin_px <= room;
    if (layout.status_in_header) room -= of_status;
  }
  if (header) layout.title = fittingTitle(d, room, scale);
  layout.brief_in_header = header && !layout.status_in_header && !d.brief_status.empty();
  layout.status_in_picture = !d.status.empty() && !layout.status_in_header &&
                             d.brief_status.empty() && p.height >= 80 && p.width >= 80;
  layout.letters = p.width >= 170 && p.height >= 150;
  if (d.colour_bar && p.width >= 120 && p.height >= 150) {
    const double bar_height = std::clamp(0.4 * p.height - 24, 44.0, 170.0);
    layout.colour_bar =
        RectPx{p.right() - margin_px - 12, p.bottom() - 16 - bar_height, 12, bar_height};
  }
  return layout;
}

std::optional<ScaleBar> scaleBarFor(const SliceLayout& layout, double mm_per_pixel) {
  const RectPx& p = layout.picture;
  if (p.width < 120 || p.height < 90) return std::nullopt;
  // The bar takes at most 30 % of the width, because the letter of the bottom edge stands in the
  // middle. Views of one scale and height have one bar, although some are wider than the others.
  const double room = 0.3 * std::min(p.width, 1.1 * p.height);
  const double length_mm = round_length_below(std::min(room, 140.0) * mm_per_pixel);
  if (length_mm <= 0) return std::nullopt;
  return ScaleBar{length_mm,
                  {p.x + margin_px + 2, p.bottom() - margin_px - 4, length_mm / mm_per_pixel, 2}};
}

void drawSliceDecoration(Painter& painter, const SliceLayout& layout,
                         const SliceDecoration& decoration, const SliceTransform& transform,
                         const Theme& theme) {
  SliceArtist(painter, layout, decoration, transform, theme).draw();
}

}  // namespace gantry
