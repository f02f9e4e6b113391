#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <QWidget>

#include <vector>

namespace gantry {

/// The axis of a picture, with the values at its two edges: left and right, or top and bottom.
struct PlotAxis {
  QString title;
  double first = 0, last = 1;
  friend bool operator==(const PlotAxis&, const PlotAxis&) = default;
};

/// Returns the axis of the indices 0 .. count - 1; each index i covers i - 0.5 .. i + 0.5.
PlotAxis indexAxis(const QString& title, int count);
/// Returns the index of indexAxis nearest to a value, within 0 .. count - 1.
int nearestIndex(double value, int count);

/// A position that is marked over the picture: a circle, or a line across the whole width.
struct PlotMark {
  enum class Kind { point, line_across };
  Kind kind;
  QPointF at;
  QColor colour;
};

/// A picture between axes, in the colours of the palette. Clicks and mouse positions are reported
/// in the units of the axes.
class ImagePlot : public QWidget {
  Q_OBJECT
 public:
  explicit ImagePlot(QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void setAxes(const PlotAxis& across, const PlotAxis& down);
  /// With true, a unit has the same length along both axes, as in a picture in mm.
  void setTrueToScale(bool on);
  /// Sets the picture, which is stretched over the frame; a null image shows the hint instead.
  void setImage(const QImage& image);
  void setHint(const QString& hint);
  void setMarks(std::vector<PlotMark> marks);

  const QImage& image() const { return image_; }
  const QString& title() const { return title_; }
  const QString& hint() const { return hint_; }
  /// Returns the size of the frame in device pixels: the size at which a picture is not rescaled.
  QSize dots() const;
  QPointF toWidget(QPointF value) const;
  QPointF valueAt(QPointF position) const;

  QSize sizeHint() const override { return {320, 260}; }
  QSize minimumSizeHint() const override { return {150, 110}; }

 signals:
  void clicked(QPointF value);
  void hovered(QPointF value);
  void left();
  /// Emitted when dots() has changed.
  void dotsChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF frame() const;
  QFont axisFont() const;
  void drawAcross(QPainter& painter, const QRectF& frame) const;
  void drawDown(QPainter& painter, const QRectF& frame) const;
  void drawMarks(QPainter& painter, const QRectF& frame) const;
  void changed();

  QString title_, hint_;
  PlotAxis across_, down_;
  bool true_to_scale_ = false;
  QImage image_;
  std::vector<PlotMark> marks_;
  QSize reported_dots_;
};

}  // namespace gantry
