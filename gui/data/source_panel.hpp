#pragma once

#include "core/catalog/catalog.hpp"
#include "gui/models/experiment_model.hpp"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace gantry {

class ParameterForm;

/// Where the data come from: phantom, volume or DICOM series to simulate from, or a measured scan;
/// and the noise of simulated data.
class SourcePanel : public QWidget {
  Q_OBJECT
 public:
  SourcePanel(const Catalog& catalog, ExperimentModel& model, QWidget* parent = nullptr);

  /// Slices of the volume that was loaded; 0 when not known.
  void setSliceCount(int count);

 signals:
  /// The user wants to choose a file of this kind.
  void openScanRequested();
  void openVolumeRequested();

 private:
  QWidget* makePhantomPage();
  QWidget* makeFilePage();
  QWidget* makeNoise();
  void showModel();
  void changeKind(int index);
  void changeSlices(int which);

  const Catalog& catalog_;
  ExperimentModel& model_;
  QComboBox* kind_;
  QStackedWidget* pages_;
  QComboBox* phantom_;
  ParameterForm* phantomForm_;
  QLabel* file_;
  QPushButton* open_;
  QLabel* slicesLabel_;
  QComboBox* slices_;
  QSpinBox* slice_;
  QCheckBox* hu_;
  QDoubleSpinBox* muWater_;
  QWidget* noise_;
  QCheckBox* noisy_;
  QDoubleSpinBox* photons_;
  QDoubleSpinBox* electronic_;
  QSpinBox* seed_;
};

}  // namespace gantry
