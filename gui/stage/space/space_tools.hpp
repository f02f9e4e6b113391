#pragma once

#include "core/geometry/volume_grid.hpp"
#include "gui/render/volume/volume_scene.hpp"

#include <QWidget>

#include <array>
#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QToolButton;

namespace gantry {

/// What the workspace Space shows: all planes and the volume of one run, or one plane of all runs.
enum class SpaceArrangement { planes, axial, coronal, sagittal, oblique };

/// The controls of the workspace Space. Setters never emit signals.
class SpaceTools : public QWidget {
  Q_OBJECT
 public:
  explicit SpaceTools(QWidget* parent = nullptr);

  SpaceArrangement arrangement() const;
  /// Offers one plane of all runs; `why_not` says why this cannot be, if it cannot.
  void offerRuns(const QString& why_not);
  bool showsOblique() const;
  double turn() const;
  double tilt() const;
  void setAngles(double turn_deg, double tilt_deg);
  VolumeMode mode() const;
  QString preset() const;
  void setPreset(const QString& key);
  bool showsClip() const;
  void setGrid(const VolumeGrid& grid);
  /// Sets the unit of the faces of the clip box.
  void setLengthUnit(const QString& unit);
  void setClip(const ClipBox& clip);
  /// Goes back to what is shown at first.
  void reset();

 signals:
  void arranged();  ///< other views are to be shown
  void turned();    ///< the oblique plane has other angles
  void volumeChanged();
  void clipShown(bool shown);
  void clipEdited(const gantry::ClipBox& clip);
  void clipReset();

 private:
  QWidget* makePlanes();
  QWidget* makeVolume();
  QWidget* makeClip();
  QDoubleSpinBox* makeAngle(const QString& name, const QString& tip, const char* key);
  void showState();
  void editClip();

  QComboBox *shown_, *mode_, *preset_;
  QCheckBox* oblique_;
  QDoubleSpinBox *turn_, *tilt_;
  QToolButton *clip_, *reset_;
  QWidget* clipRow_;
  QLabel* clipUnit_;
  std::array<QDoubleSpinBox*, 6> faces_;  // low and high of x, y, z
};

}  // namespace gantry
