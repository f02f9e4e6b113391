#pragma once

#include "gui/stage/view_state.hpp"
#include "gui/widgets/number_box.hpp"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace gantry {

class GreyScaleBar;

/// The controls of all linked views: plane and slice, window and level with presets, unit, profile
/// line, smoothing.
class ViewBar : public QWidget {
  Q_OBJECT
 public:
  explicit ViewBar(ViewState& state, QWidget* parent = nullptr);

  void setGrid(const VolumeGrid& grid);
  /// Offers plane and slice, where the grid has several.
  void offerPlane(bool offered);
  /// Offers to draw the profile line, which only tiles show.
  void offerProfile(bool offered);

 private:
  QWidget* makePlane();
  QWidget* makeWindow();
  QWidget* makeSwitches();
  void applyPreset(int index);
  void editWindow();
  void showState();
  void showScale();
  double toShown(double mu, bool is_level) const;
  double fromShown(double shown, bool is_level) const;

  ViewState& state_;
  VolumeGrid grid_;
  bool offersPlane_ = true;
  QWidget* plane_box_;
  QComboBox* plane_;
  QSlider* slice_;
  QSpinBox* sliceNumber_;
  QLabel* position_;
  QComboBox* preset_;
  NumberBox* window_;
  NumberBox* level_;
  QComboBox* unit_;
  GreyScaleBar* scale_;
  QToolButton* profile_;
  QCheckBox* smooth_;
};

}  // namespace gantry
