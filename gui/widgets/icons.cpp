#include "gui/widgets/icons.hpp"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QStringList>

#include <array>
#include <string_view>

namespace gantry {

namespace {

/// An icon on a square of 24 units: "M x y" moves, "L x y" draws a line, "C x y r" a circle, "Z"
/// closes the figure. Outlines are stroked; those of a filled icon are filled as well.
struct IconDrawing {
  std::string_view name;
  const char* path;
  bool filled = false;
};
constexpr std::array drawings = {
    IconDrawing{"play", "M 7 5 L 19 12 L 7 19 Z", true},
    IconDrawing{"pause", "M 7 5 L 10 5 L 10 19 L 7 19 Z M 14 5 L 17 5 L 17 19 L 14 19 Z", true},
    IconDrawing{"step", "M 6 5 L 15 12 L 6 19 Z M 17 5 L 19 5 L 19 19 L 17 19 Z", true},
    IconDrawing{"substep", "M 9 8 L 15 12 L 9 16 Z M 5 5 L 5 19 M 19 5 L 19 19"},
    IconDrawing{"stop", "M 6 6 L 18 6 L 18 18 L 6 18 Z", true},
    IconDrawing{"extend", "M 4 12 L 15 12 M 11 7 L 16 12 L 11 17 M 20 5 L 20 19"},
    IconDrawing{"undo", "M 9 6 L 4 11 L 9 16 M 4 11 L 15 11 L 19 14 L 19 19"},
    IconDrawing{"add", "M 12 5 L 12 19 M 5 12 L 19 12"},
    IconDrawing{"more", "C 5 12 1.2 C 12 12 1.2 C 19 12 1.2", true},
    IconDrawing{"pin", "M 9 4 L 15 4 L 14 10 L 17 14 L 7 14 L 10 10 Z M 12 14 L 12 20"},
    IconDrawing{"eye", "M 2 12 L 7 7 L 12 5.5 L 17 7 L 22 12 L 17 17 L 12 18.5 L 7 17 Z C 12 12 3"},
    IconDrawing{
        "closed_eye",
        "M 3 10 L 7 14 L 12 15.5 L 17 14 L 21 10 M 7 14 L 5 17 M 12 15.5 L 12 19 M 17 14 L 19 17"},
    IconDrawing{"difference", "C 9 12 5.5 C 15 12 5.5"},
    IconDrawing{"link", "C 7.5 12 3.5 C 16.5 12 3.5 M 10 12 L 14 12"},
    IconDrawing{"full",
                "M 4 9 L 4 4 L 9 4 M 15 4 L 20 4 L 20 9 M 20 15 L 20 20 L 15 20 M 9 20 L 4 20 "
                "L 4 15"},
    IconDrawing{"save", "M 12 4 L 12 15 M 7 10 L 12 15 L 17 10 M 5 20 L 19 20"},
    IconDrawing{"open", "M 3 19 L 3 6 L 9 6 L 11 8 L 20 8 L 20 19 Z"},
    IconDrawing{"measure", "M 3 15 L 15 3 L 21 9 L 9 21 Z M 8 10 L 11 13 M 12 6 L 15 9"},
    IconDrawing{
        "sweep",
        "M 4 4 L 9 4 L 9 9 L 4 9 Z M 15 4 L 20 4 L 20 9 L 15 9 Z M 4 15 L 9 15 L 9 20 L 4 20 "
        "Z M 15 15 L 20 15 L 20 20 L 15 20 Z"},
    IconDrawing{"matrix", "M 4 4 L 20 4 L 20 20 L 4 20 Z M 4 12 L 20 12 M 12 4 L 12 20"},
    IconDrawing{"formula", "M 17 5 L 6 5 L 12 12 L 6 19 L 17 19"},
    IconDrawing{"notes",
                "M 5 3 L 19 3 L 19 21 L 5 21 Z M 8 8 L 16 8 M 8 12 L 16 12 M 8 16 L 13 16"},
    IconDrawing{"plan", "C 12 13 8 M 12 13 L 12 8 M 12 13 L 16 15 M 9 2 L 15 2"},
    IconDrawing{"data", "M 4 18 L 4 6 M 8 18 L 8 10 M 12 18 L 12 4 M 16 18 L 16 12 M 20 18 L 20 8"},
    IconDrawing{"scan", "C 12 12 8.5 C 12 12 3 M 12 1.5 L 12 5"},
    IconDrawing{"runs",
                "M 3 5 L 8 8 L 3 11 Z M 11 8 L 21 8 M 3 14 L 8 17 L 3 20 Z M 11 17 L 21 17"},
    IconDrawing{"fold", "M 14 6 L 8 12 L 14 18"},
    IconDrawing{"unfold", "M 10 6 L 16 12 L 10 18"},
    IconDrawing{"up", "M 6 15 L 12 9 L 18 15"},
    IconDrawing{"down", "M 6 9 L 12 15 L 18 9"},
    IconDrawing{"right", "M 9 6 L 15 12 L 9 18"},
    IconDrawing{"close", "M 6 6 L 18 18 M 18 6 L 6 18"}};

QPainterPath pathOf(const char* text) {
  QPainterPath path;
  const QStringList words = QString::fromLatin1(text).split(QLatin1Char(' '));
  for (qsizetype i = 0; i < words.size(); ++i) {
    const auto number = [&] { return words.at(++i).toDouble(); };
    const QString command = words.at(i);
    if (command == QLatin1String("Z")) {
      path.closeSubpath();
      continue;
    }
    const double x = number(), y = number();
    if (command == QLatin1String("M")) path.moveTo(x, y);
    if (command == QLatin1String("L")) path.lineTo(x, y);
    if (command == QLatin1String("C")) {
      const double radius = number();
      path.addEllipse(QPointF(x, y), radius, radius);
    }
  }
  return path;
}

class LineIconEngine : public QIconEngine {
 public:
  explicit LineIconEngine(const IconDrawing& drawing) : drawing_(drawing) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
    const auto role = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::WindowText;
    const QColor ink = QApplication::palette().color(group, role);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(rect.topLeft());
    painter->scale(rect.width() / 24.0, rect.height() / 24.0);
    painter->setPen(QPen(ink, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(drawing_.filled ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter->drawPath(pathOf(drawing_.path));
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    if (pixmap.isNull()) return pixmap;  // no size is asked for by buttons that have none yet
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new LineIconEngine(*this); }

 private:
  const IconDrawing& drawing_;
};

}  // namespace

QIcon lineIcon(const QString& name) {
  for (const IconDrawing& drawing : drawings)
    if (name == QLatin1String(drawing.name.data(), static_cast<qsizetype>(drawing.name.size())))
      return QIcon(new LineIconEngine(drawing));
  return {};
}

}  // namespace gantry
