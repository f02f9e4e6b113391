#include "gui/stage/stage_figure.hpp"

#include "charts/painting/recording_painter.hpp"
#include "gui/render/painting/window_texts.hpp"
#include "gui/stage/slice_board.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/views/drawing_output.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/stage_look.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr double same_scale = 0.02;
constexpr double bar_width = 14, bar_margin = 12, text_gap = 6, text_size = 12;

/// The texts of a bar of grey values and the width of it with them, in logical pixels.
struct BarTexts {
  std::vector<std::string> values;  // from the bottom upwards
  std::string unit;
  double width = 0;
};

BarTexts bar_texts(const ViewState& state, double scale) {
  const double low = state.level() - 0.5 * state.window();
  BarTexts texts{{}, state.muUnit().toStdString(), 0};
  const auto width_of = [scale](const std::string& text) {
    return measureText(text, {{}, text_size}, scale).width;
  };
  double widest = width_of(texts.unit) - bar_width - text_gap;  // it stands over the bar
  for (const double part : {0.0, 0.5, 1.0}) {
    texts.values.push_back(QString::number(low + part * state.window(), 'g', 3).toStdString());
    widest = std::max(widest, width_of(texts.values.back()));
  }
  texts.width = std::ceil(bar_margin + bar_width + 2 * text_gap + widest);
  return texts;
}

/// Draws a bar from black to white, with the values of its ends and of its middle.
Drawing bar_drawing(const BarTexts& texts, double height, double scale, const Rgb& ink) {
  RecordingPainter painter(texts.width, height, windowRuler(scale));
  const TextStyle style{ink, text_size};
  const double line = painter.measure(texts.unit, style).height + 4;
  const RectPx bar{bar_margin, 2 * line, bar_width, std::max(1.0, height - 3 * line)};
  painter.gradient(bar, {rgb(0x000000), rgb(0xFFFFFF)});
  painter.frame(bar.grown(1), 1, ink, 1);
  const auto last = static_cast<double>(texts.values.size()) - 1;
  for (std::size_t i = 0; i < texts.values.size(); ++i)
    painter.text(bar.right() + text_gap, bar.bottom() - static_cast<double>(i) / last * bar.height,
                 texts.values[i], style, AlignX::left, AlignY::middle);
  painter.text(bar.x, bar.y - line / 2, texts.unit, style, AlignX::left, AlignY::bottom);
  return painter.drawing();
}

/// Hides what belongs to the screen alone while a picture of a view is made.
class ForPrint {
 public:
  explicit ForPrint(SliceView& view)
      : view_(view), cursor_(view.slice().cursor()), selected_(view.slice().isSelected()) {
    view_.setCursor(std::optional<PointMm>{});
    view_.setSelected(false);
  }
  ~ForPrint() {
    view_.setCursor(cursor_);
    view_.setSelected(selected_);
  }
  ForPrint(const ForPrint&) = delete;
  ForPrint& operator=(const ForPrint&) = delete;

 private:
  SliceView& view_;
  std::optional<PointMm> cursor_;
  bool selected_;
};

std::vector<SliceTile*> shown_tiles(const SliceBoard& board) {
  std::vector<SliceTile*> all = board.tiles();
  std::erase_if(all, [](const SliceTile* tile) { return !tile->isVisible(); });
  return all;
}

/// Returns the part of the stage that tiles fill.
QRect place_of(const std::vector<SliceTile*>& tiles) {
  QRect all;
  for (const SliceTile* tile : tiles) all |= tile->geometry();
  return all;
}

}  // namespace

QImage figure_picture(SliceView& view, double scale) {
  const ForPrint hides(view);
  return view.grabImage(scale);
}

PanelFigure figure_of(SliceTile& tile) {
  SliceView& view = tile.view();
  const ForPrint hides(view);
  return {figure_picture(view, figureScale), tile.caption(), view.drawing(figureScale)};
}

