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

/// Values at the two edges of a picture: left and right, or top and bottom.
struct PlotAxis {
  QString title;
  double first = 0, last = 1;
  friend bool operator==(const PlotAxis&, const PlotAxis&) = default;
};

/// The axis of whole numbers 0 .. count - 1, each from half below to half above.
PlotAxis indexAxis(const QString& title, int count);
int nearestIndex(double value, int count);

/// A place that is marked over the picture.
struct PlotMark {
  enum class Kind { point, line_across };
  Kind kind;
  QPointF at;
  QColor colour;
};

/// A small picture between axes, in the colours of the palette: it tells where it is clicked, in
/// the units of its axes.
class ImagePlot : public QWidget {
  Q_OBJECT
 public:
  explicit ImagePlot(QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void setAxes(const PlotAxis& across, const PlotAxis& down);
  /// A unit is as long across as down, as of a picture in mm.
  void setTrueToScale(bool on);
  /// Stretched over the frame; none draws the hint.
  void setImage(const QImage& image);
  void setHint(const QString& hint);
  void setMarks(std::vector<PlotMark> marks);

  const QImage& image() const { return image_; }
  const QString& title() const { return title_; }
  const QString& hint() const { return hint_; }
  /// How many dots the frame has room for.
  QSize dots() const;
  QPointF toWidget(QPointF value) const;
  QPointF valueAt(QPointF position) const;

  QSize sizeHint() const override { return {320, 260}; }
  QSize minimumSizeHint() const override { return {150, 110}; }

 signals:
  void clicked(QPointF value);
  void hovered(QPointF value);
  void left();
  /// The frame has room for another number of dots.
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
  QSize told_dots_;
};

}  // namespace gantry
