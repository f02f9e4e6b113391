#include "gui/stage/stage_figure.hpp"

#include "gui/stage/slice_board.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/views/stage_look.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr double same_scale = 0.02;
constexpr int bar_width = 14, bar_margin = 12, text_gap = 6;

/// The widths of a bar of grey values and of its texts, in logical pixels.
struct BarTexts {
  QStringList values;  // from the bottom upwards
  QString unit;
  int width = 0;
};

BarTexts bar_texts(const ViewState& state, const QFontMetrics& metrics) {
  const double low = state.level() - 0.5 * state.window();
  BarTexts texts{{}, state.muUnit(), 0};
  for (const double part : {0.0, 0.5, 1.0})
    texts.values << QString::number(low + part * state.window(), 'g', 3);
  for (const QString& text : texts.values + QStringList{texts.unit})
    texts.width = std::max(texts.width, metrics.horizontalAdvance(text));
  return texts;
}

/// Draws a bar from black to white, with the values of its ends and of its middle.
void draw_bar(QPainter& painter, const QRect& area, const BarTexts& texts, const QColor& ink) {
  const int line = painter.fontMetrics().height();
  const QRect bar(area.left() + bar_margin, area.top() + 2 * line, bar_width,
                  std::max(1, area.height() - 3 * line));
  QLinearGradient grey(bar.bottomLeft(), bar.topLeft());
  grey.setColorAt(0, Qt::black);
  grey.setColorAt(1, Qt::white);
  painter.fillRect(bar, grey);
  painter.setPen(ink);
  painter.drawRect(bar);
  const int x = bar.right() + text_gap;
  for (int i = 0; i < texts.values.size(); ++i) {
    const double part = static_cast<double>(i) / (static_cast<double>(texts.values.size()) - 1);
    const int y = bar.bottom() - qRound(part * bar.height());
    painter.drawText(QRect(x, y - line / 2, texts.width + text_gap, line),
                     Qt::AlignLeft | Qt::AlignVCenter, texts.values[i]);
  }
  painter.drawText(QRect(bar.left(), area.top(), area.width() - bar_margin, line), Qt::AlignLeft,
                   texts.unit);
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

}  // namespace

QImage figure_picture(SliceView& view, double scale) {
  const ForPrint hides(view);
  return view.grabImage(scale);
}

PanelFigure figure_of(SliceTile& tile) {
  return {figure_picture(tile.view(), figureScale), tile.caption()};
}

QImage stage_picture(const SliceBoard& board, const ViewState& state, double scale) {
  const std::vector<SliceTile*> tiles = shown_tiles(board);
  if (tiles.empty()) return {};
  QRect all;
  for (const SliceTile* tile : tiles) all |= tile->geometry();
  const BarTexts texts = bar_texts(state, board.fontMetrics());
  const int bar = bar_margin + bar_width + 2 * text_gap + texts.width;
  const QSize size(all.width() + bar, all.height());
  QImage picture((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
  picture.setDevicePixelRatio(scale);
  const StageLook& look = StageLook::get();
  picture.fill(look.ground());
  QPainter painter(&picture);
  // Of the tiles that have a scale bar. Tiles of widths that differ by a pixel are of one scale.
  std::vector<double> scales;
  const auto is_shown = [&scales](double mm_per_pixel) {
    return std::ranges::any_of(scales, [mm_per_pixel](double other) {
      return std::abs(other / mm_per_pixel - 1) < same_scale;
    });
  };
  for (SliceTile* tile : tiles) {
    SliceView& view = tile->view();
    const double mm_per_pixel = view.slice().view().mm_per_pixel;
    const bool has_bar = !is_shown(mm_per_pixel);
    if (has_bar) scales.push_back(mm_per_pixel);
    view.setScaleBar(has_bar);
    QImage one = figure_picture(view, scale);
    view.setScaleBar(true);
    one.setDevicePixelRatio(scale);
    painter.drawImage(tile->pos() + view.pos() - all.topLeft(), one);
  }
  painter.setFont(board.font());
  draw_bar(painter, {all.width(), 0, bar, all.height()}, texts,
           look.isLight() ? Qt::black : Qt::white);
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
  return {stage_picture(board, state, figureScale), names.join(QStringLiteral(" | ")) + grey};
}

QString figure_name(const QString& caption) {
  static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9.]+"));
  QString name = caption.section(QLatin1Char(';'), 0, 0).replace(other, QStringLiteral("-"));
  while (name.startsWith(QLatin1Char('-')) || name.startsWith(QLatin1Char('.'))) name.remove(0, 1);
  while (name.endsWith(QLatin1Char('-'))) name.chop(1);
  constexpr int longest = 80;
  return name.isEmpty() ? QCoreApplication::translate("StageFigure", "figure") : name.left(longest);
}

}  // namespace gantry
