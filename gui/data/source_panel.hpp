#pragma once

#include "core/catalog/catalog.hpp"
#include "gui/models/experiment_model.hpp"

#include <QWidget>

#include <array>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace gantry {

class Knob;
class ParameterForm;

/// The form for the source of the data (phantom, volume, DICOM series, or measured scan) and for
/// the noise of simulated data.
class SourcePanel : public QWidget {
  Q_OBJECT
 public:
  SourcePanel(const Catalog& catalog, ExperimentModel& model, QWidget* parent = nullptr);

  /// Sets the number of slices of the loaded volume; 0 when it is not known.
  void setSliceCount(int count);
  /// Sets what the file states: whether its values are HU, as DICOM does, the attenuation of water
  /// that is in force, and whether lengths are known. Where they are not, no attenuation is known
  /// either unless the file or the experiment says one, 1/cell.
  void setStated(bool holds_hu, double mu_water, bool lengths_are_known);
  /// Shows what is being opened instead of the form, which speaks of something else until then;
  /// empty: nothing.
  void setOpening(const QString& name);

 signals:
  /// Emitted when the user asks to choose a file of this kind.
  void openScanRequested();
  void openVolumeRequested();
  void sweepWanted(const QString& parameter);  ///< by SweepParam::id()

 private:
  QWidget* makePhantomPage();
  QWidget* makeFilePage();
  QWidget* makeNoise();
  void showModel();
  void changeKind(int index);
  void changeSlices(int which);

  const Catalog& catalog_;
  ExperimentModel& model_;
  QLabel* opening_;
  QComboBox* kind_;
  QComboBox* phantom_;
  ParameterForm* phantomForm_;
  QLabel* file_;
  QPushButton* open_;
  QLabel* slicesLabel_;
  QComboBox* slices_;
  QSpinBox* slice_;
  QCheckBox* hu_;
  bool holdsHu_ = false, lengthsAreKnown_ = true;
  double statedMuWater_ = default_mu_water;  // 1/mm, of the data
  QDoubleSpinBox* muWater_;
  QWidget* noise_;
  QCheckBox* noisy_;
  QDoubleSpinBox* photons_;
  Knob* photonsKnob_;
  QDoubleSpinBox* electronic_;
  QSpinBox* seed_;
  std::array<QWidget*, 2> pages_;  // for a phantom, for a file; made after what they contain
};

}  // namespace gantry