namespace {

/// Calls `use` with each tile and its place in a figure of all. Tiles of one scale have one scale
/// bar, in the first of them; widths that differ by a pixel are of one scale.
void for_tiles(const std::vector<SliceTile*>& tiles,
               const std::function<void(SliceView&, QPoint)>& use) {
  const QRect all = place_of(tiles);
  std::vector<double> scales;
  for (SliceTile* tile : tiles) {
    SliceView& view = tile->view();
    const double mm_per_pixel = view.slice().view().mm_per_pixel;
    const bool has_bar = std::ranges::none_of(scales, [mm_per_pixel](double other) {
      return std::abs(other / mm_per_pixel - 1) < same_scale;
    });
    if (has_bar) scales.push_back(mm_per_pixel);
    view.setScaleBar(has_bar);
    use(view, tile->pos() + view.pos() - all.topLeft());
    view.setScaleBar(true);
  }
}

Rgb stage_ink() { return StageLook::get().isLight() ? rgb(0x000000) : rgb(0xFFFFFF); }

/// Returns the tiles that are shown as shapes, texts and pictures.
Drawing stage_drawing(const SliceBoard& board, const ViewState& state, double scale) {
  const std::vector<SliceTile*> tiles = shown_tiles(board);
  if (tiles.empty()) return {};
  const QSize size = place_of(tiles).size();
  const BarTexts texts = bar_texts(state, scale);
  RecordingPainter painter(size.width() + texts.width, size.height(), windowRuler(scale));
  const QColor ground = StageLook::get().ground();
  painter.fill({0, 0, painter.widthPx(), painter.heightPx()}, rgb(ground.rgb() & 0xFFFFFF), 1);
  const auto add = [&painter](PointPx at, Drawing part) {
    const RectPx place{at.x, at.y, part.width_px, part.height_px};
    painter.drawing().items.emplace_back(
        DrawnPart{place, {}, std::make_shared<const Drawing>(std::move(part))});
  };
  for_tiles(tiles, [&](SliceView& view, QPoint at) {
    const ForPrint hides(view);
    add({1.0 * at.x(), 1.0 * at.y()}, view.drawing(scale));
  });
  add({1.0 * size.width(), 0}, bar_drawing(texts, size.height(), scale, stage_ink()));
  return painter.drawing();
}

}  // namespace

QImage stage_picture(const SliceBoard& board, const ViewState& state, double scale) {
  const std::vector<SliceTile*> tiles = shown_tiles(board);
  if (tiles.empty()) return {};
  const QSize size = place_of(tiles).size();
  const BarTexts texts = bar_texts(state, scale);
  QImage picture((QSizeF(size.width() + texts.width, size.height()) * scale).toSize(),
                 QImage::Format_RGB32);
  picture.setDevicePixelRatio(scale);
  picture.fill(StageLook::get().ground());
  QPainter painter(&picture);
  for_tiles(tiles, [&](SliceView& view, QPoint at) {
    QImage one = figure_picture(view, scale);
    one.setDevicePixelRatio(scale);
    painter.drawImage(at, one);
  });
  painter.translate(size.width(), 0);
  paint(painter, bar_drawing(texts, size.height(), scale, stage_ink()));
  painter.end();
  picture.setDevicePixelRatio(1);
  return picture;
}

PanelFigure figure_of_stage(const SliceBoard& board, const ViewState& state) {
  QStringList names;
  QString grey;
  for (const SliceTile* tile : shown_tiles(board)) {
    // A difference has a scale of its own, which its caption states.
    const QString own = tile->greyText();
    names << tile->caption().remove(own);
    if (!tile->showsDifference()) grey = own;
  }
  return {stage_picture(board, state, figureScale), names.join(QStringLiteral(" | ")) + grey,
          stage_drawing(board, state, figureScale)};
}

