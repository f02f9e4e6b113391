#include "gui/widgets/palette.hpp"

#include "charts/run_colours.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <QPixmap>

#include <array>
#include <cstdint>
#include <utility>

namespace gantry {

namespace {

/// Returns the colour that is the given part of `a` and for the rest `b`.
QColor mixed(const QColor& a, const QColor& b, double part) {
  const auto mix = [part](int x, int y) { return qRound(part * x + (1 - part) * y); };
  return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

}  // namespace

QColor runQColor(int index) {
  const Rgb c = runColour(static_cast<std::size_t>(index < 0 ? 0 : index));
  return QColor(c.r, c.g, c.b);
}

QIcon runIcon(int index) {
  QPixmap pixmap(32, 32);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(runQColor(index));
  painter.drawEllipse(QRectF(5, 5, 22, 22));
  return QIcon(pixmap);
}

QColor mutedText(const QPalette& palette) {
  return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.72);
}

QColor frameColour(const QPalette& palette) {
  return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.55);
}

QColor cardGround(const QPalette& palette) {
  return mixed(palette.color(QPalette::Base), palette.color(QPalette::Window), 0.5);
}

Rgb rgbOf(const QColor& colour) {
  return {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
          static_cast<std::uint8_t>(colour.blue())};
}

namespace {

constexpr double textContrast = 4.5, disabledContrast = 3;

/// Moves a colour away from its ground until it can be read there; what can be read stays.
void makeReadable(QPalette& palette, QPalette::ColorGroup group, QPalette::ColorRole ink,
                  QPalette::ColorRole on, double ratio) {
  const QColor ground = palette.color(group, on), before = palette.color(group, ink);
  const QColor opaque = mixed(before, ground, before.alphaF());
  const Rgb found = readableOn(rgbOf(opaque), rgbOf(ground), ratio);
  const QColor after(found.r, found.g, found.b);
  if (after.rgb() != opaque.rgb()) palette.setColor(group, ink, after);
}

}  // namespace

QPalette readablePalette(QPalette palette) {
  using Role = QPalette::ColorRole;
  for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
    const double ratio = group == QPalette::Disabled ? disabledContrast : textContrast;
    for (const auto& [ink, ground] :
         {std::pair{Role::WindowText, Role::Window}, std::pair{Role::Text, Role::Base},
          std::pair{Role::ButtonText, Role::Button}, std::pair{Role::PlaceholderText, Role::Base},
          std::pair{Role::ToolTipText, Role::ToolTipBase}, std::pair{Role::Link, Role::Window},
          std::pair{Role::Highlight, Role::HighlightedText}})
      makeReadable(palette, group, ink, ground, ratio);
  }
  return palette;
}

int runColourCount() { return static_cast<int>(run_palette.size()); }

QString runColourName(int index) {
  static constexpr std::array<const char*, 8> names = {
      QT_TRANSLATE_NOOP("palette", "blue"),      QT_TRANSLATE_NOOP("palette", "orange"),
      QT_TRANSLATE_NOOP("palette", "green"),     QT_TRANSLATE_NOOP("palette", "purple"),
      QT_TRANSLATE_NOOP("palette", "vermilion"), QT_TRANSLATE_NOOP("palette", "sky blue"),
      QT_TRANSLATE_NOOP("palette", "yellow"),    QT_TRANSLATE_NOOP("palette", "grey")};
  static_assert(names.size() == run_palette.size());
  return QCoreApplication::translate(
      "palette", names[static_cast<std::size_t>(index < 0 ? 0 : index) % names.size()]);
}

}  // namespace gantry
