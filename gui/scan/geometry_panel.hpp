#pragma once

#include "gui/models/experiment_model.hpp"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace gantry {

class PresetBox;
class SymmetryLabel;

/// Scan geometry and reconstruction grid as forms. What it shows is the experiment's, or where that
/// says nothing, what the data were prepared with.
class GeometryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit GeometryPanel(ExperimentModel& model, QWidget* parent = nullptr);

  /// Geometry and grid in use, from the prepared data; the geometry as it was before rebinning.
  void setPrepared(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid);

 signals:
  /// The geometry shown changed: for the sketch. Null when what is typed cannot be.
  void shown(std::shared_ptr<const gantry::ScanGeometry> geometry, const gantry::VolumeGrid& grid);
  /// What is typed cannot be; empty when it can.
  void problem(const QString& message);

 private:
  /// One number of the geometry or grid.
  struct Field {
    QDoubleSpinBox* box;
    QLabel* label;
    std::function<double(const ScanSpec&, const VolumeGrid&)> get;
    std::function<bool(const ScanSpec&, const VolumeGrid&)> visible;
  };
  struct Range {
    double low, high, step;
    int decimals;
  };
  template <class Get, class Set, class Visible>
  void addField(QFormLayout* form, const QString& label, const QString& unit, const QString& help,
                Range range, Get get, Set set, Visible visible);
  void addChoices(QFormLayout* form);
  template <class Get, class Set>
  void addSpecField(QFormLayout* form, const QString& label, const QString& unit,
                    const QString& help, Range range, Get get, Set set,
                    bool (*visible)(const ScanSpec&));
  void addGantryFields(QFormLayout* form);
  void addDetectorFields(QFormLayout* form);
  void addGridFields(QFormLayout* form);
  void editSpec(const QString& name, const std::function<void(ScanSpec&)>& change);
  void editGrid(const QString& name, const std::function<void(VolumeGrid&)>& change);
  ScanSpec spec() const;
  VolumeGrid grid() const;
  bool measured() const { return model_.experiment().source.kind == SourceKind::scan; }
  void showModel();
  void showChoices(const ScanSpec& spec);
  void rebin(bool on);
  void showRebinning(const ScanSpec& spec);

  ExperimentModel& model_;
  std::shared_ptr<const ScanGeometry> preparedGeometry_;
  VolumeGrid preparedGrid_ = VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 0.5});
  PresetBox* preset_;
  QComboBox* beam_;
  QComboBox* detector_;
  QComboBox* trajectory_;
  QLabel* trajectoryName_;
  QCheckBox* rebin_;  ///< of cone beams
  QLabel* poses_;     ///< how many there are, where there are: they are not edited here
  SymmetryLabel* symmetry_;
  QPushButton* reset_;
  QPushButton* fit_;
  std::vector<Field> fields_;
};

}  // namespace gantry
