#pragma once

#include <QColor>
#include <QObject>

namespace gantry {

/// How the stage looks everywhere: the ground on which pictures stand, dark or light, and the size
/// of the texts in views and charts.
class StageLook : public QObject {
  Q_OBJECT
 public:
  static StageLook& get();

  bool isLight() const { return light_; }
  void setLight(bool light);
  /// Multiplies the size of texts; 1: as usual.
  void setTextScale(double factor);

  QColor ground() const;         ///< around the pictures
  QColor beyondPicture() const;  ///< in a view, where there is no picture
  QColor paper() const;          ///< of charts

 signals:
  void changed();

 private:
  StageLook() = default;
  bool light_ = false;
};

/// Gives a widget the ground of the stage, also after it has changed.
void setStageGround(QWidget& widget);

}  // namespace gantry