namespace {

std::vector<VtkView*> views_of(const QWidget& page) {
  std::vector<VtkView*> views;
  for (VtkView* view : page.findChildren<VtkView*>())
    if (view->isVisible()) views.push_back(view);
  return views;
}

/// Returns what a view says of itself: "Axial, 0.0 mm, slice 46". A volume says its subject.
QString text_of(const VtkView& view) {
  const auto* slice = qobject_cast<const SliceView*>(&view);
  if (slice == nullptr) return {};
  QStringList parts{QString::fromStdString(slice->slice().title()),
                    QString::fromStdString(slice->slice().status())};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

/// Returns the grey values of views that follow the window of the stage; empty if none does.
QString grey_of(const std::vector<VtkView*>& views, const ViewState& state) {
  const bool follows = std::ranges::any_of(views, [&](const VtkView* view) {
    const auto* slice = qobject_cast<const SliceView*>(view);
    return slice != nullptr && slice->slice().window() == state.window() &&
           slice->slice().level() == state.level();
  });
  return follows ? state.greyText() : QString();
}

/// Hides what belongs to the screen alone, where the view is one of slices.
std::unique_ptr<ForPrint> for_print(VtkView& view) {
  auto* slice = qobject_cast<SliceView*>(&view);
  return slice == nullptr ? nullptr : std::make_unique<ForPrint>(*slice);
}

}  // namespace

VtkView* active_view(const QWidget& page) {
  const std::vector<VtkView*> views = views_of(page);
  for (VtkView* view : views)
    if (view->underMouse()) return view;
  for (VtkView* view : views)
    if (view->hasFocus()) return view;
  const auto largest = std::ranges::max_element(
      views, {}, [](const VtkView* view) { return view->width() * view->height(); });
  return largest == views.end() ? nullptr : *largest;
}

PanelFigure figure_of(VtkView& view, const QString& subject, const ViewState& state) {
  const auto hides = for_print(view);
  QStringList caption{subject, text_of(view)};
  caption.removeAll(QString());
  return {view.grabImage(figureScale), caption.join(QStringLiteral(": ")) + grey_of({&view}, state),
          view.drawing(figureScale)};
}

PanelFigure figure_of_page(const QWidget& page, const QString& subject, const ViewState& state) {
  const std::vector<VtkView*> views = views_of(page);
  if (views.empty()) return {};
  const auto place = [&page](const VtkView* view) {
    return QRect(view->mapTo(&page, QPoint()), view->size());
  };
  QRect all;
  QStringList texts;
  for (const VtkView* view : views) {
    all |= place(view);
    if (const QString text = text_of(*view); !text.isEmpty()) texts << text;
  }
  const QColor ground = StageLook::get().ground();
  QImage picture((QSizeF(all.size()) * figureScale).toSize(), QImage::Format_RGB32);
  picture.setDevicePixelRatio(figureScale);
  picture.fill(ground);
  QPainter painter(&picture);
  RecordingPainter recorder(all.width(), all.height(), windowRuler(figureScale));
  recorder.fill({0, 0, recorder.widthPx(), recorder.heightPx()}, rgb(ground.rgb() & 0xFFFFFF), 1);
  for (VtkView* view : views) {
    const auto hides = for_print(*view);
    const QRect at = place(view).translated(-all.topLeft());
    QImage one = view->grabImage(figureScale);
    one.setDevicePixelRatio(figureScale);
    painter.drawImage(at.topLeft(), one);
    recorder.drawing().items.emplace_back(
        DrawnPart{{1.0 * at.x(), 1.0 * at.y(), 1.0 * at.width(), 1.0 * at.height()},
                  {},
                  std::make_shared<const Drawing>(view->drawing(figureScale))});
  }
  painter.end();
  picture.setDevicePixelRatio(1);
  QStringList caption{subject, texts.join(QStringLiteral(" | "))};
  caption.removeAll(QString());
  return {picture, caption.join(QStringLiteral(": ")) + grey_of(views, state), recorder.drawing()};
}

QString figure_name(const QString& caption) {
  static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9.]+"));
  QString name = caption.section(QLatin1Char(';'), 0, 0).replace(other, QStringLiteral("-"));
  while (name.startsWith(QLatin1Char('-')) || name.startsWith(QLatin1Char('.'))) name.remove(0, 1);
  constexpr int longest = 80;
  name.truncate(longest);
  while (name.endsWith(QLatin1Char('-'))) name.chop(1);
  return name.isEmpty() ? QCoreApplication::translate("StageFigure", "figure") : name;
}

}  // namespace gantry
